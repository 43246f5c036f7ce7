import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { connect, headers } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Announcer,
  createNatsAnnouncer,
  LOG_NAMES,
  openNatsBlobStore,
  openNatsEventLog,
} from '../src/index.ts'
import { describeAnnouncer } from './announcer.contract.ts'
import { describeBlobStore } from './blob-store.contract.ts'
import { describeEventLog } from './event-log.contract.ts'
import { natsServerAvailable, startNatsServer, waitFor } from '@switchyard/testkit'

describe.skipIf(!natsServerAvailable())('with a NATS server', () => {
  describeEventLog('NATS JetStream', async () => {
    const server = await startNatsServer()
    return {
      open: () => openNatsEventLog({ url: server.url, name: 'contract', owns: LOG_NAMES }),
      async damage(subject, text) {
        const connection = await connect({ servers: server.url })
        await connection.request(subject, text)
        await connection.close()
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })

  describeBlobStore('the NATS object store', async () => {
    const server = await startNatsServer()
    return {
      open: () => openNatsBlobStore({ url: server.url, name: 'contract', owns: true }),
      async damage(sha256, bytes) {
        const connection = await connect({ servers: server.url })
        const bucket = await new Objm(jetstream(connection)).open('switchyard-blobs')
        await bucket.putBlob({ name: sha256 }, bytes)
        await connection.close()
      },
      async age(sha256, storedAt) {
        const connection = await connect({ servers: server.url })
        const manager = await jetstreamManager(connection)
        const bucket = await new Objm(jetstream(connection)).open('switchyard-blobs')
        const found = await manager.streams.getMessage('OBJ_switchyard-blobs', {
          seq: (await bucket.info(sha256))?.revision ?? 0,
        })
        const description = z.record(z.string(), z.unknown()).parse(found?.json())
        const rollup = headers()
        rollup.set('Nats-Rollup', 'sub')
        await jetstream(connection).publish(
          found?.subject ?? '',
          JSON.stringify({ ...description, mtime: new Date(storedAt).toISOString() }),
          { headers: rollup },
        )
        await connection.close()
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })

  it('passes over messages that are no notice or too large for one, and does not report each of them', async () => {
    await using server = await startNatsServer()
    await using use = new AsyncDisposableStack()
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const announcer = use.use(createNatsAnnouncer({ url: server.url, name: 'listener', onError }))
    const stranger = await connect({ servers: server.url })
    use.defer(() => stranger.close())
    const heard: unknown[] = []
    announcer.subscribe('config.shop.web', (message) => heard.push(message))
    await waitFor('the subscription to take effect', () => {
      stranger.publish('config.shop.web', '{"probe":true}')
      return heard.length > 0
    })
    const flood = 2000
    for (let index = 0; index < flood; index += 1) stranger.publish('config.shop.web', 'no notice')
    stranger.publish('config.shop.web', JSON.stringify('x'.repeat(300 * 1024)))
    stranger.publish('config.shop.web', '{"last":true}')
    await waitFor('what came last', () =>
      heard.some((message) => JSON.stringify(message) === '{"last":true}'),
    )
    expect(heard.every((message) => JSON.stringify(message).length < 20)).toBe(true)
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.length).toBeLessThan(flood / 10)
  })

  describeAnnouncer('over NATS', async () => {
    const server = await startNatsServer()
    const opened: Announcer[] = []
    return {
      async open(onError) {
        const near = createNatsAnnouncer({ url: server.url, name: 'near', onError })
        const far = createNatsAnnouncer({ url: server.url, name: 'far', onError })
        opened.push(near, far)
        return { near, far }
      },
      async [Symbol.asyncDispose]() {
        for (const announcer of opened) await announcer[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  })
})

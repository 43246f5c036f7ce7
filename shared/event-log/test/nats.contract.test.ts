import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { connect, headers } from '@nats-io/transport-node'
import { describe } from 'vitest'
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
import { natsServerAvailable, startNatsServer } from '@switchyard/testkit'

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

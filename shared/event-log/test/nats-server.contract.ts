/** What logs and blobs on any NATS server have to do. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { connect, headers } from '@nats-io/transport-node'
import type { SpawnedServer } from '@switchyard/testkit'
import { z } from 'zod'
import { LOG_NAMES, openNatsBlobStore, openNatsEventLog } from '../src/index.ts'
import { describeBlobStore } from './blob-store.contract.ts'
import { describeEventLog } from './event-log.contract.ts'

/** `start`: a server of its own for each test. */
export function describeNatsContracts(start: () => Promise<SpawnedServer>): void {
  describeEventLog('NATS JetStream', async () => {
    const server = await start()
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
    const server = await start()
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
}

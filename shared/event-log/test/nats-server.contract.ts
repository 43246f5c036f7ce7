/** What logs and blobs on any NATS server have to do. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { connect, headers } from '@nats-io/transport-node'
import type { SpawnedServer } from '@switchyard/testkit'
import { z } from 'zod'
import { type BlobStore, connectNats, LOG_NAMES, openNatsBlobStore, openNatsEventLog } from '../src/index.ts'
import { openNatsPieces } from '../src/nats/nats-blob-store.ts'
import { NatsKeyValues } from '../src/nats/nats-key-values.ts'
import { describeBlobStore } from './blob-store.contract.ts'
import { describeEventLog } from './event-log.contract.ts'
import { describeKeyValues } from './key-values.contract.ts'

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

  describeKeyValues('NATS', async () => {
    const server = await start()
    return {
      async open() {
        const link = await connectNats({ url: server.url, name: 'contract' })
        const values = new NatsKeyValues(link, 'switchyard-usage', {})
        return { values, [Symbol.asyncDispose]: () => link[Symbol.asyncDispose]() }
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })

  describeBucket('blobs', start, (url) => openNatsBlobStore({ url, name: 'contract', owns: true }))
  describeBucket('pieces', start, openPieces)
}

/** Over a connection that is closed with it. */
async function openPieces(url: string): Promise<BlobStore> {
  const link = await connectNats({ url, name: 'contract' })
  const pieces = openNatsPieces(link, { owns: true })
  const close = pieces[Symbol.asyncDispose].bind(pieces)
  return Object.assign(pieces, {
    async [Symbol.asyncDispose]() {
      await close()
      await link[Symbol.asyncDispose]()
    },
  })
}

function describeBucket(
  name: 'blobs' | 'pieces',
  start: () => Promise<SpawnedServer>,
  open: (url: string) => Promise<BlobStore>,
): void {
  const bucketName = `switchyard-${name}`
  describeBlobStore(`the NATS object store ${bucketName}`, async () => {
    const server = await start()
    return {
      open: () => open(server.url),
      async damage(sha256, bytes) {
        const connection = await connect({ servers: server.url })
        const bucket = await new Objm(jetstream(connection)).open(bucketName)
        await bucket.putBlob({ name: sha256 }, bytes)
        await connection.close()
      },
      async age(sha256, storedAt) {
        const connection = await connect({ servers: server.url })
        const manager = await jetstreamManager(connection)
        const bucket = await new Objm(jetstream(connection)).open(bucketName)
        const found = await manager.streams.getMessage(`OBJ_${bucketName}`, {
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

/** Objects that somebody else put into the bucket of the blobs. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { jetstream } from '@nats-io/jetstream'
import { type ObjectInfo, Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { natsServerAvailable, type SpawnedServer, startNatsServer } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  BlobCorruptedError,
  type BlobStore,
  BlobStoreUnavailableError,
  connectNats,
  MAX_BLOB_BYTES,
  openNatsBlobStore,
} from '../src/index.ts'

const sha256 = createHash('sha256').update('what was meant').digest('hex')

/** All tests write one object, each anew. */
let server: SpawnedServer
beforeAll(async () => {
  if (natsServerAvailable()) server = await startNatsServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function withStranger() {
  await using use = new AsyncDisposableStack()
  const blobs = use.use(await openNatsBlobStore({ url: server.url, name: 'owner', owns: true }))
  const stranger = use.use(await connectNats({ url: server.url, name: 'stranger' }))
  const reader = use.use(await connectNats({ url: server.url, name: 'reader' }))
  const bucket = await new Objm(jetstream(stranger.connection)).open('switchyard-blobs')
  const parts = use.move()
  return {
    blobs,
    bucket,
    connection: stranger.connection,
    reader,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** Writes another description of an object that is in the bucket. The name ends with the padding there. */
async function describeAs(
  connection: NatsConnection,
  { name, bucket, nuid, digest, mtime, size, chunks }: ObjectInfo,
  changes: Partial<ObjectInfo>,
): Promise<void> {
  const padded = Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const described = { name, bucket, nuid, digest, mtime, size, chunks, ...changes }
  await jetstream(connection).publish(`$O.${bucket}.M.${padded}`, JSON.stringify(described))
}

/**
 * Writes so many bytes behind those that an object has, without the digest of them all, which takes seconds.
 */
async function appendParts(
  connection: NatsConnection,
  { bucket, nuid }: ObjectInfo,
  bytes: number,
): Promise<void> {
  const part = new Uint8Array(128 * 1024)
  for (let written = 0; written < bytes; written += part.length) {
    await jetstream(connection).publish(`$O.${bucket}.C.${nuid}`, part)
  }
}

/**
 * Reads again where a busy machine took longer for 64 MiB than a read may take, or lost its connection. A
 * store that is away refuses at once: only a pause lets the connection be made again.
 */
async function readWhole(blobs: BlobStore): Promise<unknown> {
  for (;;) {
    try {
      return await blobs.get(sha256)
    } catch (error) {
      if (!(error instanceof BlobStoreUnavailableError)) throw error
      await pause(50)
    }
  }
}

describe.skipIf(!natsServerAvailable())('the blob store on NATS', () => {
  it('reads nothing of an object that says that it is larger than any blob', async () => {
    await using set = await withStranger()
    const info = await set.bucket.putBlob({ name: sha256 }, new Uint8Array(1024 * 1024))
    await describeAs(set.connection, info, { size: MAX_BLOB_BYTES + 1 })
    await using blobs = await openNatsBlobStore({ link: set.reader, owns: false })
    const before = set.reader.connection.stats().inBytes
    await expect(blobs.get(sha256)).rejects.toThrow(BlobCorruptedError)
    await expect(blobs.get(sha256)).rejects.toThrow(`expected ${MAX_BLOB_BYTES} at most`)
    expect(set.reader.connection.stats().inBytes - before).toBeLessThan(64 * 1024)
  })

  it('stops reading an object that says less than it has', async () => {
    await using set = await withStranger()
    const info = await set.bucket.putBlob({ name: sha256 }, new Uint8Array(1))
    await appendParts(set.connection, info, MAX_BLOB_BYTES)
    await describeAs(set.connection, info, { size: 3, chunks: 1 })
    await expect(readWhole(set.blobs)).rejects.toThrow(`expected ${MAX_BLOB_BYTES} at most`)
    // What was left unread is in the way of nothing.
    const small = Buffer.from('small')
    expect(Buffer.from((await set.blobs.get(await set.blobs.put(small))) ?? [])).toEqual(small)
  })

  it('stops reading an object in thousands of parts of one byte', async () => {
    await using set = await withStranger()
    const bytes = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(10_000))
        controller.close()
      },
    })
    await set.bucket.put({ name: sha256, options: { max_chunk_size: 1 } }, bytes)
    await expect(set.blobs.get(sha256)).rejects.toThrow('it has thousands of very small parts')
  })

  it('follows no link', async () => {
    await using set = await withStranger()
    const other = await set.bucket.putBlob({ name: 'other' }, Buffer.from('elsewhere'))
    const link = createHash('sha256').update('a link').digest('hex')
    await set.bucket.link(link, other)
    await expect(set.blobs.get(link)).rejects.toThrow('it is a link')
  })
})

/** The store of pieces while it is not there, and while it may not be used. */
import { natsServerAvailable, startNatsServer, temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  BlobMissingError,
  type BlobStore,
  BlobStoreUnavailableError,
  openNatsStorage,
  openSqliteEventLog,
  StreamMissingError,
} from '../src/index.ts'
import { OptionalBlobStore } from '../src/nats/optional-blob-store.ts'
import { hash } from './blob-store.contract.ts'
import { collect } from './collect.ts'

const PIECE = Buffer.from('a piece')

/** All methods, on a store that cannot be used. */
async function expectRefused(store: BlobStore, error: object): Promise<void> {
  await expect(store.has(hash(PIECE))).rejects.toMatchObject(error)
  await expect(store.get(hash(PIECE))).rejects.toMatchObject(error)
  await expect(store.put(PIECE)).rejects.toMatchObject(error)
  await expect(store.putAll([PIECE])).rejects.toMatchObject(error)
  await expect(store.delete(hash(PIECE))).rejects.toMatchObject(error)
  await expect(collect(store.list())).rejects.toMatchObject(error)
}

/** As long as there is none, nothing is in it, and nothing can be put into it. */
async function expectMissing(store: BlobStore): Promise<void> {
  expect(await store.has(hash(PIECE))).toBe(false)
  await expect(store.get(hash(PIECE))).rejects.toThrow(BlobMissingError)
  expect(await collect(store.list())).toEqual([])
  expect(await store.delete(hash(PIECE))).toBe(false)
  await expect(store.put(PIECE)).rejects.toThrow(StreamMissingError)
  await expect(store.putAll([PIECE])).rejects.toThrow(StreamMissingError)
}

/** The logs and blobs of a server, without the bucket of pieces. */
function logsOf({ url }: { readonly url: string }) {
  return { url, owns: ['registry', 'compositions', 'configs'], ownsBlobs: true } as const
}

describe.skipIf(!natsServerAvailable())('the bucket of pieces on NATS', () => {
  it('holds nothing while it is missing, and is found as soon as its owner has made it', async () => {
    await using server = await startNatsServer()
    await using reader = await openNatsStorage({ ...logsOf(server), name: 'reader' })
    await expectMissing(reader.pieces)
    await using owner = await openNatsStorage({ ...logsOf(server), name: 'owner', ownsPieces: true })
    // It is made when it is first used.
    expect(await owner.pieces.has(hash(PIECE))).toBe(false)
    expect(await reader.pieces.has(hash(PIECE))).toBe(false)
    const sha256 = await reader.pieces.put(PIECE)
    expect(Buffer.from(await owner.pieces.get(sha256))).toEqual(PIECE)
    expect((await collect(reader.pieces.list())).map((listed) => listed.sha256)).toEqual([sha256])
  })

  it('is apart from the bucket of blobs', async () => {
    await using server = await startNatsServer()
    await using storage = await openNatsStorage({ ...logsOf(server), name: 'owner', ownsPieces: true })
    await storage.pieces.put(PIECE)
    await storage.blobs.put(Buffer.from('a blob'))
    expect(await storage.blobs.has(hash(PIECE))).toBe(false)
    expect((await collect(storage.blobs.list())).map(({ sha256 }) => sha256)).toEqual([
      hash(Buffer.from('a blob')),
    ])
    expect((await collect(storage.pieces.list())).map(({ sha256 }) => sha256)).toEqual([hash(PIECE)])
  })

  it('ends with its storage, and keeps no start waiting', async () => {
    await using server = await startNatsServer()
    const storage = await openNatsStorage({ ...logsOf(server), name: 'owner', ownsPieces: true })
    await storage[Symbol.asyncDispose]()
    await expectRefused(storage.pieces, { code: 'BLOB_STORE_UNAVAILABLE' })
  })
})

describe('a store that may not be there', () => {
  it('is asked for again at each use while it is missing, and once when it is there', async () => {
    await using directory = await temporaryDirectory()
    await using storage = await openSqliteEventLog({ dataDir: directory.path })
    let opened = 0
    let isThere = false
    await using store = new OptionalBlobStore(async () => {
      opened += 1
      if (!isThere) throw new StreamMissingError('pieces')
      return storage.pieces
    })
    await expectMissing(store)
    expect(opened).toBe(6)
    isThere = true
    await Promise.all([store.put(PIECE), store.put(PIECE), store.has(hash(PIECE))])
    expect(Buffer.from(await store.get(hash(PIECE)))).toEqual(PIECE)
    expect(await store.putAll([PIECE])).toEqual([hash(PIECE)])
    expect(await store.delete(hash(PIECE))).toBe(true)
    expect(opened).toBe(7)
  })

  it('that was refused is not tried again for 30 seconds, and then is', async () => {
    await using directory = await temporaryDirectory()
    await using storage = await openSqliteEventLog({ dataDir: directory.path })
    let now = 1000
    let opened = 0
    let isPermitted = false
    const open = async () => {
      opened += 1
      if (!isPermitted) throw new Error('permissions violation')
      return storage.pieces
    }
    await using store = new OptionalBlobStore(open, () => now)
    const refused = {
      code: 'BLOB_STORE_UNAVAILABLE',
      message: expect.stringContaining('permissions violation'),
    }
    await expectRefused(store, refused)
    expect(opened).toBe(1)
    isPermitted = true
    now += 29_999
    await expectRefused(store, refused)
    expect(opened).toBe(1)
    now += 1
    expect(await store.put(PIECE)).toBe(hash(PIECE))
    expect(opened).toBe(2)
  })

  it('that is closed while it is opened closes what was opened', async () => {
    await using directory = await temporaryDirectory()
    await using storage = await openSqliteEventLog({ dataDir: directory.path })
    const go = Promise.withResolvers<void>()
    const store = new OptionalBlobStore(async () => {
      await go.promise
      return storage.pieces
    })
    const asked = store.has(hash(PIECE))
    const closed = store[Symbol.asyncDispose]()
    go.resolve()
    await Promise.allSettled([asked, closed])
    await expect(storage.pieces.has(hash(PIECE))).rejects.toThrow(BlobStoreUnavailableError)
    await expectRefused(store, { code: 'BLOB_STORE_UNAVAILABLE' })
  })
})

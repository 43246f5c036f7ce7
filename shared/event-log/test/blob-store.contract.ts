/** What every blob store promises, whatever keeps it. */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BlobCorruptedError, BlobMissingError, type BlobStore } from '../src/index.ts'
import { collect } from './collect.ts'

export interface BlobStorePlace extends AsyncDisposable {
  /** A store on the same blobs; the ones opened before are closed first when only one may be open. */
  open(): Promise<BlobStore>
  /** Replaces the bytes kept under a hash. Nothing is open meanwhile. */
  damage(sha256: string, bytes: Uint8Array): Promise<void>
}

export function describeBlobStore(name: string, openPlace: () => Promise<BlobStorePlace>): void {
  describe(`blob store on ${name}`, () => {
    it('gives the bytes back under their sha256', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      for (const size of [0, 1, 200_000, 3_000_000]) {
        const bytes = new Uint8Array(randomBytes(size))
        const sha256 = await blobs.put(bytes)
        expect(sha256).toBe(hash(bytes))
        expect(await blobs.has(sha256)).toBe(true)
        expect(Buffer.from(await blobs.get(sha256)).equals(bytes)).toBe(true)
      }
    })

    it('stores equal bytes once, also when several writers put them at once', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      const bytes = new Uint8Array(randomBytes(300_000))
      const hashes = await Promise.all(Array.from({ length: 4 }, () => blobs.put(bytes)))
      const [first] = await collect(blobs.list())
      await blobs.put(bytes)
      expect(new Set(hashes).size).toBe(1)
      expect(await collect(blobs.list())).toEqual([first])
      expect(Buffer.from(await blobs.get(hash(bytes))).equals(bytes)).toBe(true)
    })

    it('lists what is there with size and time', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      expect(await collect(blobs.list())).toEqual([])
      const before = Date.now()
      const one = await blobs.put(Buffer.from('one'))
      const three = await blobs.put(Buffer.from('three'))
      const listed = await collect(blobs.list())
      const sizes = Object.fromEntries(listed.map(({ sha256, size }) => [sha256, size]))
      expect(sizes).toEqual({ [one]: 3, [three]: 5 })
      for (const { storedAt } of listed) {
        expect(Math.abs(storedAt - before)).toBeLessThan(60_000)
      }
    })

    it('forgets a deleted blob and takes it again', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      const sha256 = await blobs.put(Buffer.from('content'))
      await blobs.delete(sha256)
      expect(await blobs.has(sha256)).toBe(false)
      expect(await collect(blobs.list())).toEqual([])
      await blobs.delete(sha256)
      await blobs.put(Buffer.from('content'))
      expect(Buffer.from(await blobs.get(sha256)).toString()).toBe('content')
    })

    it('fails with the hash when a blob is missing, after it retried', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      const sha256 = hash(Buffer.from('never stored'))
      const failure = await blobs.get(sha256).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(BlobMissingError)
      expect(failure).toMatchObject({ code: 'BLOB_MISSING', sha256 })
    })

    it('finds a blob that arrives while a reader retries', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      const reading = blobs.get(hash(Buffer.from('late')))
      await sleep(20)
      await blobs.put(Buffer.from('late'))
      expect(Buffer.from(await reading).toString()).toBe('late')
    })

    it('refuses to return bytes that do not have the hash, until they are put again', async () => {
      await using place = await openPlace()
      const before = await place.open()
      const sha256 = await before.put(Buffer.from('original'))
      await before[Symbol.asyncDispose]()
      await place.damage(sha256, Buffer.from('0riginal'))
      await using blobs = await place.open()
      await expect(blobs.get(sha256)).rejects.toThrow(BlobCorruptedError)
      await blobs.delete(sha256)
      await blobs.put(Buffer.from('original'))
      expect(Buffer.from(await blobs.get(sha256)).toString()).toBe('original')
    })

    it('refuses work after it was closed', async () => {
      await using place = await openPlace()
      const blobs = await place.open()
      await blobs[Symbol.asyncDispose]()
      await expect(blobs.put(Buffer.from('x'))).rejects.toMatchObject({ code: 'BLOB_STORE_UNAVAILABLE' })
      await expect(blobs.has(hash(Buffer.from('x')))).rejects.toMatchObject({
        code: 'BLOB_STORE_UNAVAILABLE',
      })
    })
  })
}

export function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

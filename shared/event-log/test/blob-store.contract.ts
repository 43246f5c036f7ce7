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
  /** Makes a blob look as if it had been stored at that time (Unix ms). Nothing is open meanwhile. */
  age(sha256: string, storedAt: number): Promise<void>
}

const YESTERDAY = Date.now() - 24 * 60 * 60 * 1000

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

    it('puts many at once, and returns their hashes in the same order', async () => {
      await using place = await openPlace()
      await using blobs = await place.open()
      const there = await blobs.put(Buffer.from('there'))
      const many = Array.from({ length: 40 }, (_, index) => Buffer.from(`blob ${index % 35}`))
      const hashes = await blobs.putAll([Buffer.from('there'), ...many, new Uint8Array()])
      expect(hashes).toEqual([there, ...many.map(hash), hash(new Uint8Array())])
      const listed = await collect(blobs.list())
      expect(listed.map(({ sha256 }) => sha256).toSorted()).toEqual([...new Set(hashes)].toSorted())
      for (const bytes of many) expect(Buffer.from(await blobs.get(hash(bytes)))).toEqual(bytes)
      expect(await blobs.putAll([])).toEqual([])
    })

    it('makes old blobs new when they are put again with others', async () => {
      await using place = await openPlace()
      const first = await place.open()
      const old = await first.put(Buffer.from('old'))
      await first[Symbol.asyncDispose]()
      await place.age(old, YESTERDAY)
      await using blobs = await place.open()
      await blobs.putAll([Buffer.from('new'), Buffer.from('old')])
      expect(await blobs.delete(old, YESTERDAY + 1)).toBe(false)
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

    it('removes a blob only when it is old, if asked to', async () => {
      await using place = await openPlace()
      const first = await place.open()
      const [old, young] = [await first.put(Buffer.from('old')), await first.put(Buffer.from('young'))]
      await first[Symbol.asyncDispose]()
      await place.age(old, YESTERDAY)
      await using blobs = await place.open()
      expect(await blobs.delete(young, YESTERDAY + 1)).toBe(false)
      expect(await blobs.delete(old, YESTERDAY)).toBe(false)
      expect(await blobs.delete(old, YESTERDAY + 1)).toBe(true)
      expect(await blobs.delete(old, YESTERDAY + 1)).toBe(false)
      expect((await collect(blobs.list())).map(({ sha256 }) => sha256)).toEqual([young])
    })

    it('makes an old blob new when it is put again, so that it is not removed as old', async () => {
      await using place = await openPlace()
      const first = await place.open()
      const bytes = Buffer.from('put twice')
      const sha256 = await first.put(bytes)
      await first[Symbol.asyncDispose]()
      await place.age(sha256, YESTERDAY)
      await using blobs = await place.open()
      const before = Date.now()
      await blobs.put(bytes)
      const [listed] = await collect(blobs.list())
      expect(Math.abs((listed?.storedAt ?? 0) - before)).toBeLessThan(60_000)
      expect(await blobs.delete(sha256, YESTERDAY + 1)).toBe(false)
      expect(Buffer.from(await blobs.get(sha256)).toString()).toBe('put twice')
    })

    it('has a blob that is put while others remove it as old', async () => {
      await using place = await openPlace()
      const names = Array.from({ length: 10 }, (_, index) => `contested ${index}`)
      const first = await place.open()
      for (const name of names) await first.put(Buffer.from(name))
      await first[Symbol.asyncDispose]()
      for (const name of names) await place.age(hash(Buffer.from(name)), YESTERDAY)
      await using blobs = await place.open()
      await Promise.all(
        names.map(async (name) => {
          const bytes = Buffer.from(name)
          const remove = () => blobs.delete(hash(bytes), YESTERDAY + 1)
          await Promise.all([remove(), blobs.put(bytes), remove()])
          expect(Buffer.from(await blobs.get(hash(bytes))).toString()).toBe(name)
        }),
      )
    })

    it('refuses work after it was closed', async () => {
      await using place = await openPlace()
      const blobs = await place.open()
      await blobs[Symbol.asyncDispose]()
      await expect(blobs.put(Buffer.from('x'))).rejects.toMatchObject({ code: 'BLOB_STORE_UNAVAILABLE' })
      await expect(blobs.putAll([Buffer.from('x')])).rejects.toMatchObject({ code: 'BLOB_STORE_UNAVAILABLE' })
      await expect(blobs.has(hash(Buffer.from('x')))).rejects.toMatchObject({
        code: 'BLOB_STORE_UNAVAILABLE',
      })
    })
  })
}

export function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

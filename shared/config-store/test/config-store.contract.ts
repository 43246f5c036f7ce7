/** What every config store promises, whatever keeps it. Run for each implementation by its own test file. */
import { randomBytes } from 'node:crypto'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type ConfigStore, HISTORY_LIMIT, InvalidArtifactError, InvalidGraphKeyError } from '../src/index.ts'
import { artifactOf, manifestOf, SHOP } from './samples.ts'

export interface ConfigStorePlace extends AsyncDisposable {
  /** Another store on the same content. */
  open(): Promise<ConfigStore>
}

/** As epochs are: the time in ms at which a log was created. */
const EPOCH = 1_795_248_255_219

export function describeConfigStore(name: string, openPlace: () => Promise<ConfigStorePlace>): void {
  describe(`config store in ${name}`, () => {
    it('has nothing for a graph that nobody wrote', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      expect(await store.getManifest(SHOP)).toBeNull()
      expect(await store.history(SHOP, 10)).toEqual([])
      expect(await store.listArtifacts(SHOP)).toEqual([])
      expect(await store.hasArtifact(SHOP, artifactOf('x').sha256)).toBe(false)
      expect(await store.getArtifact(SHOP, artifactOf('x').sha256)).toBeNull()
      expect(await store.listPieces(SHOP)).toEqual([])
      expect(await store.getPiece(SHOP, artifactOf('x').sha256)).toBeNull()
      expect(await store.renewPieces(SHOP, [artifactOf('x').sha256])).toEqual([artifactOf('x').sha256])
      await store.deletePiece(SHOP, artifactOf('x').sha256, Date.now())
    })

    it('gives a manifest back byte for byte, to every reader', async () => {
      await using place = await openPlace()
      await using writer = await place.open()
      await using reader = await place.open()
      const manifest = manifestOf(EPOCH, 1)
      expect(await writer.putManifest(SHOP, manifest)).toBe('written')
      expect(await reader.getManifest(SHOP)).toEqual(manifest)
    })

    it('takes only a newer manifest: a higher epoch, or a higher revision of the same one', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      expect(await store.putManifest(SHOP, manifestOf(EPOCH, 9))).toBe('written')
      expect(await store.putManifest(SHOP, manifestOf(EPOCH, 9, 'other'))).toBe('older')
      expect(await store.putManifest(SHOP, manifestOf(EPOCH, 8))).toBe('older')
      expect(await store.putManifest(SHOP, manifestOf(EPOCH - 1, 100))).toBe('older')
      expect(await store.getManifest(SHOP)).toEqual(manifestOf(EPOCH, 9))
      expect(await store.putManifest(SHOP, manifestOf(EPOCH, 10))).toBe('written')
      expect(await store.putManifest(SHOP, manifestOf(EPOCH + 1, 1))).toBe('written')
      expect(await store.putManifest(SHOP, manifestOf(EPOCH, 11))).toBe('older')
      expect(await store.getManifest(SHOP)).toEqual(manifestOf(EPOCH + 1, 1))
    })

    it('ends with the newest manifest whatever the order in which writers come', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      for (let round = 0; round < 5; round += 1) {
        const revisions = shuffled(Array.from({ length: 20 }, (_, index) => round * 20 + index + 1))
        const outcomes = await Promise.all(
          revisions.map((revision) => store.putManifest(SHOP, manifestOf(EPOCH, revision))),
        )
        const newest = (round + 1) * 20
        expect(await store.getManifest(SHOP)).toEqual(manifestOf(EPOCH, newest))
        expect(outcomes[revisions.indexOf(newest)]).toBe('written')
        const written = revisions.filter((_, index) => outcomes[index] === 'written')
        const history = await store.history(SHOP, written.length)
        expect(history.map(({ revision }) => revision)).toEqual(written.toSorted((a, b) => b - a))
      }
    })

    it('keeps the newest head of each graph apart from its manifest', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      await using reader = await place.open()
      expect(await reader.getHead(SHOP)).toBeNull()
      await store.putHead(SHOP, 'one')
      await store.putHead(SHOP, 'two')
      await store.putHead({ ...SHOP, graph: 'other' }, 'three')
      expect(await reader.getHead(SHOP)).toBe('two')
      await store.replaceManifest(SHOP, manifestOf(EPOCH, 1))
      expect(await reader.getHead(SHOP)).toBe('two')
      await store.putHead(SHOP, 'x'.repeat(5000))
      expect(await reader.getHead(SHOP)).toBeNull()
    })

    it('lets exactly one of several writers of the same version win', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, writer) =>
          store.putManifest(SHOP, manifestOf(EPOCH, 1, `by ${writer}`)),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1)
      expect(await store.getManifest(SHOP)).toEqual(manifestOf(EPOCH, 1, `by ${outcomes.indexOf('written')}`))
      expect(await store.history(SHOP, 10)).toEqual([{ epoch: EPOCH, revision: 1 }])
    })

    it('replaces whatever is there, and drops from the history what was never committed', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      await store.replaceManifest(SHOP, manifestOf(EPOCH, 1))
      await store.putManifest(SHOP, manifestOf(EPOCH, 2))
      await store.putManifest(SHOP, manifestOf(EPOCH + 7, 40))
      await store.replaceManifest(SHOP, manifestOf(EPOCH, 3))
      expect(await store.getManifest(SHOP)).toEqual(manifestOf(EPOCH, 3))
      expect((await store.history(SHOP, 10)).map(({ revision }) => revision)).toEqual([3, 2, 1])
      expect(await store.putManifest(SHOP, manifestOf(EPOCH, 4))).toBe('written')
    })

    it('keeps a history of limited length, newest first', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const last = HISTORY_LIMIT + 20
      for (let revision = 1; revision <= last; revision += 1) {
        await store.putManifest(SHOP, manifestOf(EPOCH, revision))
      }
      expect(await store.history(SHOP, 3)).toEqual([
        { epoch: EPOCH, revision: last },
        { epoch: EPOCH, revision: last - 1 },
        { epoch: EPOCH, revision: last - 2 },
      ])
      expect(await store.history(SHOP, 0)).toEqual([])
      const all = await store.history(SHOP, last)
      expect(all).toHaveLength(HISTORY_LIMIT)
      expect(all.at(-1)).toEqual({ epoch: EPOCH, revision: 21 })
    })

    it('keeps graphs apart, also those whose names are alike', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const graphs = [
        { namespace: 'a', graph: 'b/c' },
        { namespace: 'a', graph: 'b' },
        { namespace: 'a', graph: 'B' },
        { namespace: 'a', graph: 'b.c' },
        { namespace: 'a', graph: 'artifacts' },
        { namespace: 'a', graph: 'pieces' },
        { namespace: 'a', graph: '..' },
        { namespace: 'a_b', graph: 'b' },
        { namespace: 'a', graph: 'X'.repeat(100) },
        { namespace: 'a', graph: `${'X'.repeat(99)}Y` },
      ]
      const { sha256, gzipped } = artifactOf('only of the first')
      await store.putArtifact({ namespace: 'a', graph: 'b/c' }, sha256, gzipped)
      await store.putPieces({ namespace: 'a', graph: 'b/c' }, new Map([[sha256, gzipped]]))
      for (const [index, graph] of graphs.entries()) {
        expect(await store.putManifest(graph, manifestOf(EPOCH, index + 1))).toBe('written')
      }
      for (const [index, graph] of graphs.entries()) {
        expect(await store.getManifest(graph)).toEqual(manifestOf(EPOCH, index + 1))
        expect(await store.history(graph, 10)).toEqual([{ epoch: EPOCH, revision: index + 1 }])
        expect(await store.hasArtifact(graph, sha256)).toBe(index === 0)
        expect(await store.listPieces(graph)).toHaveLength(index === 0 ? 1 : 0)
      }
      await expect(store.getManifest({ namespace: '', graph: 'b' })).rejects.toThrow(InvalidGraphKeyError)
    })

    it('keeps artifacts by hash until they are deleted', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const before = Date.now()
      const small = artifactOf('small')
      const large = artifactOf(randomBytes(2_000_000).toString('hex'))
      for (const { sha256, gzipped } of [small, large, small]) await store.putArtifact(SHOP, sha256, gzipped)
      for (const { sha256, gzipped } of [small, large]) {
        expect(await store.hasArtifact(SHOP, sha256)).toBe(true)
        const found = await store.getArtifact(SHOP, sha256)
        expect(found === null ? null : Buffer.compare(found, gzipped)).toBe(0)
      }
      const listed = await store.listArtifacts(SHOP)
      expect(listed.map(({ sha256 }) => sha256).toSorted()).toEqual([small.sha256, large.sha256].toSorted())
      for (const { storedAt } of listed) expect(Math.abs(storedAt - before)).toBeLessThan(60_000)
      await store.deleteArtifact(SHOP, small.sha256)
      await store.deleteArtifact(SHOP, small.sha256)
      expect(await store.hasArtifact(SHOP, small.sha256)).toBe(false)
      expect(await store.getArtifact(SHOP, small.sha256)).toBeNull()
      expect((await store.listArtifacts(SHOP)).map(({ sha256 }) => sha256)).toEqual([large.sha256])
    })

    it('refuses names that are no hash and bytes that are not gzipped', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const { sha256, gzipped } = artifactOf('x')
      await expect(store.putArtifact(SHOP, '../../manifest', gzipped)).rejects.toThrow(InvalidArtifactError)
      await expect(store.getArtifact(SHOP, sha256.toUpperCase())).rejects.toThrow(InvalidArtifactError)
      await expect(store.putArtifact(SHOP, sha256, Buffer.from('{}'))).rejects.toThrow(InvalidArtifactError)
    })

    it('keeps pieces apart from artifacts, so that who knows only artifacts neither sees nor removes them', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      await using reader = await place.open()
      const { sha256, gzipped } = artifactOf('a piece')
      await store.putPieces(SHOP, new Map([[sha256, gzipped]]))
      expect(await store.listArtifacts(SHOP)).toEqual([])
      expect(await store.hasArtifact(SHOP, sha256)).toBe(false)
      expect(await store.getArtifact(SHOP, sha256)).toBeNull()
      await store.deleteArtifact(SHOP, sha256)
      expect(await reader.getPiece(SHOP, sha256)).toEqual(gzipped)
      await store.putArtifact(SHOP, sha256, gzipped)
      await store.deletePiece(SHOP, sha256, Date.now() + 60_000)
      expect(await reader.getPiece(SHOP, sha256)).toBeNull()
      expect(await store.listPieces(SHOP)).toEqual([])
      expect(await store.hasArtifact(SHOP, sha256)).toBe(true)
    })

    it('stores many pieces at once, renews those that are there, and names those that are not', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const pieces = new Map(numberedPieces(1200))
      await store.putPieces(SHOP, pieces)
      await store.putPieces(SHOP, new Map())
      const missing = numberedPieces(1203)
        .map(([sha256]) => sha256)
        .slice(1200)
      const asked = [...missing, ...pieces.keys(), ...missing]
      expect((await store.renewPieces(SHOP, asked)).toSorted()).toEqual(missing.toSorted())
      expect(await store.renewPieces(SHOP, [])).toEqual([])
      expect((await store.listPieces(SHOP)).map(({ sha256 }) => sha256).toSorted()).toEqual(
        [...pieces.keys()].toSorted(),
      )
      for (const [sha256, gzipped] of [...pieces].slice(0, 3))
        expect(await store.getPiece(SHOP, sha256)).toEqual(gzipped)
    })

    it('deletes a piece only if it was neither stored nor renewed since', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const [old, renewed, putAgain] = numberedPieces(3)
      if (old === undefined || renewed === undefined || putAgain === undefined) throw new Error('no pieces')
      await store.putPieces(SHOP, new Map([old, renewed, putAgain]))
      const stored = await store.listPieces(SHOP)
      const since = (await nextMillisecond()) + 1
      await waitFor('a later time', () => Date.now() > since)
      expect(await store.renewPieces(SHOP, [renewed[0]])).toEqual([])
      await store.putPieces(SHOP, new Map([putAgain]))
      for (const [sha256] of [old, renewed, putAgain]) await store.deletePiece(SHOP, sha256, since)
      const left = await store.listPieces(SHOP)
      expect(left.map(({ sha256 }) => sha256).toSorted()).toEqual([renewed[0], putAgain[0]].toSorted())
      for (const { storedAt } of left) expect(storedAt).toBeGreaterThan(since)
      expect(await store.getPiece(SHOP, old[0])).toBeNull()
      expect(await store.getPiece(SHOP, renewed[0])).toEqual(renewed[1])
      expect(Math.max(...stored.map(({ storedAt }) => storedAt))).toBeLessThan(since)
    })

    it('lists pieces that were stored or renewed first before the others', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const pieces = numberedPieces(3)
      for (const piece of pieces) {
        await store.putPieces(SHOP, new Map([piece]))
        await nextMillisecond()
      }
      const [first = '', second = '', third = ''] = pieces.map(([sha256]) => sha256)
      await store.renewPieces(SHOP, [first])
      expect((await store.listPieces(SHOP)).map(({ sha256 }) => sha256)).toEqual([second, third, first])
    })

    it('refuses pieces whose name is no hash or whose bytes are not gzipped, and then stores none', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const { sha256, gzipped } = artifactOf('x')
      const refused: (readonly [string, Uint8Array])[] = [
        ['../../manifest', gzipped],
        [artifactOf('y').sha256, Buffer.from('{}')],
      ]
      for (const piece of refused) {
        const pieces = new Map([[sha256, gzipped] as const, piece])
        await expect(store.putPieces(SHOP, pieces)).rejects.toThrow(InvalidArtifactError)
        expect(await store.listPieces(SHOP)).toEqual([])
      }
      const name = sha256.toUpperCase()
      await expect(store.getPiece(SHOP, name)).rejects.toThrow(InvalidArtifactError)
      await expect(store.renewPieces(SHOP, [name])).rejects.toThrow(InvalidArtifactError)
      await expect(store.deletePiece(SHOP, name, Date.now())).rejects.toThrow(InvalidArtifactError)
      await expect(store.renewPieces({ namespace: 'a', graph: '' }, [sha256])).rejects.toThrow(
        InvalidGraphKeyError,
      )
    })

    it('answers a ping while it is open and refuses work afterwards', async () => {
      await using place = await openPlace()
      const store = await place.open()
      await store.ping()
      await store[Symbol.asyncDispose]()
      await expect(store.ping()).rejects.toMatchObject({ code: 'CONFIG_STORE_UNAVAILABLE' })
      await expect(store.getManifest(SHOP)).rejects.toMatchObject({ code: 'CONFIG_STORE_UNAVAILABLE' })
    })
  })
}

function numberedPieces(count: number): readonly (readonly [string, Uint8Array])[] {
  return Array.from({ length: count }, (_, index) => {
    const { sha256, gzipped } = artifactOf(`piece ${index}`)
    return [sha256, gzipped] as const
  })
}

/** Resolves with the time in ms when that has changed. */
async function nextMillisecond(): Promise<number> {
  const before = Date.now()
  await waitFor('the next millisecond', () => Date.now() > before)
  return Date.now()
}

function shuffled(values: readonly number[]): readonly number[] {
  return values
    .map((value) => ({ value, key: randomBytes(4).readUInt32BE() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

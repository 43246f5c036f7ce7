/** Pieces of artifacts that are in no use, on real stores. The time comes from the test. */
import type { CompositionRecord } from '@switchyard/contracts'
import { type BlobStore, BlobStoreUnavailableError, LOG_NAMES, openNatsStorage } from '@switchyard/event-log'
import { natsServerAvailable, PATIENTLY, startNatsServer } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { BlobReferences } from '../../src/reading/blob-references.ts'
import { PieceSweep } from '../../src/sweep/piece-sweep.ts'
import { sweepEvents } from '../../src/sweep/sweep-events.ts'
import { openStorage, startClient } from '../harness.ts'
import { hash, type Pieces, piecesOf, storePieces, textsIn } from '../pieces.ts'
import {
  compositionOf,
  gone,
  HOUR_MS,
  loggerTo,
  nameInRecords,
  OFTEN,
  openAged,
  swept,
  watch,
} from './support.ts'

const [SHARED, FIRST, SECOND] = [
  'type Shared { a: Int }\n',
  'type First { a: Int }\n',
  'type Second { a: Int }\n',
]
const ONE = piecesOf(SHARED, FIRST)
const OTHER = piecesOf(SHARED, SECOND)

/** A sweep that runs when the test says so. Its clocks stand still. */
function sweepOf(pieces: BlobStore, { namesNothing = false } = {}) {
  const references = new BlobReferences()
  const add = (record: CompositionRecord) => references.addCompositionRecord(record)
  if (!namesNothing) add(compositionOf({ artifact: hash('another artifact') }))
  const lines: unknown[] = []
  const clock = { unix: 0, monotonic: 0 }
  const began = Date.now()
  const sweep = new PieceSweep(pieces, {
    references,
    folds: [{ stopReason: null, everythingCaughtUp: async () => {} }],
    events: sweepEvents(loggerTo(lines)),
    now: () => began + clock.unix,
    monotonicNow: () => clock.monotonic,
  })
  return {
    clock,
    run: () => sweep.run(new AbortController().signal),
    name: ({ list }: Pick<Pieces, 'list'>) =>
      add(compositionOf({ artifact: hash('its artifact'), pieces: list })),
    pass(hours: number): void {
      clock.unix += hours * HOUR_MS
      clock.monotonic += hours * HOUR_MS
    },
    removed: () => swept(lines).map(({ sha256 }) => sha256),
  }
}

/** As if there were no bucket. */
const NO_STORE: BlobStore = {
  put: () => Promise.reject(new BlobStoreUnavailableError('there is none')),
  putAll: () => Promise.reject(new BlobStoreUnavailableError('there is none')),
  get: () => Promise.reject(new BlobStoreUnavailableError('there is none')),
  has: async () => false,
  async *list() {},
  delete: async () => false,
  async [Symbol.asyncDispose]() {},
}

const textsOf = (...pieces: readonly Pieces[]) =>
  [...new Set(pieces.flatMap(({ chunks, listText }) => [...chunks, listText]))].toSorted()

describe('a list that no record names', () => {
  it('is removed when it is older than a day, and its chunks hours after it', async () => {
    await using storage = await openStorage()
    await storePieces(storage.pieces, ONE)
    const sweep = sweepOf(storage.pieces)
    expect(await sweep.run()).toBeNull()
    sweep.pass(25)
    expect(await sweep.run()).toBeNull()
    expect(await textsIn(storage.pieces)).toEqual([...ONE.chunks].toSorted())
    expect(await sweep.run()).toBeNull()
    expect(await textsIn(storage.pieces)).toHaveLength(2)
    sweep.pass(2)
    expect(await sweep.run()).toBeNull()
    expect(await textsIn(storage.pieces)).toEqual([])
    expect(sweep.removed().toSorted()).toEqual(textsOf(ONE).map(hash).toSorted())
  })

  it('stays, whatever clocks say, while this registry has not seen it without a name for two hours', async () => {
    await using storage = await openStorage()
    await storePieces(storage.pieces, ONE)
    const sweep = sweepOf(storage.pieces)
    sweep.clock.unix = 30 * 24 * HOUR_MS
    await sweep.run()
    sweep.clock.monotonic = 2 * HOUR_MS - 1
    await sweep.run()
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
    sweep.clock.monotonic = 2 * HOUR_MS
    await sweep.run()
    expect(sweep.removed()).toEqual([ONE.list])
  })

  it('keeps its chunks while it is young, also those that are older than a day', async () => {
    await using storage = await openAged(
      { pieces: ONE.chunks, hours: 30 },
      { pieces: [ONE.listText], hours: 1 },
    )
    const sweep = sweepOf(storage.pieces)
    for (let hour = 0; hour < 22; hour += 1) {
      expect(await sweep.run()).toBeNull()
      sweep.pass(1)
    }
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
    sweep.name(ONE)
    for (let day = 0; day < 3; day += 1) {
      sweep.pass(24)
      expect(await sweep.run()).toBeNull()
    }
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
  })

  it('keeps its chunks when its record comes in the middle of the sweep that would remove them', async () => {
    await using storage = await openAged({ pieces: ONE.chunks, hours: 30 })
    let isStored = false
    const sweep = sweepOf({
      ...watch(storage.pieces).store,
      async *list() {
        yield* storage.pieces.list()
        if (isStored) sweep.name(ONE)
      },
    })
    await sweep.run()
    sweep.pass(3)
    await storage.pieces.put(Buffer.from(ONE.listText))
    isStored = true
    await sweep.run()
    sweep.pass(3)
    await sweep.run()
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
  })

  it('stays while the logs name nothing at all, as before a restore', async () => {
    await using storage = await openStorage()
    await storePieces(storage.pieces, ONE)
    const sweep = sweepOf(storage.pieces, { namesNothing: true })
    await sweep.run()
    sweep.pass(48)
    expect(await sweep.run()).toBe('the logs name no blob at all; they may be about to be restored')
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
  })

  it('and is damaged keeps nothing, and is in the way of nothing', async () => {
    await using storage = await openAged(
      { pieces: ONE.chunks, hours: 30 },
      { pieces: [ONE.listText], hours: 30, damaged: '{}' },
    )
    const sweep = sweepOf(storage.pieces)
    expect(await sweep.run()).toBeNull()
    sweep.pass(2)
    expect(await sweep.run()).toBeNull()
    expect(await textsIn(storage.pieces)).toEqual([])
  })

  it('is put again while it is being removed, and stays', async () => {
    await using storage = await openAged({ pieces: textsOf(ONE), hours: 30 })
    let isPutAgain = false
    const watched = watch(storage.pieces, async () => {
      if (isPutAgain) await storePieces(storage.pieces, ONE)
    })
    const sweep = sweepOf(watched.store)
    await sweep.run()
    sweep.pass(3)
    isPutAgain = true
    await sweep.run()
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
  })
})

describe('a list that a record names', () => {
  it('stays with its chunks, also with those that it shares with a list that is removed', async () => {
    await using storage = await openStorage()
    for (const pieces of [ONE, OTHER]) await storePieces(storage.pieces, pieces)
    const sweep = sweepOf(storage.pieces)
    sweep.name(ONE)
    for (let times = 0; times < 4; times += 1) {
      expect(await sweep.run()).toBeNull()
      sweep.pass(25)
    }
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
    expect(sweep.removed()).toEqual([OTHER.list, hash(SECOND)])
  })

  it('is read once, and so is what has no name', async () => {
    await using storage = await openStorage()
    for (const pieces of [ONE, OTHER]) await storePieces(storage.pieces, pieces)
    const watched = watch(storage.pieces)
    const sweep = sweepOf(watched.store)
    sweep.name(ONE)
    for (let times = 0; times < 3; times += 1) await sweep.run()
    expect(watched.read.toSorted()).toEqual([ONE.list, OTHER.list, hash(SECOND)].toSorted())
    sweep.name(OTHER)
    for (let times = 0; times < 3; times += 1) await sweep.run()
    expect(watched.read.slice(3)).toEqual([OTHER.list])
  })

  it.each([
    ['damaged', [{ pieces: [ONE.listText], hours: 30, damaged: '{}' }], ONE.list, 'was damaged in the store'],
    ['no list', [{ pieces: ['scalar Any'], hours: 30 }], hash('scalar Any'), 'It is no JSON.'],
    [
      'too new',
      [{ pieces: ['{"formatVersion":3}'], hours: 30 }],
      hash('{"formatVersion":3}'),
      'no list of chunks',
    ],
  ])('stops the removal of all pieces while it is %s, and is told', async (_, texts, list, reason) => {
    await using storage = await openAged({ pieces: [...ONE.chunks, ...textsOf(OTHER)], hours: 30 }, ...texts)
    const before = await listed(storage.pieces)
    const watched = watch(storage.pieces)
    const sweep = sweepOf(watched.store)
    sweep.name({ list })
    for (let times = 0; times < 5; times += 1) {
      const told = sweep.run()
      await expect(told).rejects.toThrow(`the list ${list} of chunks of an artifact cannot be read`)
      await expect(told).rejects.toThrow(reason)
      sweep.pass(3)
    }
    expect(await listed(storage.pieces)).toEqual(before)
    // What is in the way is looked at first, before the whole store is listed in vain.
    expect(watched.begun()).toBe(1)
  })

  it('was damaged and is put again as it was: then pieces are removed again', async () => {
    await using storage = await openAged(
      { pieces: [...ONE.chunks, ...textsOf(OTHER)], hours: 30 },
      { pieces: [ONE.listText], hours: 30, damaged: '{}' },
    )
    const sweep = sweepOf(storage.pieces)
    sweep.name(ONE)
    await expect(sweep.run()).rejects.toThrow('cannot be read')
    await storage.pieces.delete(ONE.list)
    expect(await sweep.run()).toMatch(/is missing/)
    await storage.pieces.put(Buffer.from(ONE.listText))
    for (let times = 0; times < 4; times += 1) {
      expect(await sweep.run()).toBeNull()
      sweep.pass(2)
    }
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
  })

  it('and is missing stops the removal for two hours, and counts as lost then', async () => {
    await using storage = await openAged({ pieces: [...ONE.chunks, ...textsOf(OTHER)], hours: 30 })
    const sweep = sweepOf(storage.pieces)
    sweep.name(ONE)
    const reason = `the list ${ONE.list.slice(0, 13)}… of chunks of an artifact is missing, and may still appear`
    for (const hours of [0, 1, 0.9]) {
      sweep.pass(hours)
      expect(await sweep.run()).toBe(reason)
    }
    sweep.pass(0.1)
    expect(await sweep.run()).toBeNull()
    expect(await textsIn(storage.pieces)).toEqual([...new Set([...ONE.chunks, ...textsOf(OTHER)])].toSorted())
    for (let times = 0; times < 3; times += 1) {
      sweep.pass(2)
      expect(await sweep.run()).toBeNull()
    }
    expect(await textsIn(storage.pieces)).toEqual([])
  })

  it('was missing for a while keeps its chunks when it was read, also when it is missing again', async () => {
    await using storage = await openAged({ pieces: ONE.chunks, hours: 30 })
    const lagging = { isThere: false }
    const replica: BlobStore = {
      ...watch(storage.pieces).store,
      async *list() {
        for await (const entry of storage.pieces.list())
          if (entry.sha256 !== ONE.list || lagging.isThere) yield entry
      },
    }
    const sweep = sweepOf(replica)
    await storage.pieces.put(Buffer.from(ONE.listText))
    sweep.name(ONE)
    expect(await sweep.run()).toMatch(/is missing/)
    sweep.pass(1.9)
    lagging.isThere = true
    expect(await sweep.run()).toBeNull()
    lagging.isThere = false
    for (let times = 0; times < 4; times += 1) {
      sweep.pass(24)
      expect(await sweep.run()).toBeNull()
    }
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE))
  })

  it('is not missed where there is nothing to remove, as without a bucket', async () => {
    const sweep = sweepOf(NO_STORE)
    sweep.name(ONE)
    expect(await sweep.run()).toBeNull()
  })

  it('cannot be read while the store is away: then nothing is removed', async () => {
    await using storage = await openAged({ pieces: textsOf(ONE, OTHER), hours: 30 })
    const away = new BlobStoreUnavailableError('the test says so')
    const sweep = sweepOf({ ...watch(storage.pieces).store, get: () => Promise.reject(away) })
    sweep.name(ONE)
    for (let times = 0; times < 3; times += 1) {
      await expect(sweep.run()).rejects.toThrow('the test says so')
      sweep.pass(24)
    }
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE, OTHER))
  })
})

describe('a registry', () => {
  const ARTIFACTS = ['the artifact of one', 'the artifact of the other'] as const
  const NAMED = {
    composed: { artifact: hash(ARTIFACTS[0]), pieces: ONE.list },
    errors: hash('errors'),
    served: { artifact: hash(ARTIFACTS[1]), pieces: OTHER.list },
  }
  const ORPHAN = piecesOf('type Orphan { a: Int }\n')

  it('keeps the pieces that compositions and revisions name, and tells what it removes', async () => {
    await using storage = await openAged({ pieces: textsOf(ONE, OTHER, ORPHAN), hours: 25 })
    await nameInRecords(storage.log, NAMED)
    const lines: unknown[] = []
    await using client = await startClient(storage, { ...OFTEN, logger: loggerTo(lines) })
    for (const text of textsOf(ORPHAN)) await gone(storage.pieces, text)
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE, OTHER))
    expect(swept(lines)).toMatchObject([
      { sha256: ORPHAN.list, bytes: ORPHAN.listText.length },
      { sha256: hash(ORPHAN.chunks[0] ?? '') },
    ])
    expect(client.registry.ready()).toEqual({ ok: true })
  })

  it('says once why it removes no pieces, and removes blobs meanwhile', async () => {
    await using storage = await openAged(
      { blobs: ['an orphan'], pieces: textsOf(ORPHAN), hours: 25 },
      { pieces: [ONE.listText], hours: 25, damaged: '{}' },
    )
    await nameInRecords(storage.log, NAMED)
    const watched = watch(storage.blobs)
    const lines: { event: string; msg: string }[] = []
    const more = { ...OFTEN, logger: loggerTo(lines) }
    await using _client = await startClient({ ...storage, blobs: watched.store }, more)
    await gone(storage.blobs, 'an orphan')
    const listedBefore = watched.listed()
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(listedBefore + 5), PATIENTLY)
    const told = lines.filter(({ event }) => event === 'registry.sweep.postponed')
    expect(told.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^unused pieces of artifacts are not removed now: the list .* cannot be read/),
    ])
    for (const text of textsOf(ORPHAN)) expect(await storage.pieces.has(hash(text))).toBe(true)
  })

  it('that knows of no pieces leaves everything that is in use for 48 hours beside one that does', async () => {
    await using storage = await openAged({ blobs: ARTIFACTS, pieces: textsOf(ONE, OTHER, ORPHAN), hours: 0 })
    await nameInRecords(storage.log, NAMED)
    let hours = 0
    const clocks = {
      blobSweepIntervalMs: 20,
      now: () => Date.now() + hours * HOUR_MS,
      monotonicNow: () => hours * HOUR_MS,
    }
    const [earlier, present] = [watch(storage.blobs), watch(storage.pieces)]
    await using _earlier = await startClient({ ...storage, blobs: earlier.store, pieces: NO_STORE }, clocks)
    await using _present = await startClient({ ...storage, pieces: present.store }, clocks)
    for (; hours <= 48; hours += 4) {
      const before = [earlier, present].map(({ listed }) => listed())
      await vi.waitFor(() => {
        for (const [index, { listed }] of [earlier, present].entries())
          expect(listed()).toBeGreaterThan((before[index] ?? 0) + 1)
      }, PATIENTLY)
    }
    for (const artifact of ARTIFACTS) expect(await storage.blobs.has(hash(artifact))).toBe(true)
    expect(await textsIn(storage.pieces)).toEqual(textsOf(ONE, OTHER))
  })

  it.skipIf(!natsServerAvailable())(
    'goes on without the bucket, and sweeps it when it is there',
    async () => {
      await using server = await startNatsServer()
      const access = { url: server.url, owns: LOG_NAMES, ownsBlobs: true }
      await using without = await openNatsStorage({ ...access, name: 'registry' })
      await nameInRecords(without.log, NAMED)
      for (const text of [...ARTIFACTS, 'an orphan']) await without.blobs.put(Buffer.from(text))
      const later = { ...OFTEN, now: () => Date.now() + 25 * HOUR_MS }
      await using client = await startClient(without, later)
      await gone(without.blobs, 'an orphan')
      expect(client.registry.ready()).toEqual({ ok: true })
      await using owner = await openNatsStorage({ ...access, name: 'composer', ownsPieces: true })
      for (const pieces of [ONE, OTHER, ORPHAN]) await storePieces(owner.pieces, pieces)
      for (const text of textsOf(ORPHAN)) await gone(owner.pieces, text)
      expect(await textsIn(owner.pieces)).toEqual(textsOf(ONE, OTHER))
      for (const text of ARTIFACTS) expect(await without.blobs.has(hash(text))).toBe(true)
    },
  )
})

/** The hashes of what is in the store, also of what is damaged. */
async function listed(store: BlobStore): Promise<readonly string[]> {
  const hashes: string[] = []
  for await (const { sha256 } of store.list()) hashes.push(sha256)
  return hashes
}

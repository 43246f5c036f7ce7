/** Artifacts in pieces: what is published with them, and what never depends on them. */
import { BlobCorruptedError, BlobStoreUnavailableError, type BlobStore } from '@switchyard/event-log'
import { ConfigStoreUnavailableError } from '@switchyard/config-store'
import {
  Manifest,
  MAX_CHUNKS,
  MAX_PIECE_LIST_BYTES,
  type RouterHeartbeat,
  routerStatusSubject,
} from '@switchyard/contracts'
import type { PieceList } from '@switchyard/contracts/artifact-pieces'
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConfigDistributionOptions } from '../src/config-distribution.ts'
import {
  completed,
  composed,
  composedInPieces,
  cut,
  type CutArtifact,
  GRAPH,
  hash,
  piecesIn,
  removed,
} from './records.ts'
import { type Bench, intercepted, openBench, recordedLog, servedManifest, unusablePieces } from './setup.ts'

const OFTEN = { repairMs: 20 }
const BASE = cut('base 1', ['type A\n', 'type B\n', 'type C\n'])
/** A flag that shares two chunks with base. */
const FLAG = cut('a 1', ['type A\n', 'type B\n', 'type D\n'])

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench[Symbol.asyncDispose]())

const served = () => servedManifest(bench.store, bench.signingKey)
const stored = async () => (await bench.store.listPieces(GRAPH)).map(({ sha256 }) => sha256).toSorted()

/** Starts a service, and counts how often it has compared log and store, as it does for each repair. */
function startCounting(overrides: Partial<ConfigDistributionOptions> = {}) {
  const counted = { repairs: 0 }
  const store = intercepted(overrides.store ?? bench.store, (method) => {
    if (method === 'getManifest') counted.repairs += 1
  })
  const service = bench.start({ intervals: OFTEN, ...overrides, store })
  return {
    service,
    /** The comparisons so far. */
    get count(): number {
      return counted.repairs
    },
    async repairs(count: number): Promise<void> {
      const before = counted.repairs
      await waitFor(`${count} repairs`, () => counted.repairs >= before + count)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

describe('a composition in pieces', () => {
  it('is published with its pieces, which are there before the commit, and each list after its chunks', async () => {
    await bench.cutArtifacts(BASE, FLAG)
    const written: string[] = []
    const store = intercepted(bench.store, (method, args) => {
      if (method === 'putPieces' && args[1] instanceof Map) written.push(...args[1].keys())
    })
    const log = intercepted(bench.log, (method) => {
      if (method === 'append') written.push('commit')
    })
    await using service = bench.start({ store, log })
    await bench.compose(completed(1, composedInPieces(BASE), { a: composedInPieces(FLAG) }))
    await service.idle()
    const manifest = await served()
    expect(manifest?.base).toEqual({ artifact: hash('base 1'), pieces: hash(BASE.list) })
    expect(manifest?.featureFlags).toEqual({ a: { artifact: hash('a 1'), pieces: hash(FLAG.list) } })
    expect(await unusablePieces(bench.store, manifest ?? { base: null, featureFlags: {} })).toEqual([])
    expect(written.toSorted()).toEqual(
      [...new Set([...piecesIn(BASE), ...piecesIn(FLAG)]), 'commit'].toSorted(),
    )
    expect(written.at(-1)).toBe('commit')
    for (const artifact of [BASE, FLAG]) {
      const chunks = artifact.chunks.map((chunk) => written.indexOf(hash(chunk)))
      expect(written.indexOf(hash(artifact.list))).toBeGreaterThan(Math.max(...chunks))
    }
  })

  it('puts only the chunks that no earlier composition had', async () => {
    const next = cut('base 2', ['type A\n', 'type B2\n', 'type C\n'])
    await bench.cutArtifacts(BASE, next)
    const put: string[] = []
    const store = intercepted(bench.store, (method, args) => {
      if (method === 'putPieces' && args[1] instanceof Map) put.push(...args[1].keys())
    })
    await using service = bench.start({ store })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await service.idle()
    put.length = 0
    await bench.compose(completed(2, composedInPieces(next)))
    await service.idle()
    expect(put).toEqual([hash('type B2\n'), hash(next.list)])
  })

  it('is published as a whole beside others in pieces', async () => {
    await bench.cutArtifacts(BASE)
    await bench.artifacts('a 1')
    await using service = bench.start()
    await bench.compose(completed(1, composedInPieces(BASE), { a: composed('a 1') }))
    await service.idle()
    expect((await served())?.featureFlags).toEqual({ a: { artifact: hash('a 1') } })
    expect(await stored()).toEqual([...piecesIn(BASE)].toSorted())
  })

  it('is put as a whole from its pieces, where the log has it in pieces only', async () => {
    const chunks = ['type A\n', 'type B\n']
    const settings = {
      subgraphs: [{ name: 'a', routingUrl: 'http://a.example/graphql' }],
      compatibilityVersion: 'v0.5',
    }
    const whole = JSON.stringify({ formatVersion: 1, supergraphSdl: chunks.join(''), ...settings })
    const artifact = cut(whole, chunks)
    await bench.cutArtifacts(artifact)
    await bench.blobs.delete(hash(whole))
    await using service = bench.start()
    await bench.compose(completed(1, composedInPieces(artifact)))
    await service.idle()
    // Throws if the whole is not there with its hash.
    expect((await served())?.base).toEqual({ artifact: hash(whole), pieces: hash(artifact.list) })
  })

  it('is read once: repairs read nothing again, and ask the store once for all pieces', async () => {
    await bench.cutArtifacts(BASE, FLAG)
    let reads = 0
    const pieces = intercepted(bench.pieces, () => (reads += 1))
    const renewals: number[] = []
    const store = intercepted(bench.store, (method, args) => {
      if (method === 'renewPieces') renewals.push([...(args[1] as Iterable<string>)].length)
    })
    await using running = startCounting({ pieces, store })
    await bench.compose(completed(1, composedInPieces(BASE), { a: composedInPieces(FLAG) }))
    await running.service.idle()
    const after = { reads, renewals: renewals.length }
    await running.repairs(5)
    expect(reads).toBe(after.reads)
    const all = new Set([...piecesIn(BASE), ...piecesIn(FLAG)]).size
    expect(renewals.length - after.renewals).toBeGreaterThanOrEqual(4)
    expect(new Set(renewals)).toEqual(new Set([all]))
  })
})

describe('the order of publication', () => {
  /** Says that routers of the graph live, each of which reads these forms. */
  function beat(...routers: readonly (readonly number[] | undefined)[]): void {
    for (const [at, formats] of routers.entries()) {
      const heartbeat: RouterHeartbeat = {
        instance: `router-${at}`,
        boot: 'b',
        namespace: GRAPH.namespace,
        graph: GRAPH.graph,
        epoch: 0,
        revision: 0,
        registrySequence: 0,
        flags: [],
        configCreatedAt: null,
        state: 'starting',
        ...(formats === undefined ? {} : { formats: [...formats] }),
      }
      bench.announcer.announce(routerStatusSubject(GRAPH, heartbeat.instance), heartbeat)
    }
  }

  /** The steps of publishing a second base, after these routers were heard. */
  async function stepsAfter(hear: () => void, overrides: Partial<ConfigDistributionOptions> = {}) {
    const next = cut('base 2', ['type A\n', 'type B2\n'])
    await bench.cutArtifacts(BASE, next)
    const steps: string[] = []
    const store = intercepted(bench.store, (method, args) => {
      if (method === 'putArtifact') steps.push('whole')
      if (method === 'putManifest') steps.push('manifest')
      if (method === 'putPieces' && args[1] instanceof Map && args[1].has(hash(next.list)))
        steps.push('pieces')
    })
    await using service = bench.start({ store, intervals: { listenMs: 0 }, ...overrides })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await service.idle()
    hear()
    steps.length = 0
    await bench.compose(completed(2, composedInPieces(next)))
    await service.idle()
    return steps
  }

  it('has the whole before the manifest, where no router is known', async () => {
    const steps = await stepsAfter(() => {})
    expect(steps.slice(0, 2).toSorted()).toEqual(['pieces', 'whole'])
    expect(steps.slice(2)).toEqual(['manifest'])
  })

  it('has the whole last, where all routers read pieces', async () => {
    expect(await stepsAfter(() => beat([1, 2], [1, 2]))).toEqual(['pieces', 'manifest', 'whole'])
  })

  it.each([
    ['one of them does not say what it reads', [[1, 2], undefined]],
    ['one of them reads no pieces', [[1], [1, 2]]],
  ] as const)('has the whole before the manifest, where %s', async (_, routers) => {
    const steps = await stepsAfter(() => beat(...routers))
    expect(steps.slice(2)).toEqual(['manifest'])
  })

  it('has the whole before the manifest, where the pieces cannot be read', async () => {
    const pieces = intercepted(bench.pieces, (method) => {
      if (method === 'get') throw new BlobStoreUnavailableError('away')
    })
    expect(await stepsAfter(() => beat([1, 2]), { pieces })).toEqual(['whole', 'manifest'])
  })

  /** Whether a router could start from the manifest that is in the store: in pieces, or as a whole. */
  async function isServable(): Promise<boolean> {
    const stored = await bench.store.getManifest(GRAPH)
    if (stored === null) return true
    const manifest = Manifest.parse(JSON.parse(Buffer.from(stored.manifest).toString()))
    const inPieces = (await unusablePieces(bench.store, manifest)).length === 0
    return inPieces || (await bench.store.hasArtifact(GRAPH, manifest.base?.artifact ?? ''))
  }

  it('does not trust what it found before, where the store was emptied and cannot be compared', async () => {
    const next = cut('base 2', ['type A\n', 'type B2\n'])
    await bench.cutArtifacts(BASE, next)
    let fails = false
    const servable: boolean[] = []
    const store = intercepted(bench.store, (method) => {
      if (method !== 'renewPieces' || !fails) return
      fails = false
      throw new ConfigStoreUnavailableError('a replica takes over')
    })
    await using service = bench.start({ store, intervals: { listenMs: 0 } })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await service.idle()
    beat([1, 2])
    await bench.compose(completed(2, composedInPieces(next)))
    await service.idle()
    for (const { sha256 } of await bench.store.listPieces(GRAPH))
      await bench.store.deletePiece(GRAPH, sha256, Number.MAX_SAFE_INTEGER)
    for (const { sha256 } of await bench.store.listArtifacts(GRAPH))
      await bench.store.deleteArtifact(GRAPH, sha256)
    fails = true
    await bench.compose(completed(3, composedInPieces(BASE)))
    await waitFor('the next revision', async () => {
      const { version } = (await bench.store.getManifest(GRAPH)) ?? { version: null }
      servable.push((version?.revision ?? 0) < 3 || (await isServable()))
      return version?.revision === 3
    })
    expect(servable).not.toContain(false)
  })

  it('has no manifest without its composition, where it is stopped while pieces are put', async () => {
    const large = cut(
      'base 2',
      Array.from({ length: 60 }, (_, at) => `type Large${at}\n`),
    )
    await bench.cutArtifacts(BASE, large)
    let stop: (() => void) | null = null
    const store = intercepted(bench.store, (method) => {
      if (method === 'putPieces') stop?.()
    })
    {
      const service = bench.start({ store, intervals: { listenMs: 0 } })
      await bench.compose(completed(1, composedInPieces(BASE)))
      await service.idle()
      beat([1, 2])
      const stopped = Promise.withResolvers<void>()
      stop = () => void service[Symbol.asyncDispose]().then(stopped.resolve)
      await bench.compose(completed(2, composedInPieces(large)))
      await stopped.promise
    }
    expect(await isServable()).toBe(true)
    await using next = bench.start()
    await next.idle()
    expect(await unusablePieces(bench.store, (await served()) ?? { base: null, featureFlags: {} })).toEqual(
      [],
    )
    expect((await served())?.revision).toBe(2)
  })

  it('has the whole in the end, where it could not be put at once', async () => {
    await bench.cutArtifacts(BASE)
    let fails = true
    const store = intercepted(bench.store, (method) => {
      if (method === 'putArtifact' && fails) throw new ConfigStoreUnavailableError('away')
    })
    await using service = bench.start({ store, intervals: { listenMs: 0 } })
    await bench.artifacts('nothing')
    fails = false
    await bench.compose(completed(1, composed('nothing')))
    await service.idle()
    beat([1, 2])
    fails = true
    await bench.compose(completed(2, composedInPieces(BASE)))
    await waitFor('the manifest', async () => {
      const stored = await bench.store.getManifest(GRAPH)
      return Buffer.from(stored?.manifest ?? '').includes(hash(BASE.list))
    })
    expect(await bench.store.hasArtifact(GRAPH, hash(BASE.name))).toBe(false)
    fails = false
    await service.idle()
    expect(await bench.store.hasArtifact(GRAPH, hash(BASE.name))).toBe(true)
  })
})

describe('pieces that the config store has lost', () => {
  it('are put again, alone, and told', async () => {
    await bench.cutArtifacts(BASE, FLAG)
    const { logger, lines } = recordedLog()
    await using running = startCounting({ logger })
    await bench.compose(completed(1, composedInPieces(BASE), { a: composedInPieces(FLAG) }))
    await running.service.idle()
    for (const lost of [hash('type B\n'), hash(FLAG.list)]) {
      await bench.store.deletePiece(GRAPH, lost, Date.now() + 60_000)
      await waitFor('the repair', () => bench.store.getPiece(GRAPH, lost))
      await waitFor('the line', () => lines.some(({ artifacts }) => artifacts?.includes(lost)))
    }
    const repaired = lines.filter(({ event }) => event === 'config.artifacts-repaired')
    expect(repaired.map(({ artifacts }) => artifacts)).toEqual([[hash('type B\n')], [hash(FLAG.list)]])
    expect(lines.filter(({ event }) => event === 'config.pieces-left-out')).toEqual([])
  })

  it('are put again by an instance that starts', async () => {
    await bench.cutArtifacts(BASE)
    {
      await using service = bench.start()
      await bench.compose(completed(1, composedInPieces(BASE)))
      await service.idle()
    }
    for (const lost of piecesIn(BASE).slice(1))
      await bench.store.deletePiece(GRAPH, lost, Date.now() + 60_000)
    await using service = bench.start()
    await service.idle()
    expect(await stored()).toEqual([...piecesIn(BASE)].toSorted())
  })

  it('are let go with the graph', async () => {
    await bench.cutArtifacts(BASE)
    let renewals = 0
    const store = intercepted(bench.store, (method) => {
      if (method === 'renewPieces') renewals += 1
    })
    await using running = startCounting({ store })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await running.service.idle()
    await bench.compose(removed(2))
    await running.service.idle()
    const before = renewals
    await running.repairs(3)
    expect(renewals).toBe(before)
    expect(await served()).toMatchObject({ base: null })
  })
})

/** Stores a list whose bytes are not what a composer writes. */
function listOf(name: string, text: string): CutArtifact {
  return { name, chunks: [], list: text }
}

function entries(count: number, bytes: number): PieceList['chunks'] {
  const sha256 = hash('x')
  return Array.from({ length: count }, () => ({ sha256, bytes }))
}

const HOSTILE: readonly (readonly [problem: string, artifact: CutArtifact, said: RegExp])[] = [
  ['is no JSON', listOf('base 1', '{'), /It is no JSON/],
  ['is of another form', listOf('base 1', '{"formatVersion":3}'), /It is no list of chunks/],
  [
    'names a million chunks',
    listOf('base 1', JSON.stringify({ formatVersion: 2, chunks: entries(1_000_000, 1) })),
    new RegExp(`It has 88\\d+ bytes\\. Expected: ${MAX_PIECE_LIST_BYTES} at most`),
  ],
  [
    'names too many chunks in few bytes',
    listOf('base 1', JSON.stringify({ formatVersion: 2, chunks: Array(400_000).fill(1) })),
    new RegExp(`It names 400000 chunks\\. Expected: ${MAX_CHUNKS} at most`),
  ],
  [
    'declares more bytes than an artifact may have',
    cut('base 1', ['x'], { chunks: entries(2, 64 * 1024 * 1024) }),
    /Its chunks have 134217728 bytes together/,
  ],
  [
    'declares fewer bytes than a chunk has',
    cut('base 1', ['type A\n'], { chunks: [{ sha256: hash('type A\n'), bytes: 1 }] }),
    /has 7 bytes, and not 1/,
  ],
  [
    'declares more bytes than a chunk has',
    cut('base 1', ['type A\n'], { chunks: [{ sha256: hash('type A\n'), bytes: 1_000_000 }] }),
    /has 7 bytes, and not 1000000/,
  ],
  [
    'declares two sizes of one chunk',
    cut('base 1', ['type A\n'], { chunks: [7, 8].map((bytes) => ({ sha256: hash('type A\n'), bytes })) }),
    /gives two sizes of the chunk/,
  ],
  ['is that of another artifact', cut('base 1', ['type A\n'], { artifact: hash('other') }), /expected/],
]

describe('a list that cannot be used', () => {
  it.each(HOSTILE)(
    'since it %s: blocks nothing, is told once, and is not read again',
    async (_, bad, said) => {
      const good = cut('a 1', ['type A\n', 'type D\n'])
      await bench.cutArtifacts(bad, good)
      const { logger, lines } = recordedLog()
      let reads = 0
      const pieces = intercepted(bench.pieces, () => (reads += 1))
      await using running = startCounting({ logger, pieces })
      await bench.compose(completed(1, composedInPieces(bad), { a: composedInPieces(good) }))
      await running.service.idle()
      const before = reads
      await running.repairs(4)
      expect(await served()).toMatchObject({ revision: 1, base: { pieces: hash(bad.list) } })
      expect(await stored()).toEqual([...piecesIn(good)].toSorted())
      const told = lines.filter(({ event }) => event === 'config.pieces-left-out')
      expect(told.map(({ pieces: lists, count }) => [lists, count])).toEqual([[[hash(bad.list)], 1]])
      expect(told[0]?.msg).toMatch(said)
      expect(told[0]?.msg.length).toBeLessThan(2000)
      expect(reads).toBe(before)
    },
  )

  it('is put, with its chunks, as soon as the blob store has what was missing', async () => {
    const { list, chunks } = BASE
    await bench.artifacts('base 1', 'base 2')
    const missing = [list, ...chunks]
    const { logger, lines } = recordedLog()
    await using running = startCounting({ logger })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await running.service.idle()
    expect(await served()).toMatchObject({ base: { pieces: hash(list) } })
    for (const text of missing) {
      await running.repairs(2)
      expect(await bench.store.getPiece(GRAPH, hash(list))).toBeNull()
      await bench.pieces.put(new TextEncoder().encode(text))
    }
    await waitFor('the list', () => bench.store.getPiece(GRAPH, hash(list)))
    expect(await stored()).toEqual([...piecesIn(BASE)].toSorted())
    const told = lines.filter(({ event }) => event === 'config.pieces-left-out')
    expect(told.map(({ pieces }) => pieces)).toEqual([[hash(list)]])
    // A piece that was never there is no loss.
    expect(lines.filter(({ event }) => event === 'config.artifacts-repaired')).toEqual([])
  })

  it('costs a publication no time that a missing blob is waited for', async () => {
    await bench.artifacts('base 1')
    await bench.pieces.put(new TextEncoder().encode(BASE.list))
    const asked: string[] = []
    const pieces = intercepted(bench.pieces, (method, [sha256]) => asked.push(`${method} ${String(sha256)}`))
    await using service = bench.start({ pieces })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await service.idle()
    expect(await served()).toMatchObject({ revision: 1 })
    expect(asked.filter((call) => call.startsWith('get '))).toEqual([`get ${hash(BASE.list)}`])
  })

  it('and is damaged in the blob store, is read again when the stored bytes are compared', async () => {
    await bench.cutArtifacts(BASE)
    let damaged = true
    let reads = 0
    const pieces = intercepted(bench.pieces, (method, [sha256]) => {
      if (method !== 'get' || sha256 !== hash('type B\n')) return
      reads += 1
      if (damaged) throw new BlobCorruptedError(hash('type B\n'), 'parts of it are missing')
    })
    await using running = startCounting({ pieces })
    await bench.compose(completed(1, composedInPieces(BASE)))
    await running.service.idle()
    await running.repairs(3)
    expect(reads).toBe(1)
    expect(await stored()).not.toContain(hash(BASE.list))
    await running.service[Symbol.asyncDispose]()
    damaged = false
    await using _next = bench.start({ pieces, intervals: { ...OFTEN, verifyMs: 20 } })
    await waitFor('the list', () => bench.store.getPiece(GRAPH, hash(BASE.list)))
  })

  it('since its own hash is one of its chunks: ends', async () => {
    // No text has its own hash in it, so this takes a store that does not check hashes.
    const name = 'f'.repeat(64)
    const self = cut('base 1', [], { chunks: [{ sha256: name, bytes: 1 }] })
    const bytes = new TextEncoder().encode(self.list)
    const pieces: Pick<BlobStore, 'get' | 'has'> = {
      has: async () => true,
      get: async () => bytes,
    }
    await bench.artifacts('base 1')
    const { logger, lines } = recordedLog()
    await using service = bench.start({ logger, pieces: { ...bench.pieces, ...pieces } })
    await bench.compose(completed(1, { ...composed('base 1'), pieces: name }))
    await service.idle()
    expect(await served()).toMatchObject({ base: { pieces: name } })
    expect(lines.filter(({ event }) => event === 'config.pieces-left-out')).toHaveLength(1)
    expect(await stored()).toEqual([])
  })

  it('keeps no other graph of the fleet from its pieces, nor the flags of its own', async () => {
    const flags = Array.from({ length: 20 }, (_, index) => cut(`f${index}`, ['type A\n', `type F${index}\n`]))
    await bench.cutArtifacts(...flags)
    const missing = flags[7]
    if (missing === undefined) throw new Error('no such flag')
    await bench.pieces.delete(hash('type F7\n'))
    await bench.artifacts('base 1')
    await using service = bench.start()
    const results = Object.fromEntries(flags.map((flag) => [flag.name, composedInPieces(flag)]))
    await bench.compose(completed(1, composed('base 1'), results))
    await service.idle()
    const others = flags.filter((flag) => flag !== missing).flatMap(piecesIn)
    expect(await stored()).toEqual([...new Set(others)].toSorted())
  })
})

describe('a store of pieces that cannot be used', () => {
  it('delays nothing, is told once for all lists, and is asked once in each comparison', async () => {
    await bench.cutArtifacts(BASE, FLAG)
    const { logger, lines } = recordedLog()
    let down = true
    let asked = 0
    const pieces = intercepted(bench.pieces, () => {
      asked += 1
      if (down) throw new BlobStoreUnavailableError('NATS does not permit it')
    })
    await using running = startCounting({ logger, pieces })
    await bench.compose(completed(1, composedInPieces(BASE), { a: composedInPieces(FLAG) }))
    await running.service.idle()
    expect(await served()).toMatchObject({ revision: 1 })
    await running.repairs(3)
    const told = lines.filter(({ event }) => event === 'config.pieces-left-out')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ pieces: [hash(BASE.list), hash(FLAG.list)], count: 2 })
    // The two lists are asked for at once; nothing else is. The first publication compares twice.
    expect(asked).toBeLessThanOrEqual(2 * (running.count + 2))
    down = false
    await waitFor('all pieces', async () => {
      const manifest = await served()
      return manifest !== null && (await unusablePieces(bench.store, manifest)).length === 0
    })
    expect(running.service.ready()).toEqual({ ok: true })
  })

  it('and does not answer, holds up one publication for two seconds, and no other', async () => {
    const more = Array.from({ length: 10 }, (_, index) => cut(`base ${index + 2}`, ['type A\n']))
    await bench.cutArtifacts(BASE, ...more)
    const answer = Promise.withResolvers<void>()
    const pieces = intercepted(bench.pieces, () => answer.promise)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    await using service = bench.start({ pieces })
    const began = performance.now()
    await bench.compose(completed(1, composedInPieces(BASE)))
    await waitFor('the first revision', async () => (await served())?.revision === 1)
    expect(performance.now() - began).toBeGreaterThan(1900)
    for (const [index, artifact] of more.entries()) {
      await bench.compose(completed(index + 2, composedInPieces(artifact)))
      await waitFor('the next revision', async () => (await served())?.revision === index + 2)
    }
    answer.resolve()
    await service.idle()
    expect(timers.mock.calls.filter(([, milliseconds]) => milliseconds === 2000)).toHaveLength(1)
    const manifest = await served()
    expect(await unusablePieces(bench.store, manifest ?? { base: null, featureFlags: {} })).toEqual([])
  })
})

/** Who waits for a composition, and how long it is computed for them. */
import type { GraphName } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CompositionClaim, Compositions } from '../src/compositions.ts'
import { KnownResults } from '../src/known-results.ts'
import { CompositionLanes, type LaneEvent } from '../src/lanes/composition-lanes.ts'
import { SdlCache } from '../src/sdl-cache.ts'
import { StoredPieces } from '../src/stored-pieces.ts'
import { type Bench, openBench, telling } from './setup.ts'

const SHOP: GraphName = { namespace: 'one', graph: 'shop' }

let bench: Bench
let lanes: CompositionLanes
let compositions: Compositions
let events: LaneEvent[]

beforeEach(async () => {
  events = []
  bench = await openBench()
  lanes = new CompositionLanes({
    largeThreads: 1,
    cpuBudgetMs: 30_000,
    memoryMb: 512,
    module: new URL('./told-worker.ts', import.meta.url),
  })
  compositions = new Compositions({
    blobs: bench.blobs,
    pieces: new StoredPieces({ pieces: bench.pieces, onFailed: () => {} }),
    whole: { isNeeded: true },
    sdl: new SdlCache(bench.blobs),
    lanes,
    onLaneEvent: (event) => void events.push(event),
    known: new KnownResults(),
  })
})
afterEach(async () => {
  await lanes[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

async function claims(sdl: string): Promise<(graph?: GraphName) => CompositionClaim> {
  const bytes = new TextEncoder().encode(sdl)
  const schema = await bench.blobs.put(bytes)
  const subgraph = { name: 'a', routingUrl: 'http://a.test/', schema, bytes: bytes.length, baseName: null }
  return (graph = SHOP) =>
    compositions.claim({
      graph,
      featureFlag: null,
      subgraphs: [subgraph],
      options: { allowUnenforcedAuthorization: false },
      trusted: new Set(),
    })
}

const starts = (): number => events.filter(({ kind }) => kind === 'started').length

describe('a composition', () => {
  it('goes on as long as anybody claims it, and is computed once for all of them', async () => {
    const claim = await claims(telling('sleep'))
    const first = claim()
    await waitFor('the start', () => starts() === 1)
    const second = claim()
    first.release()

    expect(await second.result).toMatchObject({ status: 'composed' })
    expect(starts()).toBe(1)
    expect(await claim().result).toMatchObject({ status: 'reused' })
    expect(starts()).toBe(1)
  })

  it('ends when nobody does, and begins anew for whoever claims it then', async () => {
    const claim = await claims(telling('sleep'))
    const first = claim()
    await waitFor('the start', () => starts() === 1)
    first.release()
    const second = claim()

    await expect(first.result).rejects.toMatchObject({ code: 'COMPOSITION_SUPERSEDED' })
    expect(await second.result).toMatchObject({ status: 'composed' })
    expect(starts()).toBe(2)
  })

  it('waits in the line of its own namespace, though another one composes the same', async () => {
    const claim = await claims(telling('sleep'))
    const own = claim()
    const other = claim({ namespace: 'two', graph: 'shop' })

    expect(await other.result).toMatchObject({ status: 'composed' })
    expect(await own.result).toMatchObject({ status: 'composed' })
    const started = events.filter(({ kind }) => kind === 'started')
    expect(started.map(({ namespace }) => namespace)).toEqual(['one', 'two'])
  })
})

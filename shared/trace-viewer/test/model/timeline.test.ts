import { parseTrace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { timelineRows } from '../../src/model/rows.ts'
import { timelineOf } from '../../src/model/timeline.ts'
import { totalsOf } from '../../src/model/totals.ts'
import { buildTrace } from '../fixtures/build-trace.ts'
import * as shop from '../fixtures/shop.ts'

const MS = 1_000_000

describe('the traces of these tests', () => {
  it.each([
    ['plain', shop.plainShop()],
    ['another', shop.otherShop()],
    ['deferred', shop.deferredShop()],
    ['first part', shop.firstPartOfShop()],
    ['troubled', shop.troubledShop()],
    ['invalid', shop.invalidOperation()],
    ['predictable', shop.predictableShop()],
    ['excluded', shop.excludedShop()],
    ['hostile', shop.hostileShop()],
    ['huge', shop.hugeShop()],
  ])('have the form of a trace: %s', (_, trace) => {
    const written: unknown = JSON.parse(JSON.stringify(trace))
    expect(parseTrace(written)).toEqual(written)
  })
})

describe('a timeline', () => {
  it('has a lane for the router, for the first part, and for each deferred fragment', () => {
    const { lanes } = timelineOf(shop.deferredShop())
    expect(lanes.map(({ title, rows }) => [title, rows.length])).toEqual([
      ['Router', 4],
      ['First part', 5],
      ['Deferred 1 "delivery"', 1],
      ['Deferred 2 "related"', 2],
    ])
  })

  it('numbers the lane of a deferred fragment that has no label', () => {
    const written = JSON.stringify(shop.deferredShop()).replace(',"defer_label":"delivery"', '')
    const { lanes } = timelineOf(parseTrace(JSON.parse(written)))
    expect(lanes.map(({ title }) => title).slice(2)).toEqual(['Deferred 1', 'Deferred 2 "related"'])
  })

  it('calls its fetches fetches when nothing is deferred', () => {
    expect(timelineOf(shop.plainShop()).lanes.map(({ title }) => title)).toEqual(['Router', 'Fetches'])
  })

  it('says what went wrong, was shared, was skipped and is still to come', () => {
    const rows = timelineOf(shop.troubledShop()).fetches
    expect(rows.map(({ fetch, state, problem }) => [fetch.source_name, state, problem])).toEqual([
      ['products', 'loaded', null],
      ['accounts', 'loaded', 'HTTP 500'],
      ['reviews', 'loaded', 'SUBGRAPH_TIMEOUT'],
      ['inventory', 'loaded', '1 GraphQL error'],
      ['prices', 'loaded', null],
      ['recommendations', 'shared', null],
      ['accounts', 'skipped', null],
    ])
    const later = timelineOf(shop.firstPartOfShop()).fetches.filter(({ state }) => state === 'not-loaded')
    expect(later.map(({ fetch, span }) => [fetch.defer_id, span])).toEqual([
      ['1', null],
      ['2', null],
      ['2', null],
    ])
  })

  it('shows steps instead of constant times, in the order in which fetches wait for each other', () => {
    const { axis, end, phases, fetches } = timelineOf(shop.predictableShop())
    expect({ axis, end }).toEqual({ axis: 'order', end: 7 })
    expect(phases.map(({ span }) => span.start)).toEqual([0, 1, 2, 3])
    expect(fetches.map(({ span }) => span?.start)).toEqual([4, 4, 5, 5, 6, 5, 5, 6])
  })

  it('shows steps where times are left out, and claims nothing of what became of the fetches', () => {
    const timeline = timelineOf(shop.excludedShop())
    expect(timeline.axis).toBe('order')
    expect(new Set(timeline.fetches.map(({ state }) => state))).toEqual(new Set(['unrecorded']))
    expect(totalsOf(timeline)).toMatchObject({ total: null, requests: 0, unrecorded: 5, bytes: null })
  })

  it('shows the phases of a request that had no plan', () => {
    const timeline = timelineOf(shop.invalidOperation())
    expect(timeline).toMatchObject({ axis: 'time', fetches: [] })
    expect(timeline.phases.map(({ name }) => name)).toEqual(['parse', 'normalize', 'validate'])
  })

  it('is empty, and no more, for a trace with nothing in it', () => {
    const timeline = timelineOf(buildTrace({ phases: [], waves: [] }))
    expect(timeline).toMatchObject({ lanes: [], end: 0 })
    expect(timelineRows(timeline)).toEqual([])
  })
})

describe('a trace of somebody hostile', () => {
  it('is read however many fetches it has, and however many each waits for', () => {
    const first = { source: 'a', at: 0, took: 1 }
    const many = Array<number>(300_000).fill(0)
    const skipped = { source: 'b', dependsOn: many, trace: { load_skipped: true } }
    const trace = buildTrace({
      waves: [[first], [skipped], [{ source: 'c', at: 1, took: 1, dependsOn: [1] }]],
    })
    const children = Array<(typeof trace.fetches.children)[number]>(300_000).fill(
      trace.fetches.children[0] as never,
    )
    expect(timelineOf(trace).fetches.map(({ critical }) => critical)).toEqual([true, false, true])
    expect(timelineOf({ ...trace, fetches: { kind: 'Sequence', children } }).fetches).toHaveLength(300_000)
  })
})

describe('the critical path', () => {
  const criticalOf = (waves: Parameters<typeof buildTrace>[0]['waves']) =>
    timelineOf(buildTrace({ waves })).fetches.flatMap(({ critical, number }) => (critical ? [number] : []))

  it('leads from the fetch that ended last to those it waited for longest', () => {
    expect(timelineOf(shop.plainShop()).fetches.map(({ critical }) => critical)).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
  })

  it('takes the one that ended later of two that were waited for', () => {
    const waves = [
      [
        { source: 'a', at: 0, took: 10 },
        { source: 'b', at: 0, took: 12 },
      ],
      [{ source: 'c', dependsOn: [0, 1], at: 12, took: 3 }],
    ]
    expect(criticalOf(waves)).toEqual([1, 2])
  })

  it('passes by what was skipped', () => {
    const waves = [
      [{ source: 'a', at: 0, took: 10 }],
      [{ source: 'b', dependsOn: [0], trace: { load_skipped: true } }],
      [{ source: 'c', dependsOn: [1], at: 10, took: 3 }],
    ]
    expect(criticalOf(waves)).toEqual([0, 2])
  })

  it('is not led astray by a fetch that nothing waited for', () => {
    const waves = [
      [
        { source: 'a', at: 0, took: 10 },
        { source: 'slow', at: 0, took: 14 },
      ],
      [{ source: 'c', dependsOn: [0], at: 10, took: 9 }],
    ]
    expect(criticalOf(waves)).toEqual([0, 2])
  })
})

describe('the totals', () => {
  it('count time in subgraphs once where fetches run at the same time', () => {
    const waves = [
      [
        { source: 'a', at: 2, took: 10 },
        { source: 'b', at: 4, took: 10 },
      ],
      [{ source: 'c', dependsOn: [0], at: 20, took: 5 }],
    ]
    expect(totalsOf(timelineOf(buildTrace({ waves })))).toMatchObject({
      total: 25 * MS,
      inSubgraphs: 17 * MS,
      inRouter: 8 * MS,
      requests: 3,
    })
  })

  it('count bytes and requests of what was really asked', () => {
    const totals = totalsOf(timelineOf(shop.troubledShop()))
    expect(totals).toMatchObject({ fetches: 7, requests: 5, failed: 3, shared: 1, skipped: 1, truncated: 2 })
  })
})

import type { Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { comparisonInsights } from '../../src/model/comparison-insights.ts'
import { compare } from '../../src/model/comparison.ts'
import { insightsOf } from '../../src/model/insights.ts'
import { timelineOf } from '../../src/model/timeline.ts'
import { totalsOf } from '../../src/model/totals.ts'
import { buildTrace, type FetchFacts } from '../fixtures/build-trace.ts'
import * as shop from '../fixtures/shop.ts'

function sentences(trace: Trace): readonly string[] {
  const timeline = timelineOf(trace)
  return insightsOf(timeline, totalsOf(timeline)).map(({ text }) => text)
}

function differences(a: Trace, b: Trace): readonly string[] {
  return comparisonInsights(compare(timelineOf(a), timelineOf(b))).map(({ text }) => text)
}

describe('what is said about a trace', () => {
  it('names the subgraph that took the time, and what it waited for', () => {
    expect(sentences(shop.plainShop())).toEqual([
      '68 % of the time went into subgraph reviews, which waited for products.',
      '3 fetches had to run one after the other: products → reviews → accounts.',
      '12 ms of reviews at products.@ went into opening a new connection.',
    ])
  })

  it('says of a deferred response what the first part waited for, too', () => {
    expect(sentences(shop.deferredShop())).toEqual([
      '83 % of the time went into subgraph shipping, which waited for products.',
      '68 % of the time until the first part went into subgraph reviews, which waited for products.',
      'The fetches were done for the first part after 109 ms, deferred 1 "delivery" after 142 ms and deferred 2 "related" after 78 ms.',
    ])
  })

  it('begins with what failed, and quotes why', () => {
    expect(sentences(shop.troubledShop()).slice(0, 3)).toEqual([
      'accounts failed: HTTP 500.',
      'reviews at products.@ failed: SUBGRAPH_TIMEOUT: “Subgraph "reviews" did not answer within 2000 ms”.',
      'inventory at products.@ answered with 1 GraphQL error: “warehouse closed”.',
    ])
  })

  it('says what was shared, skipped and too large', () => {
    expect(sentences(shop.troubledShop())).toEqual(
      expect.arrayContaining([
        '1 fetch got its answer from an equal request.',
        '1 fetch was skipped: it had nothing to ask for.',
        '2 payloads were left out to keep the trace small.',
      ]),
    )
  })

  it('says that deferred fetches are still to come', () => {
    expect(sentences(shop.firstPartOfShop())).toContain(
      '3 fetches were not loaded yet when this trace was taken. The last part of the response has the complete trace.',
    )
  })

  it('says why there are no fetches', () => {
    expect(sentences(shop.invalidOperation())).toContainEqual(
      expect.stringContaining('No subgraph was asked'),
    )
    expect(sentences(buildTrace({ waves: [] }))).toContain('No subgraph was asked: the plan has no fetches.')
  })

  it('names a phase of the router that took long', () => {
    const trace = buildTrace({ phases: [100, 100, 100, 9_000], waves: [[{ source: 'a', at: 10, took: 5 }]] })
    expect(sentences(trace)).toContain(
      "60 % of the time went into the router's phase plan: the plan was not in the cache, or is expensive to find.",
    )
  })

  it('makes no claim about times that are constant or left out', () => {
    expect(sentences(shop.predictableShop())).toEqual([
      'Timings are constant (enable_predictable_debug_timings): bars show the order, not time.',
    ])
    expect(sentences(shop.excludedShop())).toEqual([
      'The times of the fetches are left out of this trace: bars show the order, not time.',
    ])
  })
})

const flagWait = (milliseconds: number) => ({
  for: 'flag' as const,
  duration_nanoseconds: milliseconds * 1e6,
  duration_pretty: `${milliseconds}ms`,
  duration_since_start_nanoseconds: 1e6,
  duration_since_start_pretty: '1ms',
})

/** A request that waited so many milliseconds for its flag, and whose call of payments took so many. */
function paid(payments: number, wait: number): Trace {
  const trace = buildTrace({ waves: [[{ source: 'payments', at: wait + 10, took: payments }]] })
  return wait === 0 ? trace : { ...trace, info: { ...trace.info, waits: [flagWait(wait)] } }
}

describe('a wait for a flag', () => {
  it('is a row of the router, and what took the time', () => {
    const trace = buildTrace({ waves: [[{ source: 'payments', at: 1200, took: 20 }]] })
    const waited = { ...trace, info: { ...trace.info, waits: [flagWait(1000), flagWait(100)] } }
    const [row] = timelineOf(waited).phases
    expect([row?.name, row?.stats.duration_nanoseconds]).toEqual(['wait for the flag', 1.1e9])
    expect(sentences(waited)).toContainEqual(expect.stringContaining('went into the wait for the flag.'))
  })

  it('is the largest change where it is, and not a fetch that became faster meanwhile', () => {
    const [before, after] = [paid(200, 0), paid(22, 1120)]
    expect(differences(before, after)).toContain(
      'The largest change: wait for the flag in the router, +1.12 s.',
    )
    expect(differences(after, before)).toContain(
      'The largest change: wait for the flag in the router, −1.12 s.',
    )
  })
})

/** A trace of fetches of one subgraph. */
function planned(fetches: readonly Omit<FetchFacts, 'source'>[]): Trace {
  return buildTrace({ waves: [fetches.map((fetch) => ({ source: 'a', at: 0, took: 1, ...fetch }))] })
}

describe('two traces', () => {
  it('name the router where it took longer, without a phase that says why', () => {
    const [a, b] = [10, 500].map((at) =>
      buildTrace({ waves: [[{ source: 'payments', at, took: 20 - at / 100 }]] }),
    )
    if (a === undefined || b === undefined) throw new Error('no trace')
    expect(differences(a, b)).toContain('The largest change: in the router, +490 ms.')
  })

  it('are compared in time, number and result', () => {
    expect(differences(shop.plainShop(), shop.otherShop())).toEqual([
      'B took 38.6 ms (35 %) less than A.',
      'The largest change: reviews at products.@, −36 ms.',
      'Faster in B by 1 ms or more: accounts and reviews at products.@.',
      '1 fetch is only in B.',
      'inventory at products.@ answered differently.',
    ])
  })

  it('stand side by side by subgraph and path, in the order of both', () => {
    const { fetches } = compare(timelineOf(shop.plainShop()), timelineOf(shop.otherShop()))
    expect(fetches.map(({ a, b }) => [a?.fetch.source_name ?? null, b?.fetch.source_name ?? null])).toEqual([
      ['products', 'products'],
      ['accounts', 'accounts'],
      ['reviews', 'reviews'],
      ['inventory', 'inventory'],
      [null, 'prices'],
      ['accounts', 'accounts'],
    ])
  })

  it('have the second of two equal fetches beside the second', () => {
    const twice = buildTrace({
      waves: [
        [
          { source: 'a', at: 0, took: 1 },
          { source: 'a', at: 0, took: 2 },
        ],
      ],
    })
    const once = buildTrace({ waves: [[{ source: 'a', at: 0, took: 1 }]] })
    const { fetches } = compare(timelineOf(once), timelineOf(twice))
    expect(fetches.map(({ a, b }) => [a?.number ?? null, b?.number ?? null])).toEqual([
      [0, 0],
      [null, 1],
    ])
  })

  it('have fetches side by side that ask for the same at another place', () => {
    const [a, b] = [
      planned([{ path: 'products.@', query: '{name}' }]),
      planned([{ path: 'all.@', query: '{name}' }]),
    ]
    const { fetches } = compare(timelineOf(a), timelineOf(b))
    expect(fetches.map((pair) => pair.plan)).toEqual(['other-path'])
    expect(differences(a, b)).toContain('a at products.@ asked for the same at another place in B.')
  })

  it('prefer the same selection to the same place', () => {
    const a = planned([
      { path: 'x', query: '{one}' },
      { path: 'y', query: '{two}' },
      { path: 'z', query: '{three}' },
    ])
    const b = planned([
      { path: 'x', query: '{two}' },
      { path: 'y', query: '{one}' },
      { path: 'z', query: '{four}' },
    ])
    const { fetches } = compare(timelineOf(a), timelineOf(b))
    expect(fetches.map((pair) => [pair.a?.fetch.path, pair.b?.fetch.path, pair.plan])).toEqual([
      ['x', 'y', 'other-path'],
      ['y', 'x', 'other-path'],
      ['z', 'z', 'other-selection'],
    ])
    expect(differences(a, b)).toContain('a at z asked for something else in B.')
  })

  it('leave open whether selections are the same that a trace does not tell', () => {
    const told = planned([{ path: 'x', query: '{one}' }])
    const untold = planned([{ path: 'x', trace: { input: { truncated: 9 } } }])
    const { fetches } = compare(timelineOf(told), timelineOf(untold))
    expect(fetches.map((pair) => pair.plan)).toEqual(['unknown'])
  })

  it('name the compositions that answered, if they differ', () => {
    const a = buildTrace({ waves: [] })
    const composition = { ...a.composition, feature_flag: 'prices', revision: 43, artifact: '0'.repeat(64) }
    expect(differences(a, { ...a, composition })).toContain(
      'Different compositions answered: the base graph of revision 42, then flag prices of revision 43.',
    )
  })

  it('say whether the clients were answered the same, where both files tell it', () => {
    const timeline = timelineOf(buildTrace({ waves: [] }))
    const said = (a: unknown, b: unknown) =>
      comparisonInsights(compare(timeline, timeline, { a, b })).map(({ text }) => text)
    expect(said({ data: { n: 1 } }, { data: { n: 1 } })).toContain('The clients were answered the same.')
    expect(said({ data: { n: 1 } }, { data: { n: 2 } })).toContain(
      'The clients were answered differently, first at data.n.',
    )
    expect(said({ data: null }, undefined)).not.toContainEqual(expect.stringContaining('clients'))
  })

  it('with answers too large to be compared in one go do not claim that they are the same', () => {
    const timeline = timelineOf(buildTrace({ waves: [] }))
    const large = () => ({ data: Array.from({ length: 300_000 }, () => 1) })
    expect(compare(timeline, timeline, { a: large(), b: large() }).answer).toEqual({ kind: 'unknown' })
  })

  it('that are equal are said to be', () => {
    expect(differences(shop.plainShop(), shop.plainShop())).toEqual([
      'B took as long as A.',
      'All answers of subgraphs that can be compared are the same.',
    ])
  })

  it('say where two answers differ', () => {
    const { fetches } = compare(timelineOf(shop.plainShop()), timelineOf(shop.otherShop()))
    expect(fetches[3]?.result).toEqual({
      kind: 'different',
      differences: [{ path: 'body.data._entities.1.inStock', a: 'false', b: 'true' }],
    })
  })

  it('are not compared in time where one has none', () => {
    expect(differences(shop.plainShop(), shop.predictable(shop.plainShop()))[0]).toBe(
      'One of the traces has no real times: bars show the order, and times are not compared.',
    )
  })
})

import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Figures, FiguresCounter, MAX_FIGURES_BYTES, RouterFigures } from '../src/index.ts'
import { counted, messageOf, requestOf } from './random-figures.ts'

const run = new RandomRun(import.meta.url, 200)

const ok = { error: null, milliseconds: 12, operation: 'Products' }
const failed = { error: 'SUBGRAPH_TIMEOUT', milliseconds: 3000, operation: 'Products' }

describe('figures', () => {
  it('tell requests, errors, codes, clusters, latencies and operations of both groups', () => {
    const counter = new FiguresCounter()
    counter.count('inside', 5, failed)
    counter.count('inside', 5, ok)
    counter.count('control', 63, { ...ok, operation: null })
    const { inside, control, operations } = counter.figures()
    expect(inside).toMatchObject({ requests: 2, errors: 1, codes: [['SUBGRAPH_TIMEOUT', 1]] })
    expect(inside.clusterRequests[5]).toBe(2)
    expect(inside.clusterErrors[5]).toBe(1)
    expect(inside.clusterSlow[5]).toEqual([2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1])
    expect(inside.latency.map(([, count]) => count)).toEqual([1, 1])
    expect(control).toMatchObject({ requests: 1, errors: 0, codes: [] })
    expect(operations).toEqual([{ name: 'Products', inside: [2, 1], control: [0, 0] }])
  })

  it('are accepted by their schema whatever was counted', () => {
    fc.assert(
      fc.property(fc.array(requestOf, { maxLength: 300 }), (requests) => {
        const message = messageOf(counted(requests))
        expect(RouterFigures.parse(JSON.parse(JSON.stringify(message)))).toEqual(message)
      }),
      run.parameters,
    )
  })

  it('stay consistent whatever clients name their operations, and however long a request took', () => {
    const name = fc.option(
      fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom('__proto__', 'constructor', '')),
    )
    const milliseconds = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, -1, Number.POSITIVE_INFINITY))
    const hostile = fc.record({ error: name, operation: name, milliseconds })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), hostile), { maxLength: 300 }), (requests) => {
        const counter = new FiguresCounter()
        for (const [cluster, request] of requests) counter.count('inside', cluster, request)
        const figures = counter.figures()
        expect(Figures.safeParse(figures).error).toBeUndefined()
        expect(figures.inside.requests).toBe(requests.length)
      }),
      run.parameters,
    )
  })

  it('keep the frequent operations while others make up a new name for every request', () => {
    const counter = new FiguresCounter()
    for (let request = 0; request < 100_000; request += 1) {
      counter.count('inside', request, {
        ...ok,
        operation: request % 20 === 0 ? 'Products' : `Flood${request}`,
      })
    }
    const { operations, inside } = counter.figures()
    expect(inside.requests).toBe(100_000)
    expect(operations[0]).toEqual({ name: 'Products', inside: [5000, 0], control: [0, 0] })
    expect(operations.length).toBe(20)
  })

  it('are at most 32 KiB long, even just before a group is full', () => {
    const clusters = Array.from({ length: 64 }, () => 15_624_984)
    const requests = 15_624_984 * 64
    const rest = requests - 289 * 3_448_000
    const group = {
      requests,
      errors: requests,
      codes: Array.from({ length: 20 }, (_, at): [string, number] => [`${at}`.padEnd(64, 'C'), 49_999_948]),
      clusterRequests: clusters,
      clusterErrors: clusters,
      clusterSlow: clusters.map((count) => Array.from({ length: 11 }, () => count)),
      latency: Array.from({ length: 290 }, (_, bucket): [number, number] => [
        bucket,
        bucket === 0 ? rest : 3_448_000,
      ]),
    }
    const operations = Array.from({ length: 20 }, (_, at) => {
      const counts: [number, number] = [49_999_948, 49_999_948]
      return { name: `${at}`.padEnd(64, 'O'), inside: counts, control: counts }
    })
    const message = {
      ...messageOf(
        { inside: group, control: group, operations },
        { instance: 'i'.repeat(200), boot: 'b'.repeat(100), beat: 1e9 },
      ),
      stopped: { requests: 999_999_999, errors: 999_999_999, failedClusters: 64 },
      // The signature, as routers add it.
      sentAt: 1e13,
      mac: 'm'.repeat(43),
    }
    expect(RouterFigures.safeParse(message).error).toBeUndefined()
    expect(JSON.stringify(message).length).toBeGreaterThan(20_000)
    expect(JSON.stringify(message).length).toBeLessThan(MAX_FIGURES_BYTES)
  })

  const figures = counted([
    { ...failed, group: 'inside', cluster: 1 },
    { ...ok, group: 'inside', cluster: 2 },
    { ...ok, group: 'control', cluster: 3 },
  ])
  const { inside } = figures
  it.each([
    ['a negative number', { ...inside, requests: -2 }],
    ['a number that is none', { ...inside, errors: Number.NaN }],
    ['a fraction', { ...inside, errors: 0.5 }],
    ['more than can be counted', { ...inside, requests: 1e9 }],
    ['infinity', { ...inside, requests: Number.POSITIVE_INFINITY }],
    ['more errors than requests', { ...inside, errors: 3 }],
    ['clusters with other totals', { ...inside, clusterRequests: inside.clusterRequests.map(() => 1) }],
    [
      'a cluster with more errors than requests',
      { ...inside, clusterErrors: inside.clusterErrors.toReversed() },
    ],
    ['63 clusters', { ...inside, clusterRequests: inside.clusterRequests.slice(1) }],
    ['more slow requests than requests', { ...inside, clusterSlow: inside.clusterSlow.map(() => [9]) }],
    ['more requests that took longer', { ...inside, clusterSlow: inside.clusterSlow.with(1, [0, 1]) }],
    [
      'a code that is named twice',
      {
        ...inside,
        codes: [
          ['A', 0],
          ['A', 1],
        ],
      },
    ],
    ['codes with more errors', { ...inside, codes: [['A', 2]] }],
    ['a code of control characters', { ...inside, codes: [['\u0007', 1]] }],
    ['buckets in another order', { ...inside, latency: inside.latency.toReversed() }],
    ['a bucket that is none', { ...inside, latency: [[290, 2]] }],
    ['buckets of other requests', { ...inside, latency: [[3, 1]] }],
  ])('are refused with %s', (_what, group) => {
    expect(Figures.safeParse({ ...figures, inside: group }).success).toBe(false)
  })

  it('are refused where operations have more than their group, or are named twice', () => {
    const operation = { name: 'A', inside: [3, 0], control: [0, 0] }
    const small = { ...operation, inside: [1, 0] }
    expect(Figures.safeParse({ ...figures, operations: [operation] }).success).toBe(false)
    expect(Figures.safeParse({ ...figures, operations: [small, small] }).success).toBe(false)
    expect(Figures.safeParse({ ...figures, operations: [small] }).success).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import type { ExecuteOptions } from '../../src/execution/contract/options.ts'
import type { ExecutionResult } from '../../src/execution/contract/response.ts'
import type { FetchFunction } from '../../src/execution/contract/subgraph-calls.ts'
import { execute } from '../../src/execution/execute.ts'
import type { Plan } from '../../src/plan/contract/plan.ts'
import {
  entity,
  field,
  inline,
  leaf,
  object,
  plan,
  position,
  rootFetch,
  rootPosition,
} from './support/plans.ts'
import { data } from './support/run.ts'
import { openShop } from './support/shop.ts'

const { graph, type } = openShop()
const QUERY = type('Query')

/** `{ a b }`, each from a call of its own. */
const twoRoots = plan({
  rootType: QUERY,
  fetches: [rootFetch(0), rootFetch(1, { subgraph: 1, parts: [{ kind: 'root', at: 0, slot: 1 }] })],
  positions: [rootPosition(QUERY, 0, 1)],
  shape: object(0, QUERY, [
    field('a', QUERY, leaf()),
    field('b', QUERY, leaf(), { source: { slot: 1, key: 'b' }, fetch: 1 }),
  ]),
})

const later = (action: () => void) => void setImmediate(action)

/** Resolves with the first result, and holds all that were given by then. */
function run(fetch: FetchFunction, options: Partial<ExecuteOptions> = {}, of: Plan = twoRoots) {
  const results: ExecutionResult[] = []
  return new Promise<ExecutionResult[]>((resolve) => {
    let returned = false
    execute(graph, { plan: of, variables: new Map(), fetch, ...options }, (result) => {
      expect(returned).toBe(true)
      results.push(result)
      later(() => resolve(results))
    })
    returned = true
  })
}

const failed = {
  message: 'The call to subgraph "a" could not be made.',
  path: ['a'],
  extensions: { code: 'SUBGRAPH_CALL_FAILED', serviceName: 'a' },
}

describe('a fetch function', () => {
  it('that throws fails its call and nothing else, and what it threw is reported, not shown', async () => {
    const error = new Error('connect to 10.0.0.1')
    const defects: unknown[] = []
    const results = await run(
      ({ fetch }, done) => {
        if (fetch.id === 0) throw error
        later(() => done(data({ b: 'B' })))
      },
      { onDefect: (...defect) => defects.push(defect) },
    )
    expect(results).toEqual([{ data: { a: null, b: 'B' }, errors: [failed] }])
    expect(defects).toEqual([[error, false]])
  })

  it('that always throws still leads to an answer', async () => {
    const results = await run(() => {
      throw new TypeError('no')
    })
    expect(results).toMatchObject([
      { data: { a: null, b: null }, errors: [{ path: ['a'] }, { path: ['b'] }] },
    ])
  })

  it('that answers and then throws has answered', async () => {
    const results = await run(({ fetch }, done) => {
      done(data(fetch.id === 0 ? { a: 'A' } : { b: 'B' }))
      throw new Error('too late')
    })
    expect(results).toEqual([{ data: { a: 'A', b: 'B' }, errors: [] }])
  })

  it('that throws and then answers has failed', async () => {
    const results = await run(({ fetch }, done) => {
      later(() => done(data(fetch.id === 0 ? { a: 'A' } : { b: 'B' })))
      if (fetch.id === 0) throw new Error('no')
    })
    expect(results).toEqual([{ data: { a: null, b: 'B' }, errors: [failed] }])
  })

  it('that answers at once does not bring the result before the execution has begun', async () => {
    const results = await run(({ fetch }, done) => done(data(fetch.id === 0 ? { a: 'A' } : { b: 'B' })))
    expect(results).toEqual([{ data: { a: 'A', b: 'B' }, errors: [] }])
  })

  it.each(['at once', 'later'])('that answers many times, %s, is heard once', async (when) => {
    const results = await run(({ fetch }, done) => {
      const answers = () => {
        for (const value of ['first', 'second', 'third'])
          done(data(fetch.id === 0 ? { a: value } : { b: value }))
        later(() => done(data({ a: 'late', b: 'late' })))
      }
      if (when === 'at once') answers()
      else later(answers)
    })
    expect(results).toEqual([{ data: { a: 'first', b: 'first' }, errors: [] }])
  })
})

describe('an error nobody foresaw', () => {
  /** Reads an object of a position that does not exist. */
  const broken = plan({
    rootType: QUERY,
    fetches: [rootFetch(0)],
    positions: [rootPosition(QUERY, 0), position(1, 7, 'a', QUERY, [inline(0, 'a'), entity(3)])],
    shape: object(0, QUERY, [field('a', QUERY, object(1, QUERY, []))]),
  })

  it('is reported instead of a result, and ends the execution', async () => {
    const results: unknown[] = []
    const [error, isOver] = await new Promise<[unknown, boolean]>((resolve) => {
      const fetch: FetchFunction = (_request, done) => later(() => done(data({ a: {} })))
      const onDefect = (...defect: [unknown, boolean]) => resolve(defect)
      execute(graph, { plan: broken, variables: new Map(), fetch, onDefect }, (result) =>
        results.push(result),
      )
    })
    expect(error).toBeInstanceOf(RangeError)
    expect(isOver).toBe(true)
    expect(results).toEqual([])
  })

  it('of whoever takes the result is reported, too', async () => {
    const thrown = new Error('cannot be written')
    const defect = await new Promise<unknown[]>((resolve) => {
      const fetch: FetchFunction = (_request, done) => later(() => done(data({ a: 'A', b: 'B' })))
      execute(
        graph,
        { plan: twoRoots, variables: new Map(), fetch, onDefect: (...given) => resolve(given) },
        () => {
          throw thrown
        },
      )
    })
    expect(defect).toEqual([thrown, true])
  })
})

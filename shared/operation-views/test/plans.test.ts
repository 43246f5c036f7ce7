/** Plans as traces have them, and their drawings. */
import type { Trace, TraceFetch, TraceNode } from '@switchyard/request-trace'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutPlan, NODE } from '../src/plans/lay-out-plan.ts'
import { planOf, type PlanFetch } from '../src/plans/plan-of-trace.ts'

function node(fetch: Partial<TraceFetch>, trace: Partial<TraceFetch['trace']> = {}): TraceNode {
  return {
    kind: 'Single',
    fetch: {
      kind: 'Single',
      path: '',
      source_id: 'products',
      source_name: 'products',
      ...fetch,
      trace: {
        single_flight_used: false,
        single_flight_shared_response: false,
        load_skipped: false,
        ...trace,
      },
    },
  }
}

describe('the plan of a trace', () => {
  it('says which fetch waited for which, what is deferred, and what became of each', () => {
    const fetches: Trace['fetches'] = {
      kind: 'Sequence',
      children: [
        node({}, { duration_since_start_nanoseconds: 1_000_000, duration_load_nanoseconds: 12_500_000 }),
        node(
          { path: 'products.@', source_name: 'reviews', depends_on: [0, 0, 5] },
          { error: { code: 'X', message: 'no' } },
        ),
        node({ depends_on: [0], defer_id: '1', defer_label: 'slow' }),
        node({}, { load_skipped: true }),
      ],
    }
    expect(planOf({ fetches })).toMatchObject([
      { number: 1, subgraph: 'products', path: 'root', after: [], state: 'done', began: 1, took: 12.5 },
      { number: 2, subgraph: 'reviews', path: 'products.@', after: [1], state: 'failed', took: null },
      { number: 3, deferred: 'slow', after: [1], state: 'not begun' },
      { number: 4, deferred: null, state: 'skipped' },
    ])
  })

  it('is cut where it is very long', () => {
    const children = Array.from({ length: 3_000 }, () => node({}))
    expect(planOf({ fetches: { kind: 'Sequence', children } })).toHaveLength(500)
  })
})

describe('the drawing of a plan', () => {
  const fetchOf = (number: number, after: readonly number[]): PlanFetch => ({
    number,
    after,
    subgraph: 's',
    path: 'root',
    deferred: null,
    state: 'done',
    began: 0,
    took: 1,
  })
  const plans = fc
    .array(fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), { minLength: 1, maxLength: 30 })
    .map((all) =>
      all.map((after, index) =>
        fetchOf(index + 1, [...new Set(after.map((one) => one + 1).filter((one) => one <= index))]),
      ),
    )

  it('has each fetch once, behind those that it waited for, and none above another', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const drawing = layOutPlan(plan)
        expect(drawing?.nodes.map(({ fetch }) => fetch)).toEqual(plan)
        const at = new Map(drawing?.nodes.map((one) => [one.fetch.number, one]))
        for (const { number, after } of plan)
          for (const one of after) expect(at.get(number)?.x).toBeGreaterThan(at.get(one)?.x ?? Infinity)
        for (const one of at.values())
          for (const other of at.values())
            if (one !== other)
              expect(
                Math.abs(one.x - other.x) >= NODE.width || Math.abs(one.y - other.y) >= NODE.height,
              ).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  it('leaves out lines that follow from others', () => {
    const drawing = layOutPlan([fetchOf(1, []), fetchOf(2, [1]), fetchOf(3, [1, 2])])
    expect(drawing?.edges.map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  it('is not made for a plan that is too large', () => {
    const many = Array.from({ length: 61 }, (_, index) => fetchOf(index + 1, []))
    expect(layOutPlan(many)).toBeNull()
  })
})

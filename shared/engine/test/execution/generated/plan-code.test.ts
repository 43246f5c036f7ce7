import { describe, expect, it } from 'vitest'
import { generateCompletion } from '../../../src/execution/generated/completion-code.ts'
import { MAX_CODE, NotGeneratedError, UNUSUAL } from '../../../src/execution/generated/generated-code.ts'
import { codeFor, PlanCode } from '../../../src/execution/generated/plan-code.ts'
import { ResponseStore } from '../../../src/execution/joining/response-store.ts'
import { typeFacts } from '../../../src/execution/joining/type-facts.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'
import type { Plan } from '../../../src/plan/contract/plan.ts'
import { WorkBudget } from '../../../src/work/budget.ts'
import { openShop } from '../support/shop.ts'

const { graph } = openShop()
const planOf = (document: string): Plan => planOperation(prepareOperation(graph, { document }), new Map())
const budgetOf = (steps: number) => new WorkBudget(steps, () => new RangeError('No step is left.'))

function storeWith(plan: Plan, data: Readonly<Record<string, unknown>>): ResponseStore {
  const store = new ResponseStore(plan)
  for (const { id } of plan.fetches) store.settle(id, { data, errors: [], failure: null })
  return store
}

describe('the generated code of a plan', () => {
  it('is made when the plan was interpreted a hundred times', () => {
    const plan = planOf('{ product { name } }')
    for (let count = 0; count < 100; count++) expect(codeFor(graph, plan)).toBeNull()
    expect(codeFor(graph, plan)).toBeInstanceOf(PlanCode)
    expect(codeFor(graph, plan)).toBe(codeFor(graph, plan))
    expect(codeFor(graph, plan, Number.POSITIVE_INFINITY)).toBeNull()
  })

  it('completes what is usual, and counts the steps', () => {
    const plan = planOf('{ products { name } }')
    const code = codeFor(graph, plan, 0)
    const budget = budgetOf(1_000_000)
    const data = { products: [{ name: 'one' }, null, { name: 'a name of more than sixteen characters' }] }
    expect(code?.complete(storeWith(plan, data), budget)).toEqual({ data, weight: 7 })
    expect(budget.spent).toBe(6)
  })

  it('leaves to the interpreter what is not usual', () => {
    const plan = planOf('{ strict { name } }')
    const complete = (value: unknown) =>
      codeFor(graph, plan, 0)?.complete(storeWith(plan, { strict: value }), budgetOf(1_000_000))
    expect(complete([])).not.toBeNull()
    for (const value of [null, undefined, 1, 'text', {}, [null], [[]], [1], [{ name: {} }]])
      expect(complete(value), JSON.stringify(value)).toBeNull()
  })

  it('is not used where errors were reported, or few steps are left', () => {
    const plan = planOf('{ product { name } }')
    const code = codeFor(graph, plan, 0)
    const store = storeWith(plan, { product: null })
    expect(code?.complete(store, budgetOf(1_000_000))).not.toBeNull()
    expect(code?.complete(store, budgetOf(10_000))).toBeNull()
    const error = { message: 'failed', path: null, extensions: {} }
    for (const { id } of plan.fetches) store.settle(id, { data: {}, errors: [error], failure: null })
    expect(code?.complete(store, budgetOf(1_000_000))).toBeNull()
  })

  it('is given up when most answers are unusual', () => {
    const plan = planOf('{ product { name } }')
    const code = codeFor(graph, plan, 0)
    const complete = (product: unknown) =>
      code?.complete(storeWith(plan, { product }), budgetOf(1_000_000)) ?? null
    for (let count = 0; count < 20; count++) {
      expect(complete([])).toBeNull()
      expect(complete({ name: 'one' })).not.toBeNull()
    }
    for (let count = 0; count < 8; count++) expect(complete([])).toBeNull()
    expect(complete({ name: 'one' })).toBeNull()
  })

  it('completes no more in one go than takes about a millisecond', () => {
    const plan = planOf('{ products { name } }')
    const list = (length: number) => ({ products: Array.from({ length }, () => ({ name: 'one' })) })
    const complete = (length: number) =>
      codeFor(graph, plan, 0)?.complete(storeWith(plan, list(length)), budgetOf(100_000_000))
    expect(complete(10_000)).not.toBeNull()
    expect(complete(40_000)).toBeNull()
  })

  it('is not made for plans that would need much of it', () => {
    const fields = Array.from({ length: 900 }, (_, index) => `alias${index}: name`).join(' ')
    const plan = planOf(`{ product { ${fields} } }`)
    expect(() => generateCompletion(plan, typeFacts(graph))).toThrow(NotGeneratedError)
    const code = codeFor(graph, plan, 0)
    expect(code?.complete(storeWith(plan, { product: null }), budgetOf(1_000_000))).toBeNull()
    expect(MAX_CODE).toBeLessThan(100_000)
  })

  it('follows link tables, of which each entry must be met', () => {
    const plan = planOf('{ product { label } }')
    const { run, links, roots } = generateCompletion(plan, typeFacts(graph))
    expect(links).toHaveLength(1)
    const given = [roots.map(() => ({ product: { upc: '1' } })), [[{ label: 'one' }]]] as const
    const completed = { steps: 0, weight: 0 }
    expect(run(...given, [new Int32Array([0])], 1000, completed)).toEqual({ product: { label: 'one' } })
    expect(run(...given, [null], 1000, completed)).toEqual({ product: { label: null } })
    expect(() => run(...given, [new Int32Array([0, 0])], 1000, completed)).toThrow(UNUSUAL)
  })
})

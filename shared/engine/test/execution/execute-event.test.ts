import { describe, expect, it } from 'vitest'
import { executeEvent, sourceRequest } from '../../src/execution/execute-event.ts'
import type { FetchFunction } from '../../src/execution/contract/subgraph-calls.ts'
import type { ExecutionResult } from '../../src/execution/contract/response.ts'
import type { Plan } from '../../src/plan/contract/plan.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'
import { worldOf } from '../plan/support/planned.ts'

const { graph } = worldOf({
  a: `
    type Query { count: Int }
    type Subscription { added(type: String = "all"): Product secret: Int @federation__authenticated }
    type Product @key(fields: "id") { id: ID! name: String! }`,
  b: 'type Product @key(fields: "id") { id: ID! price: Int }',
})

function planned(document: string, raw: Readonly<Record<string, unknown>> = {}) {
  const operation = prepareOperation(graph, { document, subscriptions: true })
  const variables = operation.coerceVariables(raw)
  return { plan: planOperation(operation, variables), variables }
}

function resultOf(
  { plan, variables }: { readonly plan: Plan; readonly variables: ReadonlyMap<string, unknown> },
  event: unknown,
  fetch: FetchFunction,
): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    executeEvent(graph, { plan, variables, fetch, onDefect: reject }, event, resolve)
  })
}

const DOCUMENT = 'subscription ($type: String) { added(type: $type) { name price } }'

describe('the source of a subscription', () => {
  it('is asked for with the variables of its client', () => {
    const { plan, variables } = planned(DOCUMENT, { type: 'tent', other: 1 })
    const source = sourceRequest(graph, plan, variables)
    expect(source?.subgraph).toBe('a')
    expect(JSON.parse(source?.body ?? '')).toEqual({
      query: 'subscription($type:String){added(type:$type){id name}}',
      variables: { type: 'tent' },
    })
  })

  it('is missing where the root field may not be seen, which is the only result then', async () => {
    const secret = planned('subscription { secret }')
    expect(sourceRequest(graph, secret.plan, secret.variables)).toBeNull()
    const result = await resultOf(secret, undefined, () => {
      throw new Error('no call was expected')
    })
    expect(result.data).toEqual({ secret: null })
    expect(result.errors).toMatchObject([{ path: ['secret'] }])
  })
})

describe('an event', () => {
  const event = { data: { added: { name: 'Tent', id: '7' } } }

  it('gets what other subgraphs add to it, and is never changed', async () => {
    const bodies: unknown[] = []
    const frozen = JSON.stringify(event)
    const result = await resultOf(planned(DOCUMENT), event, ({ subgraph, body }, done) => {
      bodies.push([subgraph, (JSON.parse(body) as { variables: unknown }).variables])
      setImmediate(done, { kind: 'answer', status: 200, body: { data: { _entities: [{ price: 9 }] } } })
    })
    expect(result).toEqual({ data: { added: { name: 'Tent', price: 9 } }, errors: [] })
    expect(bodies).toEqual([['b', { r0: [{ __typename: 'Product', id: '7' }] }]])
    expect(JSON.stringify(event)).toBe(frozen)
  })

  it('passes on the errors of its source, and those of what is added', async () => {
    const result = await resultOf(
      planned(DOCUMENT),
      { ...event, errors: [{ message: 'no name today', path: ['added', 'name'] }] },
      (_request, done) =>
        setImmediate(done, { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'too slow' }),
    )
    expect(result.data).toEqual({ added: { name: 'Tent', price: null } })
    expect(result.errors.map(({ message }) => message)).toEqual(['no name today', 'too slow'])
  })

  it.each([
    ['is no object', 'nonsense'],
    ['has no data', {}],
    ['has data of another shape', { data: [1] }],
    ['lacks a non-null field', { data: { added: { id: '7' } } }],
  ])('that %s becomes null with an error', async (_what, nonsense) => {
    const result = await resultOf(planned('subscription { added { name } }'), nonsense, () => {
      throw new Error('no call was expected')
    })
    expect(result.data).toEqual({ added: null })
    expect(result.errors).toHaveLength(1)
    expect(result.errors[0]?.path?.[0]).toBe('added')
  })
})

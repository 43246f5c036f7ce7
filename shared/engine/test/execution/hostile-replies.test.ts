import { executeSync, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { ExecutionResult } from '../../src/execution/contract/response.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { Random } from '@switchyard/samples'
import { HostileSubgraph } from './support/hostile-subgraph.ts'
import { run } from './support/run.ts'
import { openShop } from './support/shop.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const { graph } = openShop()

/** The reference: graphql-js on the API schema, reading what it is given under the client's response keys. */
function reference(query: string, data: unknown) {
  return executeSync({
    schema: graph.apiSchema,
    document: parse(query),
    rootValue: data,
    fieldResolver: (source: Readonly<Record<string, unknown>>, _args, _context, { path }) => source[path.key],
  })
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const pathsOf = (errors: readonly { readonly path?: readonly (string | number)[] | undefined }[]) =>
  errors.map(({ path }) => JSON.stringify(path))

const ONE_SUBGRAPH = [
  '{ product { name id upc maker { name country } } must { upc a: name } }',
  '{ b: products { upc name maker { c: name } } strict { upc name } }',
  '{ grid { upc name maker { name } } scalars { numbers int colour } }',
  '{ s: scalars { string int float boolean id colour json numbers } }',
  '{ nodes { __typename id ... on Product { upc name } ... on Maker { m: name } } node { id __typename } }',
]

const SEVERAL_SUBGRAPHS = [
  '{ product { name price stock label } must { price } }',
  '{ products { price label maker { name } } strict { stock price } }',
  '{ grid { label price name } nodes { __typename ... on Product { price label } } }',
  '{ stats { rows { left right } } again { product { price } stats { rows { right } } } }',
  '{ node { id __typename ... on Product { stock label maker { name } } ... on Maker { country } } }',
]

const RUNS = 200

describe('subgraphs that send wrong values', () => {
  it.each(ONE_SUBGRAPH)('are completed as graphql-js would: %s', async (query) => {
    const operation = prepareOperation(graph, { document: query })
    const plan = planOperation(operation, new Map())
    expect(plan.fetches).toHaveLength(1)
    let errors = 0
    for (let seed = 0; seed < RUNS; seed++) {
      const subgraph = new HostileSubgraph(graph.apiSchema, new Random(seed), { rate: 0.08, kind: 'quiet' })
      let sent: unknown
      const { result } = await run(graph, plan, ({ body }) => {
        sent = subgraph.data(body)
        return { kind: 'answer', status: 200, body: { data: plain(sent) } }
      })
      const expected = reference(query, plain(sent))
      errors += result.errors.length
      expect({ seed, sent, data: result.data }).toEqual({ seed, sent, data: plain(expected.data) })
      expect({ seed, sent, paths: pathsOf(result.errors) }).toEqual({
        seed,
        sent,
        paths: pathsOf(expected.errors ?? []),
      })
    }
    expect(errors).toBeGreaterThan(RUNS / 10)
  })

  it.each([...ONE_SUBGRAPH, ...SEVERAL_SUBGRAPHS])('never break the response: %s', async (query) => {
    const plan = planOperation(prepareOperation(graph, { document: query }), new Map())
    for (let seed = 0; seed < RUNS; seed++) {
      const subgraph = new HostileSubgraph(graph.apiSchema, new Random(seed), { rate: 0.06, kind: 'wild' })
      const { result } = await run(graph, plan, (request) => subgraph.reply(request))
      expectValid(query, seed, result)
    }
  })

  it.each(SEVERAL_SUBGRAPHS)('leave a response without errors when they do not: %s', async (query) => {
    const plan = planOperation(prepareOperation(graph, { document: query }), new Map())
    for (let seed = 0; seed < 50; seed++) {
      const subgraph = new HostileSubgraph(graph.apiSchema, new Random(seed), { rate: 0, kind: 'wild' })
      const { result } = await run(graph, plan, (request) => subgraph.reply(request))
      const mismatches = result.errors.filter(({ extensions }) => extensions?.['code'] !== 'SHAPE_MISMATCH')
      expect(mismatches).toEqual([])
      expectValid(query, seed, result)
    }
  })
})

/** A valid response stays the same, without an error, when it is completed once more. */
function expectValid(query: string, seed: number, { data, errors }: ExecutionResult): void {
  if (data === null) expect({ seed, errors: errors.length }).not.toEqual({ seed, errors: 0 })
  else
    expect({ query, seed, ...plainResult(reference(query, plain(data))) }).toEqual({
      query,
      seed,
      data: plain(data),
      errors: [],
    })
  expect(JSON.stringify({ data, errors })).not.toMatch(/HIDDEN/)
  for (const error of errors) {
    expect(typeof error.message).toBe('string')
    if (error.extensions?.['serviceName'] === undefined && error.extensions?.['code'] === undefined)
      expect({ seed, error, reached: valueAt(data, error.path ?? []) }).toEqual({
        seed,
        error,
        reached: null,
      })
  }
}

const plainResult = ({ data, errors }: ReturnType<typeof reference>) => ({
  data: plain(data),
  errors: (errors ?? []).map(({ message }) => message),
})

/** What an error found wrong must be null in the response, there or somewhere above. */
function valueAt(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data
  for (const segment of path) {
    if (value === null) return null
    if (typeof value !== 'object') return undefined
    value = Object.entries(value).find(([key]) => key === String(segment))?.[1]
  }
  return value
}

import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { prepareOperation } from '../../src/operation/operation.ts'
import { data, run } from '../execution/support/run.ts'
import { openShop } from '../execution/support/shop.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const { graph } = openShop()

async function answer(document: string, raw: Readonly<Record<string, unknown>> = {}) {
  const operation = prepareOperation(graph, { document })
  const variables = operation.coerceVariables(raw)
  return run(graph, planOperation(operation, variables), () => data({ product: { upc: 'u' } }), variables)
}

describe('introspection', () => {
  it('is answered whole, without asking any subgraph', async () => {
    const { result, requests } = await answer(
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
    )
    expect(requests).toEqual([])
    expect(result.errors).toEqual([])
    const text = JSON.stringify(result.data)
    expect(text).not.toMatch(/Secret|HIDDEN|join__|link__|_Any|_Service/)
    const introspection: IntrospectionQuery = JSON.parse(text)
    expect(printSchema(buildClientSchema(introspection))).toBe(printSchema(graph.apiSchema))
  })

  it('stands beside data, at the place where it was selected', async () => {
    const { result } = await answer(
      'query ($n: String!) { a: __typename one: __type(name: $n) { name } product { upc } ...F } fragment F on Query { hidden: __type(name: "Secret") { name } }',
      { n: 'Maker' },
    )
    expect(JSON.stringify(result)).toBe(
      '{"data":{"a":"Query","one":{"name":"Maker"},"product":{"upc":"u"},"hidden":null},"errors":[]}',
    )
  })

  it('follows its variables', async () => {
    const document = 'query ($n: String!) { __type(name: $n) { kind name } }'
    for (const [n, kind] of [
      ['Node', 'INTERFACE'],
      ['Colour', 'ENUM'],
      ['Node', 'INTERFACE'],
    ])
      expect((await answer(document, { n })).result.data).toEqual({ __type: { kind, name: n } })
  })
})

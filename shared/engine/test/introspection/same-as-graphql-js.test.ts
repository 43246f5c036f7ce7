/** Introspection is answered by code of our own; graphql-js answers the same. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { executeSync, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { introspect } from '../../src/introspection/introspect.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { SHOP } from '../execution/support/shop.ts'
import { FIXTURES, readFixture } from '../graph/supergraphs/support/fixtures.ts'
import { RandomIntrospection } from './random-introspection.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const RUN = new RandomRun(import.meta.url, 50, 300)

/** Arguments from contexts are not served. */
const NOT_SERVED = new Set(['context'])

const graphs = new Map([
  ['shop', openGraph(compileSupergraph(SHOP))],
  ...FIXTURES.filter((name) => !NOT_SERVED.has(name)).map(
    (name) => [name, openGraph(compileSupergraph(readFixture(name).supergraphSdl))] as const,
  ),
])

describe('random introspections', () => {
  it(`are answered as graphql-js answers them (seed ${RUN.seed})`, { timeout: RUN.timeout(60_000) }, () => {
    let values = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...graphs.keys()),
        fc.array(fc.nat({ max: 5039 }), { minLength: 5, maxLength: 60, size: 'max' }),
        fc.boolean(),
        (name, numbers, maybe) => {
          const graph = graphs.get(name) ?? expect.fail(name)
          const types = Object.keys(graph.apiSchema.getTypeMap())
          const document = new RandomIntrospection(numbers, [...types, 'Missing']).document()
          const raw = {
            no: false,
            type: types[numbers.length % types.length] ?? '',
            ...(maybe ? { maybe } : {}),
          }
          const operation = prepareOperation(graph, { document, limits: { fields: 1e6, aliases: 1e6 } })
          const variables = operation.coerceVariables(raw)
          const { introspection } = planOperation(operation, variables)
          const expected = executeSync({
            schema: graph.apiSchema,
            document: parse(document),
            variableValues: raw,
          })
          expect(expected.errors).toBeUndefined()
          const actual = introspection === null ? {} : introspect(graph, introspection, variables)
          const text = JSON.stringify(actual)
          values += text.length
          expect(text, `${name}\n${document}`).toBe(JSON.stringify(expected.data))
        },
      ),
      RUN.parameters,
    )
    // Most of them ask for something.
    expect(values).toBeGreaterThan(RUN.runs * 100)
  })
})

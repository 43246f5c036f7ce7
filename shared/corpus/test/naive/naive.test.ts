import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { compileSupergraph, openGraph, planOperation, prepareOperation } from '@switchyard/engine'
import type { Suite, SuiteOperation } from '../../src/harness/suite.ts'
import { supergraphOf } from '../../src/harness/supergraph-of.ts'
import { SUITES } from '../../src/suites/index.ts'
import { naiveRequestCount } from '../../src/naive/naive-planner.ts'

/**
 * Requests of the engine's plan and of a naive one for every operation of the corpus, so that both show up in
 * review. `UPDATE_CALLS=1 vitest run shared/corpus/test/naive` writes it anew.
 */
const TABLE = new URL('../../naive-requests.json', import.meta.url)
const UPDATE = process.env['UPDATE_CALLS'] === '1'

/** `naive` is null where the naive way leads to no answer. */
type Counts = { readonly engine: number; readonly naive: number | null }
type Table = Readonly<Record<string, Readonly<Record<string, Counts>>>>

const known: Table = JSON.parse(readFileSync(TABLE, 'utf8'))
const seen: Record<string, Record<string, Counts>> = {}

afterAll(() => {
  if (!UPDATE) return
  const suites = Object.entries(seen).map(([suite, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, { engine, naive }]) =>
        `    ${JSON.stringify(name)}: { "engine": ${engine}, "naive": ${naive} }`,
    )
    return `  ${JSON.stringify(suite)}: {\n${lines.join(',\n')}\n  }`
  })
  writeFileSync(TABLE, `{\n${suites.join(',\n')}\n}\n`)
})

describe.each(SUITES)('plans for $name', (suite) => {
  it('ask no more often than a naive planner', () => {
    const rows = (seen[suite.name] = countsOf(suite))
    const dearer = Object.entries(rows).filter(([, { engine, naive }]) => naive !== null && engine > naive)
    expect(Object.fromEntries(dearer)).toEqual({})
    if (!UPDATE) expect(rows).toEqual(known[suite.name])
  })
})

describe('the naive planner', () => {
  it('knows a way for nearly every operation of the corpus', () => {
    const rows = SUITES.flatMap((suite) => Object.values(seen[suite.name] ?? countsOf(suite)))
    expect(rows.filter(({ naive }) => naive !== null).length / rows.length).toBeGreaterThan(0.95)
  })
})

function countsOf(suite: Suite): Record<string, Counts> {
  const graph = openGraph(compileSupergraph(supergraphOf(suite)))
  const counts = ({ name, query, operationName, variables, ...given }: SuiteOperation): [string, Counts] => {
    const operation = prepareOperation(graph, { document: query, operationName: operationName ?? null })
    const coerced = operation.coerceVariables({ ...variables })
    const labels = new Set(given.labels)
    const engine = planOperation(operation, coerced, { labels }).fetches.length
    return [name, { engine, naive: naiveRequestCount(graph, operation, coerced, labels) }]
  }
  return Object.fromEntries(suite.operations.map(counts))
}

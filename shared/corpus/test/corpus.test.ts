import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  buildClientSchema,
  findSchemaChanges,
  introspectionFromSchema,
  type IntrospectionQuery,
} from 'graphql'
import { sampled } from '@switchyard/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import type { Plan } from '@switchyard/engine'
import { compareErrors, dataText } from '../src/harness/compare.ts'
import { createMonolith } from '../src/harness/monolith.ts'
import { once } from '../src/harness/once.ts'
import { createEngine, type EngineRun, type SuiteEngine } from '../src/harness/run-engine.ts'
import type { Suite, SuiteOperation } from '../src/harness/suite.ts'
import { SUITES } from '../src/suites/index.ts'
import { TOOL_INTROSPECTION } from '../src/suites/introspection.ts'

/**
 * Requests per subgraph of every operation, so that a plan that gets dearer (or cheaper) shows up in review.
 * `UPDATE_CALLS=1 vitest run shared/corpus` writes it anew.
 */
const CALLS = new URL('../calls.json', import.meta.url)
const UPDATE = process.env['UPDATE_CALLS'] === '1'

/** The plan of every operation, as people read it: one file per suite. `UPDATE_PLANS=1` writes them anew. */
const PLANS = new URL('../plans/', import.meta.url)
const UPDATE_PLANS = process.env['UPDATE_PLANS'] === '1'

type CallTable = Readonly<Record<string, Readonly<Record<string, EngineRun['calls']>>>>

const known: CallTable = readTable()
const seen: Record<string, Record<string, EngineRun['calls']>> = {}

afterAll(() => {
  if (UPDATE) writeFileSync(CALLS, `${JSON.stringify(seen, null, 2)}\n`)
})

/** Suites that are also composed from subgraphs in the opposite order. */
const REVERSED = new Set(sampled(SUITES, 8))

describe.each(SUITES)('$name:', (suite) => {
  const engine = once(() => createEngine(suite))
  const monolith = once(() => createMonolith(suite))
  const reversed = once(() => createEngine(suite, { reversed: true }))

  it.each(suite.operations)('$name', async (operation) => {
    const oracle = await monolith().answer(operation)
    const run = await engine().run(operation)
    recordCalls(suite, operation, run)
    expect(run.complaints).toEqual([])
    expect(dataText(run.result.data, operation)).toBe(dataText(oracle.data, operation))
    expect(compareErrors(operation.errors, oracle, run.result)).toEqual([])
    checkCalls(suite, operation, run)
    expect(JSON.stringify(engine().plan(operation))).toBe(JSON.stringify(run.plan))
    if (REVERSED.has(suite)) expect(requestsOf(reversed().plan(operation))).toEqual(requestsOf(run.plan))
  })

  it('is planned as reviewed', () => {
    const text = suite.operations.map((operation) => planText(engine(), operation)).join('\n')
    const file = new URL(planFile(suite), PLANS)
    if (UPDATE_PLANS) {
      mkdirSync(PLANS, { recursive: true })
      writeFileSync(file, text)
    }
    expect(text).toBe(existsSync(file) ? readFileSync(file, 'utf8') : 'nothing reviewed yet')
  })
})

describe('the reviewed plans', () => {
  it('are those of the suites there are', () => {
    expect(readdirSync(PLANS).sort()).toEqual(SUITES.map(planFile).sort())
  })
})

describe('the table of calls', () => {
  it.skipIf(UPDATE)('holds the operations there are, and no others', () => {
    const named = SUITES.flatMap(({ name, operations }) =>
      operations.map((operation) => [name, operation.name]),
    )
    const listed = Object.entries(known).flatMap(([name, calls]) =>
      Object.keys(calls).map((key) => [name, key]),
    )
    expect(new Set(listed.map(String))).toEqual(new Set(named.map(String)))
  })
})

describe('the introspection query of tools', () => {
  it.each(sampled(SUITES, 8))('gives the client schema of $name', async (suite) => {
    const operation = { name: 'tools', query: TOOL_INTROSPECTION }
    const { result, calls } = await createEngine(suite).run(operation)
    expect(result.errors).toEqual([])
    expect(calls).toEqual({})
    const client = buildClientSchema(result.data as unknown as IntrospectionQuery)
    const expected = buildClientSchema(introspectionFromSchema(createMonolith(suite).schema))
    expect(findSchemaChanges(expected, client).map(({ description }) => description)).toEqual([])
    expect(findSchemaChanges(client, expected).map(({ description }) => description)).toEqual([])
  })
})

function planFile({ name }: Suite): string {
  return `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`
}

function planText(engine: SuiteEngine, operation: SuiteOperation): string {
  const variables = operation.variables === undefined ? '' : `with ${JSON.stringify(operation.variables)}\n`
  return `# ${operation.name}\n${operation.query}\n${variables}\n${compact(engine.printPlan(operation))}`
}

/** Each document in one line. */
function compact(plan: string): string {
  return plan.replaceAll(
    /( *)\| .*(?:\n *\| .*)*/g,
    (lines, indent: string) => `${indent}${lines.replaceAll(/\s*\n\s*\| */g, ' ').trim()}`,
  )
}

function recordCalls(suite: Suite, operation: SuiteOperation, { calls }: EngineRun): void {
  const table = (seen[suite.name] ??= {})
  table[operation.name] = calls
}

function checkCalls(suite: Suite, operation: SuiteOperation, { calls }: EngineRun): void {
  if (!UPDATE) expect(calls).toEqual(known[suite.name]?.[operation.name])
}

function requestsOf(plan: Plan): readonly unknown[] {
  return plan.fetches.map(({ subgraph, document, variables, after }) => [
    subgraph,
    document,
    variables,
    after,
  ])
}

function readTable(): CallTable {
  return JSON.parse(readFileSync(CALLS, 'utf8'))
}

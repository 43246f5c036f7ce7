/** The traces of all operations of the engine's corpus, held against what its subgraphs received. */
import { fetchesOf, type Trace, type TraceFetch } from '@switchyard/request-trace'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SUITES } from '@switchyard/corpus'
import { isLongRun, sampled } from '@switchyard/testkit'
import { post, type Reply } from '../../support/router.ts'
import { startCorpusWorld } from '../../support/corpus-world.ts'
import { TRACED, tracesIn } from './traced.ts'

const SETTINGS =
  '{ dev_mode: true, engine: { enable_defer: true }, tracing: { allowed_headers: ["*"], sensitive_names: [], max_size: 100MiB } }'

/**
 * The schema as it is published, read by a validator that knows nothing of how the router describes a trace.
 */
const validator = new Ajv2020({ allErrors: true, formats: { 'date-time': true } })
const matchesSchema = validator.compile(
  JSON.parse(readFileSync(new URL('../../../../../docs/trace.schema.json', import.meta.url), 'utf8')),
)

function checkedTracesIn(reply: Reply): readonly Trace[] {
  const traces = tracesIn(reply)
  for (const trace of traces) {
    matchesSchema(trace)
    expect(matchesSchema.errors ?? []).toEqual([])
  }
  return traces
}

const PREDICTABLE = { 'x-vendor-trace': 'enable_predictable_debug_timings' }

function sentBy(fetches: readonly TraceFetch[]): readonly string[] {
  return fetches
    .flatMap(({ source_name, trace: { input } }) =>
      input === undefined || 'truncated' in input
        ? []
        : JSON.stringify({ subgraph: source_name, body: input.body }),
    )
    .sort()
}

/** `raw_input_data` has an object for each representation. */
function unequalInputs(fetches: readonly TraceFetch[]): readonly TraceFetch[] {
  return fetches.filter(({ kind, trace: { input, raw_input_data } }) => {
    if (input === undefined || 'truncated' in input) return false
    const { variables } = Object(input.body)
    const lists = Object.values(Object(variables)).filter(
      (value): value is unknown[] => Array.isArray(value) && Object.hasOwn(Object(value[0]), '__typename'),
    )
    const from =
      kind === 'MultiEntity'
        ? Object.values(Object(raw_input_data))
        : [kind === 'BatchEntity' ? raw_input_data : [raw_input_data]]
    return (
      kind !== 'Single' &&
      JSON.stringify(from.map((list) => Object(list).length).filter((length) => length > 0)) !==
        JSON.stringify(lists.map(({ length }) => length))
    )
  })
}

describe('traces of the corpus', () => {
  it.each(sampled(SUITES, isLongRun() ? 10 : 20))(
    'have the form that is promised, and all that was asked: $name',
    async (suite) => {
      await using world = await startCorpusWorld(suite, SETTINGS)
      for (const { query, variables = {}, operationName = null } of suite.operations) {
        const reply = await post(world.router, { query, variables, operationName }, TRACED)
        const traces = checkedTracesIn(reply)
        expect(traces.length, query).toBeGreaterThan(0)
        const fetches = traces.slice(-1).flatMap(fetchesOf)
        const received = world.takeReceived().map((each) => JSON.stringify(each))
        expect(sentBy(fetches), query).toEqual(received.toSorted())
        expect(unequalInputs(fetches), query).toEqual([])
        const params = { query, variables, operationName }
        const [first, second] = [
          await post(world.router, params, PREDICTABLE),
          await post(world.router, params, PREDICTABLE),
        ]
        expect(JSON.stringify(checkedTracesIn(second)), query).toBe(JSON.stringify(checkedTracesIn(first)))
        world.takeReceived()
      }
    },
  )
})

import { isLongRun, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { SubgraphReply } from '../../src/index.ts'
import {
  createEngine,
  type EngineRun,
  type Suite,
  type SuiteEngine,
  type SuiteOperation,
  SUITES,
} from '@switchyard/corpus'
import { responseComplaints } from './support/response-complaints.ts'

const answer = (body: unknown, status = 200): SubgraphReply => ({ kind: 'answer', status, body })
const failure = (code: string): SubgraphReply => ({ kind: 'failure', code, message: `It is ${code}.` })

/** Ways in which a call is lost as a whole. */
const FAULTS: readonly (readonly [string, SubgraphReply])[] = [
  ['a time-out', failure('SUBGRAPH_TIMEOUT')],
  ['no connection', failure('SUBGRAPH_UNREACHABLE')],
  ['errors without data', answer({ errors: [{ message: 'No' }] }, 500)],
  ['errors with data null', answer({ data: null, errors: [{ message: 'No' }] })],
  ['data null', answer({ data: null })],
  ['an empty object', answer({})],
  ['something else', answer('<html>', 502)],
  ['a list', answer([{ data: {} }])],
]

/** The call that fails, by its place in the plan, and how. */
type Fault = { readonly fetch: number; readonly reply: SubgraphReply }

async function runWith(
  engine: SuiteEngine,
  operation: SuiteOperation,
  fault: Fault | null,
): Promise<EngineRun> {
  return engine.run(operation, (reply, { fetch }) => (fetch.id === fault?.fetch ? fault.reply : reply))
}

/** Fields computed by a subgraph may have another value, and not only none, when an input is null. */
const computes = (suite: Suite) => Object.keys(suite.computed ?? {}).length > 0

/** What a fault may change: values become null. In words where it did something else. */
function differences(
  whole: unknown,
  left: unknown,
  path: readonly (string | number)[] = [],
): readonly string[] {
  if (left === null || whole === left) return []
  if (typeof whole !== 'object' || whole === null || typeof left !== 'object')
    return [`${path.join('.')} is ${JSON.stringify(left)} instead of ${JSON.stringify(whole)}`]
  if (Array.isArray(whole) && (!Array.isArray(left) || left.length !== whole.length))
    return [`${path.join('.')} has another length`]
  return Object.entries(whole).flatMap(([key, value]: [string, unknown]) =>
    differences(value, (left as Record<string, unknown>)[key], [
      ...path,
      Array.isArray(whole) ? Number(key) : key,
    ]),
  )
}

/** Values that are null only because of the fault. */
function newNulls(
  whole: unknown,
  left: unknown,
  path: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] {
  if (left === null) return whole === null ? [] : [path]
  if (typeof whole !== 'object' || whole === null || typeof left !== 'object') return []
  return Object.entries(left).flatMap(([key, value]: [string, unknown]) =>
    newNulls((whole as Record<string, unknown>)[key], value, [
      ...path,
      Array.isArray(left) ? Number(key) : key,
    ]),
  )
}

/** One path begins with the other; an error about several objects stands at the list that holds them. */
function isRelated(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  const length = Math.min(a.length, b.length)
  return a.slice(0, length).every((key, index) => key === b[index])
}

/** Each suite has at least six operations. */
const OPERATIONS_PER_SAMPLE = 6

describe('a call that is lost', () => {
  // `make test` and CI look at every second.
  it.each(sampled(SUITES, isLongRun() ? 1 : 2))(
    'leaves a valid response, explains every null and takes no sibling along, in the suite $name',
    async (suite) => {
      const engine = createEngine(suite)
      for (const [number, operation] of sampled([...suite.operations.entries()], OPERATIONS_PER_SAMPLE)) {
        if (operation.anyOrder === true) continue
        const whole = await runWith(engine, operation, null)
        const context = (fault: string) =>
          `${operation.query}\n${JSON.stringify(operation.variables)}\n${fault}`
        expect(responseComplaints(engine.schema, operation, whole.result), context('no fault')).toEqual([])
        for (const { id } of whole.plan.fetches) {
          const [name, reply] = FAULTS[(number + id) % FAULTS.length] ?? ['', failure('')]
          const { result } = await runWith(engine, operation, { fetch: id, reply })
          const where = `${context(`call ${id}: ${name}`)}\n${JSON.stringify(result)}`
          expect(responseComplaints(engine.schema, operation, result), where).toEqual([])
          const nulls = newNulls(whole.result.data, result.data)
          const paths = result.errors.map(({ path }) => path ?? [])
          expect(
            nulls.filter((path) => !paths.some((other) => isRelated(path, other))),
            `not explained: ${where}`,
          ).toEqual([])
          if (!computes(suite)) expect(differences(whole.result.data, result.data), where).toEqual([])
        }
      }
    },
  )
})

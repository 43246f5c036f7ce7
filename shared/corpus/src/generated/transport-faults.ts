/**
 * Subgraphs whose answers are spoilt on the way. Whatever they send, the response is one that the client's
 * schema allows: read once more by graphql-js it stays as it is. Where a whole call is lost, an error says
 * so.
 */
import { executeSync, Kind, parse, print, visit } from 'graphql'
import { createEngine } from '../harness/run-engine.ts'
import type { HttpAnswer, Sabotage, Suite, SuiteOperation } from '../harness/suite.ts'
import type { Bench, Fault } from './check.ts'
import { hashText, Random } from '@switchyard/samples'

/** The average number of calls of which one is spoilt. */
const CALLS_PER_FAULT = 2

export async function checkSpoilt(
  bench: Bench,
  operation: SuiteOperation,
  seed: number,
): Promise<Fault | null> {
  let lost = 0
  const spoil = (body: string, answer: HttpAnswer): Sabotage | null => {
    const spoilt = spoiltOrNot(seed, body, answer)
    if (spoilt !== null && isLost(spoilt)) lost++
    return spoilt
  }
  const engine = createEngine(spoiltSuite(bench.suite, spoil), { supergraphSdl: bench.supergraphSdl })
  const asked = withTypeNames(operation)
  try {
    const { result } = await engine.run(asked)
    const data = plain(result.data)
    const again = executeSync({
      schema: engine.schema,
      document: parse(asked.query),
      rootValue: data,
      variableValues: { ...asked.variables },
      fieldResolver: (source: Readonly<Record<string, unknown>>, _args, _context, { path }) =>
        Object.hasOwn(source, path.key) ? source[path.key] : undefined,
    })
    const problems = [
      ...(data !== null && JSON.stringify(plain(again.data)) !== JSON.stringify(data)
        ? [`read again it is ${JSON.stringify(again.data)}`]
        : []),
      ...(data === null ? [] : (again.errors ?? []).map(({ message }) => message)),
      ...(result.errors.length === 0 &&
      (data === null || (lost > 0 && (await isMissed(bench, asked, seed, data))))
        ? ['there is no error']
        : []),
    ]
    if (problems.length === 0) return null
    const detail = `${problems.join('\n')}\nresponse ${JSON.stringify(result)}\nspoilt by seed ${seed}`
    return { rule: 'spoilt answers', detail }
  } catch (error) {
    return { rule: 'crash', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/**
 * A call whose answer turns out not to be needed may be lost without a word: here the lost ones are answered
 * after all.
 */
async function isMissed(
  bench: Bench,
  operation: SuiteOperation,
  seed: number,
  data: unknown,
): Promise<boolean> {
  const spoil = (body: string, answer: HttpAnswer): Sabotage | null => {
    const spoilt = spoiltOrNot(seed, body, answer)
    return spoilt !== null && isLost(spoilt) ? null : spoilt
  }
  const engine = createEngine(spoiltSuite(bench.suite, spoil), { supergraphSdl: bench.supergraphSdl })
  const { result } = await engine.run(operation)
  return JSON.stringify(plain(result.data)) !== JSON.stringify(data)
}

/** The same for the same request, in every run. */
function spoiltOrNot(seed: number, body: string, answer: HttpAnswer): Sabotage | null {
  const random = new Random(hashText(`${seed} ${body}`))
  return random.below(CALLS_PER_FAULT) > 0 ? null : spoiltAnswer(random, answer)
}

function spoiltSuite(suite: Suite, sabotage: (body: string, answer: HttpAnswer) => Sabotage | null): Suite {
  const subgraphs = Object.entries(suite.subgraphs).map(([name, subgraph]) => [
    name,
    { ...subgraph, sabotage },
  ])
  return { ...suite, subgraphs: Object.fromEntries(subgraphs) }
}

function spoiltAnswer(random: Random, { status, body }: HttpAnswer): Sabotage {
  switch (random.below(7)) {
    case 0:
      return { kind: 'failure', code: 'SUBGRAPH_INVALID_JSON', message: 'The answer ends in the middle.' }
    case 1:
      return { kind: 'answer', status: 500, body: random.pick([null, 'Internal error', {}, []]) }
    case 2:
      return { kind: 'answer', status, body: { data: null } }
    case 3:
      return { kind: 'answer', status, body: { errors: [{ message: 'No.' }, { path: 3 }, null] } }
    case 4:
      return { kind: 'answer', status: 503, body: changed(random, body, 20, (list) => list.slice(0, -1)) }
    default:
      return { kind: 'answer', status, body: changed(random, body, 12, null) }
  }
}

/** True where nothing at all came of the call. */
function isLost(spoilt: Sabotage): boolean {
  if (spoilt.kind === 'failure') return true
  const { body } = spoilt
  return typeof body !== 'object' || body === null || !('data' in body) || body.data === null
}

const JUNK: readonly unknown[] = [
  null,
  7,
  -1.5,
  true,
  'junk',
  '',
  [],
  {},
  [[null]],
  { __typename: 'Nothing' },
]

/** The answer with some of its values, one in `rarity`, replaced; lists are cut when `cut` says how. */
function changed(
  random: Random,
  value: unknown,
  rarity: number,
  cut: ((list: readonly unknown[]) => readonly unknown[]) | null,
): unknown {
  if (Array.isArray(value)) {
    const items = cut !== null && random.below(2) === 0 ? cut(value) : value
    return items.map((item) => changed(random, item, rarity, cut))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, child]) => {
        if (key === '__typename' && random.below(rarity) === 0)
          return [[key, random.pick(['Nothing', 'Color', 'Query'])]]
        if (random.below(4 * rarity) === 0) return []
        return [[key, changed(random, child, rarity, cut)]]
      }),
    )
  }
  return random.below(rarity) === 0 ? random.pick(JUNK) : value
}

/** Says of every object what it is, so that it can be read again. */
function withTypeNames(operation: SuiteOperation): SuiteOperation {
  const document = visit(parse(operation.query, { noLocation: true }), {
    SelectionSet: ({ selections }, _key, parent) =>
      parent !== undefined && 'operation' in parent
        ? undefined
        : {
            kind: Kind.SELECTION_SET,
            selections: [...selections, { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
          },
  })
  return { ...operation, query: print(document) }
}

function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}

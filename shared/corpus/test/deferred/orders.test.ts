import {
  deliveriesOf,
  mergeParts,
  protocolComplaints,
  RandomRun,
  type ResponsePath,
  type StreamError,
  type StreamPart,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { parse, visit } from 'graphql'
import { Random } from '@switchyard/samples'
import type { PendingPer } from '@switchyard/engine'
import type { SuiteEngine, Tamper } from '../../src/harness/run-engine.ts'
import type { Suite, SuiteOperation } from '../../src/harness/suite.ts'
import { SUITES } from '../../src/suites/index.ts'
import { formOf, sorted } from '../../src/deferred/check-deferred.ts'
import { randomFaults } from '../../src/deferred/faults.ts'
import { deferredOperation } from '../../src/deferred/questions.ts'
import { benchOf } from '../../src/deferred/suite-bench.ts'

/** `SEED=… RUNS=… vitest run shared/corpus/test/deferred/orders.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 20, 200)
const { seed: SEED, runs: RUNS } = RUN
const ORDERS = 4

/**
 * Asked in each run. 5894: an error about one list was told with an entry of another, about which the same
 * call had asked. 289_009_118: two calls of one subgraph failed in the same words, and two errors were taken
 * for one that was told twice.
 */
const ONCE_WRONG = [5894, 289_009_118]

/** The answer of a subgraph that is away. */
const UNREACHABLE = { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: 'It is away.' } as const

type Question = {
  readonly suite: Suite
  readonly engine: SuiteEngine
  readonly operation: SuiteOperation
  readonly random: Random
  readonly pendingPer: PendingPer
}

const benches = SUITES.map(benchOf)

describe(`the order in which subgraphs answer (SEED=${SEED} RUNS=${RUNS})`, {
  timeout: RUN.timeout(600_000),
}, () => {
  async function askAll(
    test: string,
    check: (question: Question, context: string) => Promise<void>,
    runs = RUNS,
  ): Promise<void> {
    const fresh = Array.from({ length: runs }, (_, index) => SEED + index)
    for (const seed of [...ONCE_WRONG, ...fresh]) {
      await RUN.ask({ test, seed }, async () => {
        const random = new Random(seed)
        const { suite, monolith, engine } = random.pick(benches)
        const operation = deferredOperation(monolith, seed)
        if (!engine.plan(operation, { defer: true }).deferred) return
        const context = `${suite.name}, operation ${seed}\n${operation.query}\n${JSON.stringify(operation.variables)}`
        await check({ suite, engine, operation, random, pendingPer: formOf(seed) }, context)
      })
    }
  }

  it('decides when a fragment is delivered, never what is in it', async () => {
    let compared = 0
    let moved = 0
    await askAll('decides when', async ({ engine, operation, random, pendingPer }, context) => {
      const { parts: straight } = await engine.runDeferred(operation, { pendingPer })
      for (let order = 0; order < ORDERS; order++) {
        const { parts: played } = await engine.runDeferred(operation, { choices: random, pendingPer })
        if (straight === null || played === null) throw new Error(`One answer instead of parts. ${context}`)
        expect(protocolComplaints(played, { pendingPer }), context).toEqual([])
        expect(played[0], context).toEqual(straight[0])
        expect(byFragment(played), context).toEqual(byFragment(straight))
        compared++
        if (JSON.stringify(played) !== JSON.stringify(straight)) moved++
      }
    })
    // Not of a run that only repeats one operation.
    if (RUNS < 20) return
    expect(compared).toBeGreaterThan(RUNS)
    expect(moved).toBeGreaterThan(0)
  })

  it('brings the same in either form, whatever fails', async () => {
    const ask = async ({ engine, operation }: Question, seed: number, pendingPer: PendingPer) => {
      const random = new Random(seed)
      const tamper = randomFaults(random)
      // Which of several failures is told depends on the order of the answers, and announcing items takes
      // more turns.
      const { parts } = await engine.runDeferred(operation, {
        choices: random,
        tamper,
        pendingPer,
        atOnce: true,
      })
      return parts ?? []
    }
    let compared = 0
    await askAll(
      'brings the same',
      async (question, context) => {
        const seed = question.random.below(2 ** 31)
        const [whole, items] = [await ask(question, seed, 'fragment'), await ask(question, seed, 'item')]
        expect(deliveriesOf(items), context).toEqual(deliveriesOf(whole))
        compared++
      },
      RUNS / 2,
    )
    if (RUNS >= 20) expect(compared).toBeGreaterThan(0)
  })

  it('names a field that is null with each error of lost subgraphs, with and without fragments', async () => {
    let told = 0
    await askAll('names a field that is null with each error of lost sub', async (question, context) => {
      const { random, suite } = question
      const names = Object.keys(suite.subgraphs)
      const lost = new Set(random.some(names, 1, Math.max(1, names.length - 1)))
      const tamper =
        (): Tamper =>
        (reply, { subgraph }) =>
          lost.has(subgraph) ? UNREACHABLE : reply
      const answers = await answersWithout(question, tamper)
      if (answers === null) return
      const { merged, plain, whole, parts } = answers
      const where = `${[...lost].join()} lost: ${context}\n${JSON.stringify([parts, plain], null, 1)}`
      told += plain.errors.length
      expect(misplaced(question, answers), where).toEqual([])
      // With fragments, a field that several subgraphs resolve may be asked of another one. Then they lack
      // different fields.
      if (sorted(merged.data) === sorted(plain.data))
        expect(nullFields(merged, whole), where).toEqual(nullFields(plain, whole))
    })
    if (RUNS >= 20) expect(told).toBeGreaterThan(RUNS)
  })

  it('names a field that is null with each error of a single lost call', async () => {
    let told = 0
    await askAll('names a field that is null with each error of a single', async (question, context) => {
      const number = question.random.below(6)
      const tamper = (): Tamper => {
        let calls = 0
        return (reply) => (calls++ === number ? UNREACHABLE : reply)
      }
      const answers = await answersWithout(question, tamper)
      if (answers === null) return
      const where = `call ${number} lost: ${context}\n${JSON.stringify([answers.parts, answers.plain], null, 1)}`
      told += answers.plain.errors.length
      expect(misplaced(question, answers), where).toEqual([])
    })
    if (RUNS >= 20) expect(told).toBeGreaterThan(0)
  })

  it('never keeps a stream from its end, whatever fails', async () => {
    let failed = 0
    await askAll('never keeps', async ({ engine, operation, random, pendingPer }, context) => {
      for (let order = 0; order < ORDERS; order++) {
        const tamper = randomFaults(random)
        const { parts } = await engine.runDeferred(operation, { choices: random, tamper, pendingPer })
        const complaints = protocolComplaints(parts ?? [], { pendingPer })
        if (complaints.length > 0)
          expect(complaints, `${context}\n${JSON.stringify(parts, null, 1)}`).toEqual([])
        const reasons = parts?.flatMap(({ completed = [] }) => completed.flatMap(({ errors = [] }) => errors))
        if (reasons !== undefined && reasons.length > 0) failed++
      }
    })
    if (RUNS >= 20) expect(failed).toBeGreaterThan(0)
  })
})

/** What each fragment delivered and announced, in the order of their ids. */
function byFragment(parts: readonly StreamPart[]): readonly unknown[] {
  const idOf = ({ completed = [] }: StreamPart) => Number.parseInt(completed[0]?.id ?? '', 10)
  return parts
    .slice(1)
    .sort((a, b) => idOf(a) - idOf(b))
    .map((part) => ({ ...part, hasNext: null }))
}

/** The value at the path, or the null above it. What a fragment did not deliver is null, too. */
function firstNull(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = Reflect.get(value, key)
  }
  return value ?? null
}

type Answer = {
  readonly data: unknown
  readonly errors: readonly Pick<StreamError, 'path' | 'message'>[]
}

/** Answers with lost calls, and `whole` without. */
type Answers = {
  readonly whole: unknown
  readonly plain: Answer
  readonly merged: Answer
  readonly parts: readonly StreamPart[]
}

/** Null for suites whose subgraphs give canned answers, whatever is asked. */
async function answersWithout(
  { engine, operation, random, pendingPer, suite }: Question,
  tamper: () => Tamper,
): Promise<Answers | null> {
  if (['failing subgraphs', 'sloppy answers'].includes(suite.name)) return null
  const { result: whole } = await engine.run(operation)
  const { parts } = await engine.runDeferred(operation, { choices: random, tamper: tamper(), pendingPer })
  const { result: plain } = await engine.run(operation, tamper())
  return { whole: whole.data, plain, merged: mergeParts(parts ?? []), parts: parts ?? [] }
}

/**
 * What is wrong with the places of errors, in words:
 *
 * - An error of a lost call is at a null or below it. There are three other places: a field with
 *   `@requires`, which is computed from a null; an object of which only fragments wanted to know the type;
 *   and none at all, if all that the call would have given is below a null for which another call is told.
 * - What is null and would not be has an error at it or below; above it, if it is part of a computed value
 *   or of a fragment that could not be delivered.
 * - No part tells an error at a field that comes later.
 */
function misplaced({ suite, operation }: Question, answers: Answers): readonly string[] {
  const { whole, plain, merged, parts } = answers
  const complaints: string[] = []
  for (const [name, { data, errors }] of Object.entries({ plain, merged })) {
    for (const { path, message } of errors) {
      const value = path === undefined || message !== UNREACHABLE.message ? null : firstNull(data, path)
      const isObject = name === 'merged' && typeof value === 'object'
      if (value !== null && !isObject && !isComputed(suite, operation, path ?? []))
        complaints.push(`${name}: an error at ${JSON.stringify(path)}, which is not null`)
    }
    // A fragment that failed is cut off at its object.
    const hasFailed =
      name === 'merged' &&
      parts.some(({ completed = [] }) => completed.some((one) => one.errors !== undefined))
    for (const lack of hasFailed ? [] : lacks(whole, data)) {
      const isTold = errors.some(
        ({ path = [] }) =>
          startsWith(path, lack) ||
          (path.length > 0 &&
            startsWith(lack, path) &&
            (isMissing(data, lack) || isComputed(suite, operation, path))),
      )
      if (!isTold) complaints.push(`${name}: null without an error at ${JSON.stringify(lack)}`)
    }
  }
  for (const [index, { errors = [], incremental = [] }] of parts.entries()) {
    const { data } = mergeParts(parts.slice(0, index + 1))
    for (const { path } of [...errors, ...incremental.flatMap((entry) => entry.errors ?? [])])
      if (path !== undefined && isMissing(data, path))
        complaints.push(`part ${index}: an error at ${JSON.stringify(path)}, which comes later`)
  }
  return complaints
}

/** Whether a field of the response may be computed from others: any subgraph gives it `@requires`. */
function isComputed({ subgraphs }: Suite, { query }: SuiteOperation, path: ResponsePath): boolean {
  const key = path.findLast((step) => typeof step === 'string')
  const names = new Set<string>()
  visit(parse(query), {
    Field: ({ name, alias }) => {
      if ((alias ?? name).value === key) names.add(name.value)
    },
  })
  let isFound = false
  for (const { sdl } of Object.values(subgraphs))
    visit(parse(sdl), {
      FieldDefinition: ({ name, directives = [] }) => {
        if (names.has(name.value) && directives.some((one) => one.name.value.endsWith('requires')))
          isFound = true
      },
    })
  return isFound
}

/** What is null or missing in an answer, and would not be. */
function* lacks(whole: unknown, data: unknown, path: ResponsePath = []): Generator<ResponsePath> {
  if (data === null || data === undefined) {
    if (whole !== null && whole !== undefined) yield path
    return
  }
  if (typeof whole !== 'object' || whole === null || typeof data !== 'object') return
  for (const [key, value] of Object.entries(whole))
    yield* lacks(value, Object.hasOwn(data, key) ? Reflect.get(data, key) : null, [
      ...path,
      Array.isArray(whole) ? Number(key) : key,
    ])
}

/** Whether an object on the path, which the client has, lacks the field. */
function isMissing(data: unknown, path: ResponsePath): boolean {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(value, key)) return true
    value = Reflect.get(value, key)
  }
  return false
}

function startsWith(path: ResponsePath, start: ResponsePath): boolean {
  return start.every((key, index) => path[index] === key)
}

/**
 * The paths of errors at fields of objects that the client has, and that would not be null without them:
 * where null went on to an object, nothing is fetched for its fragments.
 */
function nullFields({ data, errors }: Answer, whole: unknown): readonly string[] {
  const paths = errors.flatMap(({ path = [] }) =>
    path.length === 0 || firstNull(data, path.slice(0, -1)) === null || firstNull(whole, path) === null
      ? []
      : [JSON.stringify(path)],
  )
  return [...new Set(paths)].sort()
}

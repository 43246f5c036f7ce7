/** One operation with `@defer` of one suite: every part of the engine's answer beside what is expected. */
import {
  compareStream,
  mergeParts,
  protocolComplaints,
  type ResponsePath,
  type StreamPart,
  valueAt,
} from '@switchyard/testkit'
import { parse, print, visit } from 'graphql'
import type { DeliveryGroup, PendingPer, Plan, SubgraphReply } from '@switchyard/engine'
import { hashText, Random, withoutDefers } from '@switchyard/samples'
import { dataText } from '../harness/compare.ts'
import { createMonolith, type Monolith } from '../harness/monolith.ts'
import type { SuiteEngine, Tamper } from '../harness/run-engine.ts'
import type { Suite, SuiteOperation } from '../harness/suite.ts'
import { unexplained } from './explained.ts'
import { expectFor, wholeAnswer } from './questions.ts'

export type Bench = { readonly suite: Suite; readonly monolith: Monolith; readonly engine: SuiteEngine }

export type Right = {
  readonly kind: 'right'
  readonly plan: Plan
  readonly parts: readonly StreamPart[] | null
  readonly isExact: boolean
  readonly pendingPer: PendingPer
}

export type Verdict = Right | { readonly kind: 'wrong'; readonly rule: string; readonly detail: string }

export type Check = (bench: Bench, operation: SuiteOperation, seed: number) => Promise<Verdict>

/** Half of the operations are answered in the one form, half in the other. */
export function formOf(seed: number): PendingPer {
  return seed % 2 === 0 ? 'fragment' : 'item'
}

/** The subgraphs answer in an order that the seed decides. */
export async function checkDeferred(bench: Bench, operation: SuiteOperation, seed: number): Promise<Verdict> {
  try {
    return await check(bench, operation, seed)
  } catch (error) {
    return wrong('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

async function check(
  { suite, monolith, engine }: Bench,
  operation: SuiteOperation,
  seed: number,
): Promise<Verdict> {
  const plainOperation = withoutDefers(operation)
  const plain = await monolith.answer(plainOperation)
  const pendingPer = formOf(seed)
  const { parts, result, plan, complaints } = await engine.runDeferred(operation, {
    choices: new Random(seed),
    pendingPer,
  })
  if (complaints.length > 0) return wrong('subgraph rules', complaints.join('\n'))
  const planWithout = engine.plan(plainOperation)
  const differsWhole = differenceOf(planWithout, engine.planWhole(operation))
  if (differsWhole !== null) return wrong('as a whole', differsWhole)
  const whole = await wholeAnswer(suite, monolith, operation)
  // Of nulls that went on to a parent, one answer cannot tell at which fragment they would have ended.
  const isLocal = plain.data !== null && whole.errorPaths.every((path) => valueAt(whole.data, path) === null)
  const isFree = isLocal && whole.errorPaths.length === 0
  const expected = isLocal ? expectFor(monolith, operation, whole) : null
  if (parts === null) {
    if (expected !== null) return wrong('not deferred', 'one answer instead of parts')
    const differs = differenceOf(planWithout, plan)
    if (differs !== null) return wrong('inactive', differs)
    if (isFree && dataText(result?.data, operation) !== dataText(plain.data, operation))
      return wrong('data', JSON.stringify(result))
    return { kind: 'right', plan, parts, isExact: true, pendingPer }
  }
  const broken = protocolComplaints(parts, { pendingPer })
  if (broken.length > 0) return wrong('protocol', `${broken.join('\n')}\n${textOf(parts)}`)
  const merged = mergeParts(parts)
  if (!isLocal) return await checkExplained(suite, operation, { plan, parts, pendingPer })
  if (isFree && merged.errors.length > 0) {
    const surplus = await surplusErrors(engine, plainOperation, [])
    const { errors } = mergeParts(withoutErrors(parts, surplus))
    if (errors.length > 0) return wrong('errors', JSON.stringify(errors))
  }
  if (sorted(merged.data) !== sorted(plain.data)) {
    // A surplus error may null an object of which the subgraph does not know what it is: without `@defer`,
    // too.
    const surplus = await surplusErrors(engine, plainOperation, whole.errorPaths)
    const { result } = await engine.run(plainOperation)
    if (surplus.size > 0 && sorted(merged.data) === sorted(result.data))
      return { kind: 'right', plan, parts, isExact: false, pendingPer }
    return wrong('the law', `expected ${JSON.stringify(plain.data)}\ngot      ${textOf(parts)}`)
  }
  if (expected === null) return wrong('deferred', `parts instead of one answer: ${textOf(parts)}`)
  const options = { impossible: onObjectsOfSomeTypes(plan), pendingPer }
  let difference = compareStream(expected, parts, options)
  if (difference !== null) {
    const surplus = await surplusErrors(engine, plainOperation, whole.errorPaths)
    if (surplus.size > 0) difference = compareStream(expected, withoutErrors(parts, surplus), options)
  }
  return difference === null
    ? { kind: 'right', plan, parts, isExact: true, pendingPer }
    : wrong('exact parts', difference)
}

/** Shows two plans if they are different. */
function differenceOf(...plans: readonly [wanted: Plan, got: Plan]): string | null {
  const [wanted, got] = plans.map((plan) => JSON.stringify(plan))
  return wanted === got ? null : `expected ${wanted}\ngot      ${got}`
}

/**
 * The same with some calls to subgraphs lost: other parts, but every rule is kept, and whatever is not there
 * is explained.
 */
export async function checkLostCalls(
  { suite, engine }: Bench,
  operation: SuiteOperation,
  seed: number,
): Promise<Verdict> {
  try {
    const pendingPer = formOf(seed)
    const { parts, plan } = await engine.runDeferred(operation, {
      tamper: lostCalls(seed),
      choices: new Random(seed),
      pendingPer,
    })
    if (parts === null) return { kind: 'right', plan, parts, isExact: false, pendingPer }
    const broken = protocolComplaints(parts, { pendingPer })
    if (broken.length > 0) return wrong('protocol', `${broken.join('\n')}\n${textOf(parts)}`)
    return await checkExplained(suite, operation, { plan, parts, pendingPer }, false)
  } catch (error) {
    return wrong('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

/**
 * The same for the same requests, in every run. No two calls fail in the same words: then an error told twice
 * is seen.
 */
export function lostCalls(seed: number): Tamper {
  const silent = new Set<string>()
  return (reply, { body, subgraph, fetch: { id } }): SubgraphReply => {
    const random = new Random(hashText(`${seed} ${body}`))
    switch (random.below(14)) {
      case 0:
        return { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: `No answer to ${id} came in time.` }
      case 1:
        return { kind: 'answer', status: 500 + id, body: 'Internal error' }
      case 2:
        return { kind: 'answer', status: 200, body: { data: null, errors: [{ message: `No, ${id}.` }] } }
      case 3: {
        if (silent.has(subgraph)) return reply
        silent.add(subgraph)
        return { kind: 'answer', status: 200, body: { data: null } }
      }
      default:
        return reply
    }
  }
}

async function checkExplained(
  suite: Suite,
  operation: SuiteOperation,
  { plan, parts, pendingPer }: Pick<Right, 'plan' | 'pendingPer'> & { readonly parts: readonly StreamPart[] },
  sameLeaves = true,
): Promise<Verdict> {
  const truth = await wholeAnswer(suite, withoutNonNull(suite), operation, (document) => document)
  // No null may come before the error that explains it.
  const difference = parts
    .map((_part, index) => parts.slice(0, index + 1))
    .map((some) => unexplained(truth.data, mergeParts(some).data, some, { sameLeaves }))
    .find((some) => some !== null)
  return difference === undefined
    ? { kind: 'right', plan, parts, isExact: false, pendingPer }
    : wrong('errors', `${difference}\n${textOf(parts)}\nof ${JSON.stringify(truth.data)}`)
}

/**
 * Places of errors that are no one's fault, and told without `@defer`, too: a subgraph that does not know
 * what an object is was asked for a field that the client wants of other types only.
 */
async function surplusErrors(
  engine: SuiteEngine,
  plain: SuiteOperation,
  known: readonly ResponsePath[],
): Promise<ReadonlySet<string>> {
  const { result } = await engine.run(plain)
  const expected = new Set(known.map((path) => JSON.stringify(path)))
  const told = result.errors.map(({ path }) => JSON.stringify(path ?? []))
  return new Set(told.filter((path) => !expected.has(path)))
}

function withoutErrors(parts: readonly StreamPart[], places: ReadonlySet<string>): readonly StreamPart[] {
  return parts.map((part) =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) => {
      if (key !== 'errors' || !Array.isArray(value)) return value
      const left = value.filter(({ path }) => !places.has(JSON.stringify(path ?? [])))
      return left.length > 0 ? left : undefined
    }),
  )
}

/**
 * Fragments on objects of some types only, by a condition of their own or because only those have the field
 * that leads there: which objects can be at a place at all, the plan may know better than the schema of the
 * whole.
 */
function onObjectsOfSomeTypes({ groups, positions }: Plan): ReadonlySet<number> {
  const isGuarded = (at: number): boolean => {
    const position = positions[at]
    return position !== undefined && (position.guard !== null || isGuarded(position.parent))
  }
  const isOfSomeTypes = ({ isLive, anchors }: DeliveryGroup) =>
    !isLive || anchors.every(({ at, types }) => types !== null || isGuarded(at))
  return new Set(groups.filter(isOfSomeTypes).map(({ id }) => id))
}

/** The monolith in which no null takes its parents along. */
function withoutNonNull(suite: Suite): Monolith {
  const monolith = visit(parse(suite.monolith), {
    InputValueDefinition: () => false,
    NonNullType: { leave: ({ type }) => type },
  })
  return createMonolith({ ...suite, monolith: print(monolith) })
}

function wrong(rule: string, detail: string): Verdict {
  return { kind: 'wrong', rule, detail }
}

function textOf(parts: readonly StreamPart[]): string {
  return parts.map((part) => JSON.stringify(part)).join('\n')
}

/** Which field comes first in an object depends on when it was delivered. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  )
}

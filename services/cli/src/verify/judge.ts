/**
 * Puts one operation to the engine and to the stitched gateway on sample subgraphs, and, where they differ, to a third:
 * one server with the same values. A limit of stitching excuses a difference only where that third sides with the engine.
 */
import type { Graph, Plan } from '@switchyard/engine'
import { withoutFragmentSpreads, withoutSkipped } from '@switchyard/samples'
import {
  type Comparison,
  compareOpinions,
  type Opinion,
  type SecondOpinion,
  SecondOpinionError,
  type StitchingLimitId,
} from '@switchyard/second-opinion'
import type { EngineGateway, OurAnswer } from './engine-gateway.ts'
import { limitFinder, type LimitOf } from './limit-of.ts'
import { hasAliases, hasTreacherousNames, withNeutralNames } from './neutral-names.ts'
import type { VerifyOperation } from './operation.ts'
import { fieldsAt } from './response-fields.ts'
import type { Difference, Verdict } from './verdict.ts'

export type Gateways = {
  readonly graph: Graph
  readonly ours: EngineGateway
  /** An error where the supergraph cannot be stitched at all. */
  readonly theirs: SecondOpinion | SecondOpinionError
  readonly oneServer: (operation: VerifyOperation) => Promise<Opinion>
}

export type Judge = (operation: VerifyOperation) => Promise<Verdict>

type NoAnswer = { readonly code: string; readonly message: string }

export function openJudge({ graph, ours: askOurs, theirs: askTheirs, oneServer }: Gateways): Judge {
  const limitOf = limitFinder(graph)
  return async (operation) => {
    const introspects = /\b__(?:schema|type)\b/.test(operation.query)
    const ours = await answerOf(() => askOurs(operation))
    // Response names that nobody survives are asked by other names; that the engine survives them, the third says.
    const isTreacherous = hasTreacherousNames(operation.query)
    const question = isTreacherous ? { ...operation, query: withNeutralNames(operation.query) } : operation
    const theirs = await opinionOf(askTheirs, question)
    const truth = introspects ? null : await oneServer(operation)
    if ('code' in ours) return withoutOurs(ours, theirs, truth)
    const { opinion, plan } = ours
    const isRight = truth === null ? null : compareOpinions(opinion, truth).kind === 'equal'
    if (isRight === false && truth !== null) return different(opinion, theirs, plan, truth)
    if ('code' in theirs) {
      return { kind: 'one-only', answeredBy: 'ours', ...theirs, isConfirmed: isRight }
    }
    const asked = isTreacherous ? await answerOf(() => askOurs(question)) : ours
    if ('code' in asked) throw new Error(`${asked.code}: ${asked.message}`)
    const comparison = compareOpinions(asked.opinion, theirs)
    if (comparison.kind === 'equal') {
      return isTreacherous
        ? { kind: 'limit', limits: ['aliases'], differences: [] }
        : { kind: 'equal', runs: 1 }
    }
    if (introspects && sameSets(asked.opinion, theirs))
      return { kind: 'limit', limits: ['introspection-order'], differences: [] }
    const differences = differencesOf(comparison, asked.plan, asked.opinion, theirs)
    const limits = isRight === true ? await explain(question, asked, comparison, differences) : null
    if (limits !== null) return { kind: 'limit', limits, differences }
    const oneServerAgreesWith = isRight === true ? 'ours' : null
    return { kind: 'different', differences, oneServerAgreesWith, plan }
  }

  /** Null where some difference has no limit that is known to cause such. */
  async function explain(
    operation: VerifyOperation,
    ours: OurAnswer,
    comparison: Comparison,
    differences: readonly Difference[],
  ): Promise<readonly StitchingLimitId[] | null> {
    for (const [limit, inPlainerWords] of REWORDINGS) {
      const plainer = inPlainerWords(operation)
      if (plainer !== null && (await compareOn(plainer))?.differences.length === 0) return [limit]
    }
    if (comparison.kind !== 'equal' && comparison.data.length === 0 && samePatterns(comparison))
      return ['error-paths']
    const placed = limitsOf(limitOf, ours.plan, differences)
    if (placed !== null) return placed
    // Several at once: in plainer words in every way, what is left has to have its limits.
    let plainest = operation
    const reworded: StitchingLimitId[] = []
    for (const [limit, inPlainerWords] of REWORDINGS) {
      const plainer = inPlainerWords(plainest)
      if (plainer === null) continue
      plainest = plainer
      reworded.push(limit)
    }
    const left = reworded.length === 0 ? null : await compareOn(plainest)
    if (left === null) return null
    const others = limitsOf(limitOf, left.plan, left.differences)
    return others === null ? null : [...new Set([...reworded, ...others])]
  }

  async function compareOn(
    operation: VerifyOperation,
  ): Promise<{ readonly plan: Plan; readonly differences: readonly Difference[] } | null> {
    const ours = await answerOf(() => askOurs(operation))
    const theirs = await opinionOf(askTheirs, operation)
    if ('code' in ours || 'code' in theirs) return null
    const comparison = compareOpinions(ours.opinion, theirs)
    return { plan: ours.plan, differences: differencesOf(comparison, ours.plan, ours.opinion, theirs) }
  }
}

/** The same question without what a limit is about; null where nothing of it is there. */
type Rewording = (operation: VerifyOperation) => VerifyOperation | null

const REWORDINGS: readonly (readonly [StitchingLimitId, Rewording])[] = [
  [
    'aliases',
    (operation) =>
      hasAliases(operation.query) ? { ...operation, query: withNeutralNames(operation.query) } : null,
  ],
  [
    'conditions',
    (operation) =>
      /@(?:skip|include)\b/.test(operation.query) ? withoutSkipped(operation, { fillEmpty: true }) : null,
  ],
  [
    'fragments',
    (operation) =>
      /\bfragment\b/.test(operation.query)
        ? { ...operation, query: withoutFragmentSpreads(operation.query) }
        : null,
  ],
]

/** The limits that the places of all differences point to; null where one of them has none. */
function limitsOf(
  limitOf: LimitOf,
  plan: Plan,
  differences: readonly Difference[],
): readonly StitchingLimitId[] | null {
  const found = differences.map(({ path }) => limitOf(plan, path))
  return found.every((limit) => limit !== null) ? [...new Set(found)] : null
}

function withoutOurs(refusal: NoAnswer, theirs: Opinion | NoAnswer, truth: Opinion | null): Verdict {
  if ('code' in theirs) return { kind: 'one-only', answeredBy: 'nobody', ...refusal, isConfirmed: null }
  const isConfirmed = truth === null ? null : compareOpinions(theirs, truth).kind === 'equal'
  return { kind: 'one-only', answeredBy: 'theirs', ...refusal, isConfirmed }
}

/** The third does not side with the engine: no limit of stitching can excuse that. */
function different(ours: Opinion, theirs: Opinion | NoAnswer, plan: Plan, truth: Opinion): Verdict {
  const isTheirs = !('code' in theirs) && compareOpinions(theirs, truth).kind === 'equal'
  const other = isTheirs && !('code' in theirs) ? theirs : truth
  return {
    kind: 'different',
    differences: differencesOf(compareOpinions(ours, other), plan, ours, other),
    oneServerAgreesWith: isTheirs ? 'theirs' : 'neither',
    plan,
  }
}

export function differencesOf(
  comparison: Comparison,
  plan: Plan,
  ours: Opinion,
  theirs: Opinion,
): readonly Difference[] {
  if (comparison.kind === 'equal') return []
  const fetchesAt = (path: Difference['path']) => fieldsAt(plan, path).fetches
  const messages = (side: 'ours' | 'theirs', path: Difference['path']) => {
    const { errors } = side === 'ours' ? ours : theirs
    return errors.find((error) => JSON.stringify(error.path ?? []) === JSON.stringify(path))?.message
  }
  return [
    ...comparison.data.map(({ path, ...values }) => ({
      path,
      ...values,
      errorOf: null,
      fetches: fetchesAt(path),
    })),
    ...comparison.errors.map(({ path, side }) => ({
      path,
      ours: messages('ours', path),
      theirs: messages('theirs', path),
      errorOf: side,
      fetches: fetchesAt(path),
    })),
  ]
}

/** Errors at the same places, as far as one leaves out the numbers of items. */
function samePatterns(comparison: Extract<Comparison, { kind: 'witness-differs' }>): boolean {
  const patterns = (side: string) =>
    new Set(comparison.errors.filter((error) => error.side === side).map(({ path }) => pathPattern(path)))
  const [ours, theirs] = [patterns('ours'), patterns('theirs')]
  return [...theirs].every((pattern) => ours.has(pattern))
}

export function pathPattern(path: Difference['path']): string {
  return path.filter((key) => typeof key === 'string').join('.')
}

function sameSets(ours: Opinion, theirs: Opinion): boolean {
  return JSON.stringify(unordered(ours.data)) === JSON.stringify(unordered(theirs.data))
}

function unordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(unordered(item))).toSorted()
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, unordered(child)]))
}

async function answerOf(ask: () => Promise<OurAnswer>): Promise<OurAnswer | NoAnswer> {
  try {
    return await ask()
  } catch (error) {
    return refusalOf(error)
  }
}

export async function opinionOf(
  gateway: SecondOpinion | SecondOpinionError,
  { query, variables, operationName }: VerifyOperation,
): Promise<Opinion | NoAnswer> {
  if (gateway instanceof SecondOpinionError) return refusalOf(gateway)
  try {
    return await gateway.execute({ query, variables, operationName })
  } catch (error) {
    return refusalOf(error)
  }
}

/** A refusal has a code; anything else is a defect of ours, and not for the user to weigh. */
function refusalOf(error: unknown): NoAnswer {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return { code: error.code, message: error.message }
  throw error
}

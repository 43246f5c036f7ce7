/**
 * Puts one operation to the engine and to the stitched gateway on sample subgraphs, and, where they differ,
 * to a third: one server with the same values. A limit of stitching excuses a difference only where that
 * third sides with the engine.
 */
import type { Graph, Plan } from '@switchyard/engine'
import {
  compareOpinions,
  type Opinion,
  type SecondOpinion,
  type SecondOpinionError,
} from '@switchyard/second-opinion'
import { answerOf, type GatewayRefusal, opinionOf } from './answers.ts'
import { differencesOf } from './differences.ts'
import type { EngineGateway } from './engine-gateway.ts'
import { openExplanations } from './explain.ts'
import { hasTreacherousNames, withNeutralNames } from './neutral-names.ts'
import type { VerifyOperation } from './operation.ts'
import type { Verdict } from './verdict.ts'

/** Whom the judge asks. */
export type Gateways = {
  readonly graph: Graph
  readonly ours: EngineGateway
  /** An error where the supergraph cannot be stitched at all. */
  readonly theirs: SecondOpinion | SecondOpinionError
  readonly oneServer: (operation: VerifyOperation) => Promise<Opinion>
}

/** Puts one operation to all gateways. */
export type Judge = (operation: VerifyOperation) => Promise<Verdict>

/** A judge on sample subgraphs. */
export function openJudge({ graph, ours: askOurs, theirs: askTheirs, oneServer }: Gateways): Judge {
  const explain = openExplanations({ graph, ours: askOurs, theirs: askTheirs })
  return async (operation) => {
    const introspects = /\b__(?:schema|type)\b/.test(operation.query)
    const ours = await answerOf(() => askOurs(operation))
    // Response names that nobody survives are asked by other names; that the engine survives them, the third
    // says.
    const isTreacherous = hasTreacherousNames(operation.query)
    const question = isTreacherous ? { ...operation, query: withNeutralNames(operation.query) } : operation
    const theirs = await opinionOf(askTheirs, question)
    const truth = introspects ? null : await oneServer(operation)
    if ('code' in ours) return verdictWithoutEngine(ours, theirs, truth)
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
}

function verdictWithoutEngine(
  refusal: GatewayRefusal,
  theirs: Opinion | GatewayRefusal,
  truth: Opinion | null,
): Verdict {
  if ('code' in theirs) return { kind: 'one-only', answeredBy: 'nobody', ...refusal, isConfirmed: null }
  const isConfirmed = truth === null ? null : compareOpinions(theirs, truth).kind === 'equal'
  return { kind: 'one-only', answeredBy: 'theirs', ...refusal, isConfirmed }
}

/** The third does not side with the engine: no limit of stitching can excuse that. */
function different(ours: Opinion, theirs: Opinion | GatewayRefusal, plan: Plan, truth: Opinion): Verdict {
  const isTheirs = !('code' in theirs) && compareOpinions(theirs, truth).kind === 'equal'
  const other = isTheirs && !('code' in theirs) ? theirs : truth
  return {
    kind: 'different',
    differences: differencesOf(compareOpinions(ours, other), plan, ours, other),
    oneServerAgreesWith: isTheirs ? 'theirs' : 'neither',
    plan,
  }
}

function sameSets(ours: Opinion, theirs: Opinion): boolean {
  return JSON.stringify(unordered(ours.data)) === JSON.stringify(unordered(theirs.data))
}

function unordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(unordered(item))).toSorted()
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, unordered(child)]))
}

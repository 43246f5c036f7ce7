/**
 * Puts one operation to the engine and to the stitched gateway on the real subgraphs. Their data moves while
 * they are asked, so only what differs in every one of three runs is a difference, and only where at least
 * one of them says the same each time: a clock, which nobody reads twice alike, differs between any two
 * gateways.
 *
 * Nobody knows here who is right, so a limit of stitching excuses a difference only where the same operation
 * shows it on sample subgraphs, at the same fields, with one server siding with the engine.
 */
import { compareOpinions, type SecondOpinion, SecondOpinionError } from '@switchyard/second-opinion'
import type { EngineGateway, OurAnswer } from './engine-gateway.ts'
import { opinionOf } from './answers.ts'
import { differencesOf, pathPattern } from './differences.ts'
import type { Judge } from './judge.ts'
import { hasTreacherousNames, withNeutralNames } from './neutral-names.ts'
import type { VerifyOperation } from './operation.ts'
import type { Difference, Verdict } from './verdict.ts'

const LIVE_RUNS = 3

/** Whom the judge asks. */
export type LiveGateways = {
  readonly ours: EngineGateway
  readonly theirs: SecondOpinion | SecondOpinionError
  /** Judges on sample subgraphs of several seeds, since one world may not show what another does. */
  readonly samples: readonly Judge[]
}

/** A judge on real subgraphs. */
export function openLiveJudge({ ours: askOurs, theirs: askTheirs, samples }: LiveGateways): Judge {
  return async (operation) => {
    const question = hasTreacherousNames(operation.query)
      ? { ...operation, query: withNeutralNames(operation.query) }
      : operation
    let lasting: readonly Difference[] = []
    let plan: OurAnswer['plan'] | null = null
    for (let run = 1; run <= LIVE_RUNS; run++) {
      let ours: OurAnswer
      try {
        ours = await askOurs(question)
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) throw error
        const { code, message } = error
        return { kind: 'one-only', answeredBy: 'theirs', code: String(code), message, isConfirmed: null }
      }
      const theirs = await opinionOf(askTheirs, question)
      if ('code' in theirs) return { kind: 'one-only', answeredBy: 'ours', ...theirs, isConfirmed: null }
      plan = ours.plan
      const found = differencesOf(compareOpinions(ours.opinion, theirs), plan, ours.opinion, theirs)
      if (found.length === 0) {
        return question === operation
          ? { kind: 'equal', runs: run }
          : { kind: 'limit', limits: ['aliases'], differences: [] }
      }
      lasting = run === 1 ? found : found.filter((difference) => persists(difference, lasting))
      // Nothing has differed in all runs so far, so nothing will have.
      if (lasting.length === 0) return { kind: 'equal', runs: run }
    }
    return await explained(operation, lasting, plan)
  }

  async function explained(
    operation: VerifyOperation,
    differences: readonly Difference[],
    plan: OurAnswer['plan'] | null,
  ): Promise<Verdict> {
    for (const judge of samples) {
      const verdict = await judge(operation)
      if (verdict.kind !== 'limit') continue
      const { limits } = verdict
      if (differences.every((difference) => isRepeatedIn(difference, verdict.differences)))
        return { kind: 'limit', limits, differences }
    }
    return { kind: 'different', differences, oneServerAgreesWith: null, plan }
  }
}

function persists({ path, ours, theirs }: Difference, before: readonly Difference[]): boolean {
  return before.some(
    (earlier) =>
      pathPattern(earlier.path) === pathPattern(path) &&
      (isSame(earlier.ours, ours) || isSame(earlier.theirs, theirs)),
  )
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** True if another difference is at the same fields, at any index of their lists. */
function isRepeatedIn({ path, errorOf }: Difference, others: readonly Difference[]): boolean {
  return others.some(
    (other) =>
      pathPattern(other.path) === pathPattern(path) && (other.errorOf === null) === (errorOf === null),
  )
}

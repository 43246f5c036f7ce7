/** Decides what the controller does about a ramp: a pure function of the ramp, its figures and the time. */
import type { EmergencyFigures } from '@switchyard/contracts'
import { isGuarded, type Ramp } from '@switchyard/domain'
import {
  type Figures,
  isEmergency,
  type Judgement,
  judgeStep,
  stepOutcome,
  type WindowTotals,
} from '@switchyard/guards'

/** The part of the living routers that must have reported on a step before it goes on. */
const REPORTED_PART = 0.9

/** The part of the living routers whose own emergency stops abort a ramp. */
const STOPPED_PART = 0.5

/** Everything that a decision about a step goes by. */
export type StepFacts = {
  readonly ramp: Ramp
  /** The totals of all routers since the step began. */
  readonly figures: Figures
  /** Requests and errors inside of the last ten seconds. */
  readonly recent: WindowTotals
  /** Living routers of the graph, and those of them that did not report on the step. */
  readonly living: number
  readonly silent: readonly string[]
  /** Living routers whose own emergency stop treats the rollout as 0 %, and the figures of that. */
  readonly stopped: { readonly routers: number; readonly totals: WindowTotals }
  /** Unix milliseconds. */
  readonly now: number
}

/** The next thing to do about a ramp. `held` waits for routers that do not report. */
export type Move =
  | { readonly kind: 'wait' }
  | { readonly kind: 'held'; readonly silent: readonly string[] }
  | { readonly kind: 'advance' | 'end-ramp' | 'complete' | 'pause'; readonly judgement?: Judgement }
  | { readonly kind: 'abort'; readonly judgement?: Judgement; readonly emergency?: EmergencyFigures }

const WAIT: Move = { kind: 'wait' }

export function nextMove(facts: StepFacts): Move {
  const { ramp, figures, recent, living, stopped, now } = facts
  const { stop } = ramp
  if (stop !== undefined && isEmergency(stop, recent)) return { kind: 'abort', emergency: recent }
  // These count requests that figures do not have. Until the next revision nobody gets the flag from them.
  if (stopped.routers > 0 && stopped.routers >= living * STOPPED_PART)
    return { kind: 'abort', emergency: stopped.totals }
  const isOver = now >= ramp.sinceTime + ramp.everyMs
  const judgement = judgeStep(figures, ramp)
  if (judgement === null) return isOver ? goOn(ramp, undefined, facts) : WAIT
  const outcome = stepOutcome(judgement, isOver)
  switch (outcome) {
    case 'abort':
      return { kind: 'abort', judgement }
    case 'go-on':
      return goOn(ramp, judgement, facts)
    case 'inconclusive':
      // Whoever has not reported may have what is missing.
      return hold(facts) ?? { kind: 'pause', judgement }
    case null:
      return WAIT
    default:
      return outcome satisfies never
  }
}

function goOn(ramp: Ramp, judgement: Judgement | undefined, facts: StepFacts): Move {
  const held = isGuarded(ramp) ? hold(facts) : null
  if (held !== null) return held
  const isLast = ramp.step === ramp.steps.length - 1
  const kind = !isLast ? 'advance' : ramp.steps[ramp.step] === 100 ? 'complete' : 'end-ramp'
  return { kind, ...(judgement === undefined ? {} : { judgement }) }
}

/** Returns a move that waits if too few routers report; otherwise null. */
function hold({ living, silent }: StepFacts): Move | null {
  const reported = living - silent.length
  return living > 0 && reported >= living * REPORTED_PART ? null : { kind: 'held', silent }
}

/** Says in lines how the rollouts of a graph decide about a request. */
import type { RolloutView } from '@switchyard/contracts'
import {
  type ExplainedCondition,
  type ExplainedRollout,
  printRolloutCondition,
  type RolloutExplanation,
} from '@switchyard/rollouts'
import { printFlagState, printKey } from './print-rollout.ts'

/** Returns a line for each rollout in its order, with its conditions below it, and the result at the end. */
export function printExplanation(
  { decision, rollouts: explained }: RolloutExplanation,
  rollouts: readonly RolloutView[],
): readonly string[] {
  const lines = rollouts.flatMap((rollout, index) => {
    const found = explained[index]
    const head = `${index + 1}. ${rollout.name} (flag ${rollout.flag}, ${rollout.inForce} percent)`
    if (found === undefined) return [`${head}: is not looked at, since one before it decides`]
    return [`${head}: ${outcomeOf(found, rollout)}`, ...found.conditions.map(conditionLine)]
  })
  return [...lines, resultOf(decision)]
}

function resultOf(decision: RolloutExplanation['decision']): string {
  switch (decision.kind) {
    case 'inside':
      return `The request gets feature flag "${decision.flag}", by rollout "${decision.rollout}".`
    case 'control':
      return `The request gets the base graph, since it is outside of rollout "${decision.rollout}".`
    case 'none':
      return 'The request gets the base graph, since no rollout is for it.'
    default:
      return decision satisfies never
  }
}

function outcomeOf({ outcome, key, percent }: ExplainedRollout, rollout: RolloutView): string {
  const limit = Math.round(percent * 100)
  switch (outcome) {
    case 'inside':
      return key === null
        ? 'inside, as is everybody of its audience'
        : `inside: bucket ${key.bucket} of ${key.source} is below ${limit}`
    case 'control':
      return key === null
        ? 'outside, as is everybody of its audience'
        : `outside: bucket ${key.bucket} of ${key.source} is not below ${limit}`
    case 'other-audience':
      return 'not for this request, since a condition does not hold'
    case 'no-key':
      return `not for this request, which has no key (${printKey(rollout)})${visitorRemark(rollout)}`
    case 'expired':
      return `passed over, since it expired at ${rollout.expires ?? ''}`
    case 'unknown-flag':
      return `passed over, since routers do not have its flag (${printFlagState(rollout)})`
    case 'not-serving':
      return `passed over, since its mode is ${rollout.mode}`
    case 'keyless':
      return 'passed over, since it has a percentage and no key'
    case 'not-understood':
      return 'not understood, so requests that may be of its audience get base'
    default:
      return outcome satisfies never
  }
}

function visitorRemark({ key }: RolloutView): string {
  return key.includes('visitor_cookie') ? '; a router that assigns cookies to visitors gives it one' : ''
}

function conditionLine({ condition, seen, holds, problem }: ExplainedCondition): string {
  const values = seen === null ? 'it has none' : `it has ${valuesOf(seen) || 'no value'}`
  const outcome = holds ? 'holds' : 'does not hold'
  return `   ${printRolloutCondition(condition)}: ${problem ?? outcome} (${values})`
}

function valuesOf(seen: string | readonly string[]): string {
  return typeof seen === 'string' ? JSON.stringify(seen) : seen.map((one) => JSON.stringify(one)).join(', ')
}

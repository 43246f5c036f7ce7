/** Says in lines how the rollouts of a graph decide about a request. */
import type { RolloutView } from '@switchyard/contracts'
import {
  type ExplainedCondition,
  type ExplainedRollout,
  printRolloutCondition,
  type RolloutExplanation,
} from '@switchyard/rollouts'
import { conditionText, decisionText, outcomeText, rolloutTitle } from '@switchyard/rollouts/sentences'
import { printFlagState, printKey } from './print-rollout.ts'

/** Returns a line for each rollout in its order, with its conditions below it, and the result at the end. */
export function printExplanation(
  { rollouts: explained }: RolloutExplanation,
  rollouts: readonly RolloutView[],
): readonly string[] {
  const told = explained.map((found) => ({ ...found, name: found.rollout }))
  const lines = rollouts.flatMap((rollout, index) => {
    const found = told[index]
    const head = `${index + 1}. ${rolloutTitle({ ...rollout, percent: rollout.inForce })}`
    if (found === undefined) return [`${head}: is not looked at, since one before it decides`]
    const outcome = outcomeText(found, detailsOf(found, rollout))
    return [`${head}: ${outcome}`, ...found.conditions.map(conditionLine)]
  })
  return [...lines, decisionText(told.at(-1))]
}

/** Returns what the registry knows beside the outcome. */
function detailsOf({ outcome }: ExplainedRollout, rollout: RolloutView): string {
  switch (outcome) {
    case 'no-key':
      return `${printKey(rollout)}${visitorRemark(rollout)}`
    case 'expired':
      return rollout.expires ?? ''
    case 'unknown-flag':
      return printFlagState(rollout)
    case 'not-serving':
      return `its mode is ${rollout.mode}`
    default:
      return ''
  }
}

function visitorRemark({ key }: RolloutView): string {
  return key.includes('visitor_cookie') ? '; a router that assigns cookies to visitors gives it one' : ''
}

function conditionLine({ condition, seen, holds, problem }: ExplainedCondition): string {
  const values = typeof seen === 'string' ? [seen] : seen
  return `   ${conditionText({ text: printRolloutCondition(condition), seen: values, holds, problem })}`
}

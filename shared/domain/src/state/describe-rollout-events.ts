/**
 * Describes events about rollouts. A rollout of mode `shadow` gives its flag to nobody, so its sentences
 * speak of answers that are compared.
 */
import { applyRolloutEvent, type RolloutEvent } from './rollout-events.ts'
import type { NamespaceState, Rollout } from './namespace-state.ts'
import { percentInForce } from './rollouts.ts'
import { unreachable } from './unreachable.ts'

type Rule = Pick<Rollout, 'mode' | 'percent'>

/** Describes an event. `before` is the state that the event changes. */
export function describeRolloutEvent(event: RolloutEvent, before: NamespaceState): string {
  const { name } = event
  const after = applyRolloutEvent(before, event).rollouts.get(name)
  const isShadow = after?.mode === 'shadow'
  switch (event.type) {
    case 'rollout.created':
      return `Rollout "${name}" was created: ${effectOf(event)}.`
    case 'rollout.updated':
      return `Rollout "${name}" was updated${changeOf(event, after)}.`
    case 'rollout.ramped': {
      const count = event.steps.length
      return `Rollout "${name}" began a ramp: ${extentOf(after)}, ${count === 1 ? 'its only step' : `the first of ${count} steps`}.`
    }
    case 'rollout.advanced':
      return `The ramp of rollout "${name}" went on: ${extentOf(after)}.`
    case 'rollout.paused':
      return `The ramp of rollout "${name}" was paused: ${extentOf(after)} until it is resumed.`
    case 'rollout.ramp-ended':
      return `The ramp of rollout "${name}" ended: ${extentOf(after)}.`
    case 'rollout.aborted':
      return `Rollout "${name}" was aborted: it ${isShadow ? 'compares nothing' : 'selects nobody'}.`
    case 'rollout.resumed':
      return `Rollout "${name}" was resumed: ${extentOf(after)}${after?.ramp?.state === 'running' ? ', and the step of its ramp begins anew' : ''}.`
    case 'rollout.completed':
      return `Rollout "${name}" was completed: ${extentOf(after)}.`
    case 'rollout.deleted':
      return `Rollout "${name}" was deleted.`
    default:
      return unreachable(event)
  }
}

/** Says who gets the flag of a new rollout, or what is compared. */
function effectOf({
  mode,
  percent,
  flag,
  graph,
}: Rule & { readonly flag: string; readonly graph: string }): string {
  const there = `in federated graph "${graph}"`
  if (mode === 'shadow') {
    const compared = percent === 0 ? 'no answer' : `answers to ${audiencePhrase(percent)}`
    return `${compared} ${there} ${percent === 0 ? 'is' : 'are'} compared with ${percent === 0 ? 'that' : 'those'} of feature flag "${flag}", which nobody gets`
  }
  if (percent === 0) return `nobody gets feature flag "${flag}" ${there} by it yet`
  return `${audiencePhrase(percent)} ${percent === 100 ? 'gets' : 'get'} feature flag "${flag}" ${there}`
}

/** Says what becomes of a rollout that has another percentage or mode. */
function changeOf(
  { percent, mode }: Extract<RolloutEvent, { readonly type: 'rollout.updated' }>,
  after: Rollout | undefined,
): string {
  if (mode === undefined) return percent === undefined ? '' : `: ${extentOf(after)}`
  const served =
    mode === 'shadow' ? 'its flag is only compared with base now' : 'it gives its flag to requests now'
  return `: ${served}, and ${extentOf(after)}`
}

/** Says how many requests are inside of a rollout, or how many answers it compares. */
function extentOf(rollout: Rollout | undefined): string {
  if (rollout === undefined) return 'nobody is inside'
  const percent = percentInForce(rollout)
  if (rollout.mode === 'shadow')
    return percent === 0 ? 'no answer is compared' : `answers to ${audiencePhrase(percent)} are compared`
  if (percent === 0) return 'nobody is inside'
  return `${audiencePhrase(percent)} ${percent === 100 ? 'is' : 'are'} inside`
}

function audiencePhrase(percent: number): string {
  return percent === 100 ? 'its whole audience' : `${percent} percent of its audience`
}

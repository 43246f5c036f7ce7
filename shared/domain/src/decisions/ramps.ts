/** Ramps of rollouts: percentages one after the other, and what stops them. */
import { isDeepStrictEqual } from 'node:util'
import { MAX_GUARDED_PERCENT, problem, rolloutSourceOf } from '@switchyard/contracts'
import type { NamespaceState, Ramp, Rollout } from '../state/namespace-state.ts'
import { planOf } from '../state/ramp-events.ts'
import type { CommandOf, JudgedStep } from './command.ts'
import { decided, type Decision, invalid, refused, unchanged } from './decision.ts'

export function rampRollout(
  state: NamespaceState,
  rollout: Rollout,
  { plan }: CommandOf<'ramp-rollout'>,
): Decision {
  const { name, ramp } = rollout
  if (
    ramp?.state === 'running' &&
    rollout.status === 'active' &&
    isDeepStrictEqual(planOf(ramp), planOf(plan))
  )
    return unchanged(`Rollout "${name}" is on this ramp already`)
  const problems = rampProblems(rollout, plan)
  if (problems.length === 0) return decided(state, { type: 'rollout.ramped', name, ...planOf(plan) })
  return invalid('ROLLOUT_INVALID', `Rollout "${name}" did not begin a ramp`, problems)
}

/** Decides a command about a ramp that runs. */
export function moveRamp(
  state: NamespaceState,
  rollout: Rollout,
  { type, since, judgement }: CommandOf<'advance-rollout' | 'pause-rollout' | 'end-ramp-of-rollout'>,
): Decision {
  const { name, ramp } = rollout
  if (ramp?.state !== 'running') {
    return type === 'pause-rollout' && ramp?.state === 'paused'
      ? unchanged(`The ramp of rollout "${name}" is paused already`)
      : since === undefined
        ? noRamp(rollout)
        : movedOn(rollout, 'It is on no ramp that runs.')
  }
  const late = lateness(rollout, { since })
  if (late !== null) return late
  const judged = judgement === undefined ? {} : { judgement }
  if (type === 'pause-rollout') return decided(state, { type: 'rollout.paused', name, ...judged })
  const next = ramp.step + 1
  const isLast = next >= ramp.steps.length
  if (type === 'end-ramp-of-rollout') {
    return isLast
      ? decided(state, { type: 'rollout.ramp-ended', name, ...judged })
      : movedOn(rollout, 'It is not at the last step of its ramp.')
  }
  return isLast
    ? movedOn(rollout, 'It is at the last step of its ramp.')
    : decided(state, { type: 'rollout.advanced', name, step: next, ...judged })
}

/** Returns a refusal if the command judged another step than the one in force; null otherwise. */
export function lateness(rollout: Rollout, { since }: JudgedStep): Decision | null {
  const { ramp } = rollout
  if (since === undefined || (ramp?.state === 'running' && ramp.since === since)) return null
  return movedOn(rollout, `The judged step began with record ${since}, ${inForce(ramp)}.`)
}

function inForce(ramp: Ramp | null): string {
  if (ramp === null) return 'and the rollout is on no ramp'
  return ramp.state === 'running'
    ? `and the one in force with record ${ramp.since}`
    : `and the ramp is ${ramp.state}`
}

function movedOn({ name }: Rollout, why: string): Decision {
  return refused(
    problem(
      'RAMP_MOVED_ON',
      `The ramp of rollout "${name}" is not where it was judged. ${why} Nothing was changed.`,
    ),
  )
}

/** Refuses what somebody wants of a ramp, and no judgement, where there is none that runs. */
function noRamp({ name, mode, ramp }: Rollout): Decision {
  const why =
    mode === 'shadow'
      ? 'is of mode "shadow", which gives its flag to nobody and has no ramp'
      : ramp === null
        ? 'has no ramp'
        : `is on no ramp that runs: its ramp ${ramp.state === 'ended' ? 'has ended' : 'is paused'}`
  return refused(problem('RAMP_MOVED_ON', `Rollout "${name}" ${why}. Nothing was changed.`))
}

function rampProblems(
  { key, mode, status }: Rollout,
  { steps, guards, forgeableKey }: CommandOf<'ramp-rollout'>['plan'],
): string[] {
  if (mode !== 'serve')
    return ['A rollout of the mode "shadow" gives its flag to nobody, so that it needs no ramp.']
  const forgeable = key.filter(isForgeable)
  return [
    ...(status === 'active' ? [] : [`The rollout is ${status}. Resume it first.`]),
    ...(key.length > 0
      ? []
      : ['The rollout has no key, and without one nobody is recognised. Name one first, such as claim:sub.']),
    ...(forgeable.length === 0 || forgeableKey === true
      ? []
      : [
          `Clients make the key ${forgeable.map((one) => `"${one}"`).join(', ')} themselves: whoever wants to can be inside, and one client can look like thousands. Name a claim instead, or say that you accept it (--forgeable-key).`,
        ]),
    ...(guards === undefined || steps.every((percent) => percent === 100 || percent <= MAX_GUARDED_PERCENT)
      ? []
      : [
          `Guards compare with requests outside the percentage, and above ${MAX_GUARDED_PERCENT} percent too few are left. A guarded step is at most ${MAX_GUARDED_PERCENT}, or 100, which is not compared.`,
        ]),
  ]
}

/** Clients choose the values of headers and of cookies that nobody signs. */
function isForgeable(source: string): boolean {
  const kind = rolloutSourceOf(source)?.kind
  return kind === 'header' || kind === 'cookie'
}

/** Events about the ramp of a rollout on that rollout. */
import type { RampPlan, RegistryEvent } from '@switchyard/contracts'
import type { Judgement } from '@switchyard/guards'
import type { Ramp, Rollout } from './namespace-state.ts'

/** An event that changes where a rollout is. */
export type RampEvent = Extract<
  RegistryEvent,
  {
    readonly type:
      | 'rollout.ramped'
      | 'rollout.advanced'
      | 'rollout.paused'
      | 'rollout.ramp-ended'
      | 'rollout.aborted'
      | 'rollout.resumed'
      | 'rollout.completed'
  }
>

/** The record of an event: its sequence, and its time in Unix milliseconds. */
export type RecordPlace = { readonly sequence: number; readonly time: number }

/** Returns the rollout after the event. */
export function afterRampEvent(rollout: Rollout, event: RampEvent, at: RecordPlace): Rollout {
  const { ramp } = rollout
  switch (event.type) {
    case 'rollout.ramped':
      return begun(rollout, event, at)
    case 'rollout.advanced':
      return ramp === null
        ? rollout
        : atStep(rollout, { ...ramp, judgement: judgementIn(event) }, event.step, at)
    case 'rollout.paused':
      return { ...rollout, ramp: stopped(ramp, 'paused', event) }
    case 'rollout.ramp-ended':
      return { ...rollout, ramp: stopped(ramp, 'ended', event) }
    case 'rollout.aborted':
      return { ...rollout, status: 'aborted', ramp: stopped(ramp, 'paused', event) }
    case 'rollout.completed':
      return { ...rollout, status: 'completed', ramp: stopped(ramp, 'ended', event) }
    case 'rollout.resumed':
      return { ...rollout, status: 'active', ramp: ramp?.state === 'paused' ? resumed(ramp, at) : ramp }
    default:
      return event satisfies never
  }
}

/** The plan of a ramp, without where it is. */
export function planOf({ steps, everyMs, guards, stop, forgeableKey }: RampPlan): RampPlan {
  return {
    steps,
    everyMs,
    ...(guards === undefined ? {} : { guards }),
    ...(stop === undefined ? {} : { stop }),
    ...(forgeableKey === undefined ? {} : { forgeableKey }),
  }
}

function begun(
  rollout: Rollout,
  event: Extract<RampEvent, { readonly type: 'rollout.ramped' }>,
  { sequence, time }: RecordPlace,
): Rollout {
  const ramp: Ramp = {
    ...planOf(event),
    step: 0,
    since: sequence,
    sinceTime: time,
    begun: 1,
    attempt: 1,
    state: 'running',
    judgement: null,
    emergency: null,
  }
  return { ...rollout, percent: event.steps[0] ?? rollout.percent, ramp }
}

function atStep(rollout: Rollout, ramp: Ramp, step: number, { sequence, time }: RecordPlace): Rollout {
  const percent = ramp.steps[step]
  if (percent === undefined) return rollout
  const begunNow = { step, since: sequence, sinceTime: time, begun: ramp.begun + 1, attempt: 1 }
  return { ...rollout, percent, ramp: { ...ramp, ...begunNow } }
}

/** The same step begins again: what was counted so far belongs to another time. */
function resumed(ramp: Ramp, { sequence, time }: RecordPlace): Ramp {
  return {
    ...ramp,
    since: sequence,
    sinceTime: time,
    begun: ramp.begun + 1,
    attempt: ramp.attempt + 1,
    state: 'running',
    emergency: null,
  }
}

function stopped(ramp: Ramp | null, state: 'paused' | 'ended', event: RampEvent): Ramp | null {
  if (ramp === null || ramp.state === 'ended') return ramp
  const emergency = 'emergency' in event ? (event.emergency ?? null) : null
  return { ...ramp, state, judgement: judgementIn(event) ?? ramp.judgement, emergency }
}

function judgementIn(event: RampEvent): Judgement | null {
  return 'judgement' in event ? (event.judgement ?? null) : null
}

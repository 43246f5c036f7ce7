/** Finds out which commands about a rollout mean something in its state. */
import type { Rollout } from '../../parts/rollouts/state.ts'

export type Verb = 'abort' | 'pause' | 'resume' | 'advance' | 'end-ramp' | 'complete' | 'percent'

/** Returns for each command the reason why it changes nothing now; null if it does change something. */
export function reasonsAgainst({
  status,
  ramp,
}: Pick<Rollout, 'status' | 'ramp'>): Readonly<Record<Verb, string | null>> {
  const isRunning = status === 'active' && ramp?.state === 'running'
  const noRamp = isRunning ? null : 'No ramp of it runs.'
  const isLast = ramp !== null && ramp.step + 1 >= ramp.steps.length
  return {
    abort: status === 'aborted' ? 'It is aborted already.' : null,
    pause: noRamp,
    resume: status === 'active' && ramp?.state !== 'paused' ? 'It is active.' : null,
    advance: noRamp ?? (isLast ? 'It is at the last step of its ramp.' : null),
    'end-ramp': noRamp ?? (isLast ? null : 'It is not at the last step of its ramp.'),
    complete: status === 'completed' ? 'It is completed already.' : null,
    percent: percentReason(status, isRunning),
  }
}

function percentReason(status: Rollout['status'], isRunning: boolean): string | null {
  if (status !== 'active') return `It is ${status}: resume it first.`
  return isRunning ? 'Its ramp sets the percentage: pause or abort it first.' : null
}

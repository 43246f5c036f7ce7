/** Facts about rollouts in words. */
import type { Read } from '../../api/client.ts'
import type { Tone } from '../pill.tsx'

export type Rollout = Read<'/v1/rollouts/{namespace}/{name}'>

/** Returns the state of a rollout in a word or two. */
export function stateOf(
  { status, ramp, expires, state, mode }: Pick<Rollout, 'status' | 'ramp' | 'expires' | 'state' | 'mode'>,
  now: number,
): { readonly tone: Tone; readonly text: string } {
  if (expires !== null && Date.parse(expires) <= now) return { tone: 'quiet', text: 'expired' }
  if (status === 'aborted') return { tone: 'bad', text: 'aborted' }
  if (state !== 'live') return { tone: 'warn', text: state }
  if (status === 'completed') return { tone: 'good', text: 'completed' }
  if (ramp?.state === 'paused') return { tone: 'warn', text: 'ramp paused' }
  if (ramp?.state === 'running')
    return { tone: 'good', text: `step ${ramp.step + 1} of ${ramp.steps.length}` }
  return { tone: 'good', text: mode === 'shadow' ? 'shadow' : 'active' }
}

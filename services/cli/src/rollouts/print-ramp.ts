/** The ramp of a rollout, in words. */
import type { RolloutView } from '@switchyard/contracts'
import { describeJudgement, printEmergencyStop, printGuards } from '@switchyard/guards'
import type { Detail } from '../output/details.ts'

/** Returns where the ramp is, and the figures that decided last. Empty for a rollout without a ramp. */
export function rampDetails(
  { ramp, status }: Pick<RolloutView, 'ramp' | 'status'>,
  now: number,
): readonly Detail[] {
  if (ramp === null) return []
  const { steps, step, guards, stop, judgement, emergency } = ramp
  const state = status === 'active' ? ramp.state : status
  const next = ramp.sinceTime + ramp.everyMs
  const until =
    state === 'running'
      ? `, ${next > now ? 'ends' : 'due to go on since'} ${new Date(next).toISOString()}`
      : ''
  return [
    ['ramp', `${steps.join(', ')}: step ${step + 1} of ${steps.length} (${state}${until})`],
    ...(guards === undefined ? [] : [['guards', printGuards(guards)] as const]),
    ...(stop === undefined ? [] : [['emergency stop', printEmergencyStop(stop)] as const]),
    ...(emergency === null
      ? []
      : [
          [
            'stopped by',
            `emergency stop: ${emergency.errors} of ${emergency.requests} requests inside failed within ten seconds`,
          ] as const,
        ]),
    ...(judgement === null ? [] : [['judgement', describeJudgement(judgement)] as const]),
  ]
}

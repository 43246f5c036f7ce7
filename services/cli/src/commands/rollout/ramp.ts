import { MAX_GUARDED_PERCENT } from '@switchyard/contracts'
import { writeCommand } from '../../command/make-command.ts'
import { flag, optional, required } from '../../command/options.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { emergencyStop, guards, stepLength, steps } from '../../rollouts/ramp-options.ts'

export const command = writeCommand({
  name: 'ramp',
  argument: { name: 'name', type: rolloutName },
  description: 'raise the percentage of a rollout step by step, and stop by itself where a guard says so',
  options: {
    steps: required('--steps <percentages>', 'the percentages, in ascending order: 1,5,25,50,95,100', steps),
    every: required('--every <duration>', 'how long each step lasts, such as 30m', stepLength),
    guard: optional(
      '--guard <guards>',
      'limits against requests outside the percentage: errors=+1pt,p99=1.3x,requests=500',
      guards,
    ),
    stop: optional(
      '--stop <limit>',
      'part of the requests inside that may fail over ten seconds: errors=20%',
      emergencyStop,
    ),
    forgeableKey: flag('--forgeable-key', 'accept a key that clients choose: a header or a plain cookie'),
  },
  notes: `A step goes on if its guards are kept at its end, the rollout is aborted as soon as one is exceeded, and the ramp is paused if a step ends
without being clear. Guards compare, so that a step is at most ${MAX_GUARDED_PERCENT} percent, or 100, which is not compared.`,
  examples: [
    'rollout ramp new-pricing --steps 1,5,25,50,95,100 --every 30m --guard errors=+1pt,p99=1.3x --stop errors=20%',
    'rollout ramp new-pricing --steps 10,100 --every 1d',
  ],
  request: ({ namespace, argument, options }) => {
    const { steps, every, guard, stop, forgeableKey } = options
    return {
      method: 'POST',
      path: apiPath('rollouts', namespace, argument, 'ramp'),
      body: {
        steps,
        everyMs: every,
        ...(guard === undefined ? {} : { guards: guard }),
        ...(stop === undefined ? {} : { stop }),
        ...(forgeableKey ? { forgeableKey } : {}),
      },
    }
  },
})

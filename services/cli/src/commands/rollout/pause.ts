import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = writeCommand({
  name: 'pause',
  argument: { name: 'name', type: rolloutName },
  description: 'hold the ramp of a rollout at its percentage; "resume" begins the step anew',
  examples: ['rollout pause new-pricing', `rollout pause new-pricing --reason 'release freeze'`],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('rollouts', namespace, argument, 'pause'),
    body: {},
  }),
})

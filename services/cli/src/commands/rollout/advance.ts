import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { stepRequest } from '../../rollouts/step-request.ts'

export const command = writeCommand({
  name: 'advance',
  argument: { name: 'name', type: rolloutName },
  description:
    'let the ramp of a rollout go on to its next step at once; no guard judges the step that is left',
  examples: [
    'rollout advance new-pricing',
    `rollout advance new-pricing --reason 'a fix for checkout is in it'`,
  ],
  request: (call) => stepRequest('advance', call),
})

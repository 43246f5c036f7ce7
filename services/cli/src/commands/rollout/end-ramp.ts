import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { stepRequest } from '../../rollouts/step-request.ts'

export const command = writeCommand({
  name: 'end-ramp',
  argument: { name: 'name', type: rolloutName },
  description:
    'end the ramp of a rollout that is at its last step, and keep the percentage; no guard watches it any more',
  examples: ['rollout end-ramp new-pricing', 'rollout end-ramp new-pricing -n staging'],
  request: (call) => stepRequest('end-ramp', call),
})

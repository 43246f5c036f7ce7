import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = writeCommand({
  name: 'abort',
  argument: { name: 'name', type: rolloutName },
  description:
    'give base to all requests of a rollout at once, or compare nothing more in mode shadow; its percentage is kept for "resume"',
  examples: ['rollout abort new-pricing', `rollout abort new-pricing --reason 'errors in checkout'`],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('rollouts', namespace, argument, 'abort'),
    body: {},
  }),
})

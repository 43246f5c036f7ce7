import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = writeCommand({
  name: 'resume',
  argument: { name: 'name', type: rolloutName },
  description: 'put the percentage of a rollout that was aborted or completed in force again',
  examples: ['rollout resume new-pricing', 'rollout resume new-pricing -n staging'],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('rollouts', namespace, argument, 'resume'),
    body: {},
  }),
})

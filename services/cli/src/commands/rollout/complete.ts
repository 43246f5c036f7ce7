import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = writeCommand({
  name: 'complete',
  argument: { name: 'name', type: rolloutName },
  description:
    'give the feature flag to the whole audience of a rollout, or compare all of its answers in mode shadow; its percentage is kept for "resume"',
  examples: ['rollout complete new-pricing', `rollout complete new-pricing --reason 'for everybody'`],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('rollouts', namespace, argument, 'complete'),
    body: {},
  }),
})

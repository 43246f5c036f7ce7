import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { featureFlagName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'enable',
  argument: { name: 'name', type: featureFlagName },
  description: 'serve the flag to requests that name it',
  examples: ['feature-flag enable new-pricing', 'ff enable new-pricing -n staging --no-wait'],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('feature-flags', namespace, argument, 'enable'),
    body: {},
  }),
})

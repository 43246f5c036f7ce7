import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { featureFlagName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'disable',
  argument: { name: 'name', type: featureFlagName },
  description: 'serve the base graph to requests that name the flag',
  examples: ['feature-flag disable new-pricing', 'ff disable new-pricing -n staging --no-wait'],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('feature-flags', namespace, argument, 'disable'),
    body: {},
  }),
})

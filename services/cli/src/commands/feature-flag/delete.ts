import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { featureFlagName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: featureFlagName },
  description: 'delete a feature flag; its feature subgraphs stay',
  examples: ['feature-flag delete new-pricing', 'ff delete new-pricing --force'],
  confirm: async ({ registry, namespace, argument }) => {
    const { flagDeletion, readNamespace } = await import('../../command/consequences.ts')
    return flagDeletion(await readNamespace(registry, namespace), argument)
  },
  request: ({ namespace, argument }) => ({
    method: 'DELETE',
    path: apiPath('feature-flags', namespace, argument),
    body: {},
  }),
})

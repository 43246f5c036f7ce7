import { writeCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: rolloutName },
  description: 'delete a rollout; its feature flag stays',
  examples: ['rollout delete new-pricing', 'rollout delete new-pricing --force'],
  confirm: async ({ registry, namespace, argument }) => {
    const { readNamespace, rolloutDeletion } = await import('../../command/consequences.ts')
    return rolloutDeletion(await readNamespace(registry, namespace), argument)
  },
  request: ({ namespace, argument }) => ({
    method: 'DELETE',
    path: apiPath('rollouts', namespace, argument),
    body: {},
  }),
})

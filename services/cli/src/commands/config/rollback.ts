import { writeCommand } from '../../command/make-command.ts'
import { required } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName, positiveNumber } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'rollback',
  choosesOnly: true,
  argument: { name: 'graph', type: graphName },
  description: 'hold a graph on an earlier revision until "config release"',
  options: {
    to: required('--to <revision>', 'the revision; "config history" lists them', positiveNumber('--to')),
  },
  examples: ['config rollback shop --to 1', 'config rollback shop --to 1 --force'],
  confirm: async ({ namespace, argument, options }) => ({
    question: `Roll federated graph "${argument}" in namespace "${namespace}" back to revision ${options.to}`,
    consequences: [
      'routers serve that revision until "config release": what is published meanwhile waits',
      'feature flags that were removed or disabled since stay off',
    ],
  }),
  request: ({ namespace, argument, options }) => ({
    method: 'PUT',
    path: apiPath('graphs', namespace, argument, 'pin'),
    body: { revision: options.to },
  }),
})

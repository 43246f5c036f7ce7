import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'release',
  choosesOnly: true,
  argument: { name: 'graph', type: graphName },
  description: 'let a graph follow its newest composition again after "config rollback"',
  examples: ['config release shop'],
  request: ({ namespace, argument }) => ({
    method: 'DELETE',
    path: apiPath('graphs', namespace, argument, 'pin'),
    body: {},
  }),
})

import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'republish',
  choosesOnly: true,
  argument: { name: 'graph', type: graphName },
  description: 'publish what a graph serves once more, so that every router takes it',
  notes:
    'For routers that serve what the event log does not have ("router list" says so), after it was restored to an earlier state: the new revision has the same content and begins a new epoch, which is newer than whatever they have.',
  examples: ['config republish shop'],
  request: ({ namespace, argument }) => ({
    method: 'POST',
    path: apiPath('graphs', namespace, argument, 'republish'),
    body: {},
  }),
})

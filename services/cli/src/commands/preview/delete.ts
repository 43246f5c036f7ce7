import { writeCommand } from '../../command/make-command.ts'
import { previewName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: previewName },
  description: 'delete a preview: what a pipeline does when its change is merged',
  examples: ['preview delete pr-481'],
  request: ({ namespace, argument }) => ({
    method: 'DELETE',
    path: apiPath('previews', namespace, argument),
    body: {},
  }),
})

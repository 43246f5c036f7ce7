import { flag } from '../../command/options.ts'
import { writeCommand } from '../../command/make-command.ts'
import { previewName } from '../../command/value-types.ts'
import { givenSubgraphs, PREVIEW_OPTIONS } from '../../previews/preview-subgraphs.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { UsageError } from '../../run/errors.ts'

export const command = writeCommand({
  name: 'create',
  annotated: true,
  argument: { name: 'name', type: previewName },
  description:
    'create a preview: other subgraphs in the place of some, for whoever knows its name, until it ends by itself',
  options: {
    ...PREVIEW_OPTIONS,
    orUpdate: flag('--or-update', 'update the preview if there is one: what a pipeline does at each push'),
  },
  examples: [
    'preview create pr-481 --subgraph products --routing-url https://pr-481.previews.internal/graphql --schema products.graphql --ttl 3d',
    'preview create pr-481 --subgraph products --routing-url https://pr-481.previews.internal/graphql --schema products.graphql --or-update',
  ],
  request: async ({ namespace, argument, options, context }) => {
    const { subgraphs, sources } = await givenSubgraphs(options, context)
    if (subgraphs.length === 0)
      throw new UsageError('preview create needs --subgraph, --routing-url and --schema.')
    const { ttl: ttlSeconds, orUpdate } = options
    const body = { name: argument, subgraphs, orUpdate, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) }
    return { method: 'POST', path: apiPath('previews', namespace), body, sources }
  },
})

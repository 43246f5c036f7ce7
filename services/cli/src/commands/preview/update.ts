import { optionalList } from '../../command/options.ts'
import { writeCommand } from '../../command/make-command.ts'
import { baseSubgraphName, previewName } from '../../command/value-types.ts'
import { givenSubgraphs, PREVIEW_OPTIONS } from '../../previews/preview-subgraphs.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { UsageError } from '../../run/errors.ts'

export const command = writeCommand({
  name: 'update',
  annotated: true,
  argument: { name: 'name', type: previewName },
  description: 'replace, add or take away subgraphs of a preview, or let it live longer',
  options: {
    ...PREVIEW_OPTIONS,
    without: optionalList('--without <names...>', 'subgraphs that it replaces no more', baseSubgraphName),
  },
  examples: [
    'preview update pr-481 --ttl 7d',
    'preview update pr-481 --subgraph reviews --routing-url https://pr-481-reviews.previews.internal/graphql --schema reviews.graphql',
    'preview update pr-481 --without reviews',
  ],
  request: async ({ namespace, argument, options, context }) => {
    const { subgraphs, sources } = await givenSubgraphs(options, context)
    const { ttl: ttlSeconds, without } = options
    const body = {
      ...(subgraphs.length === 0 ? {} : { subgraphs }),
      ...(without === undefined ? {} : { without }),
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    }
    if (Object.keys(body).length === 0) {
      throw new UsageError(
        'preview update changes --subgraph with --routing-url and --schema, --without, or --ttl; none was given.',
      )
    }
    return { method: 'PATCH', path: apiPath('previews', namespace, argument), body, sources }
  },
})

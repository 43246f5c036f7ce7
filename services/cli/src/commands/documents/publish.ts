import { readTextFile } from '../../files/files.ts'
import { writeCommand } from '../../command/make-command.ts'
import { flag, optionalList, required } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { anyText, filePath, graphName, newName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'publish',
  argument: { name: 'name', type: newName('manifest') },
  description: 'publish a manifest of documents for the routers of a graph, in place of the one of this name',
  options: {
    graph: required('--graph <name>', 'the federated graph', graphName),
    manifest: required(
      '--manifest <file>',
      'documents by identifier, as Relay, Apollo or GraphQL Code Generator write them',
      filePath,
    ),
    client: optionalList('--client <names...>', 'only these clients may use it; else all may', anyText),
    strict: flag('--strict', 'refuse documents that do not fit base and every enabled feature flag'),
  },
  notes: `Every document is checked against base and every enabled feature flag. One that fits none of them is refused; one that does
not fit some of them is warned of. Routers use what is published where documents.published is true.
Apps that are in use for long have a manifest for each version, such as ios-4.2: a manifest replaces only its own name.`,
  examples: [
    'documents publish web --graph shop --manifest documents.json',
    'documents publish ios-4.2 --graph shop --manifest documents.json --client ios --strict',
  ],
  request: async ({ namespace, argument, options, context }) => {
    const manifest = await readTextFile({ path: options.manifest, what: 'manifest' }, context.cwd)
    return {
      method: 'PUT',
      path: apiPath('graphs', namespace, options.graph, 'documents', argument),
      body: {
        manifest,
        ...(options.client === undefined ? {} : { clients: options.client }),
        strict: options.strict,
      },
    }
  },
})

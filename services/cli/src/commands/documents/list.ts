import { DocumentManifestList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { required } from '../../command/options.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the manifests of documents of a graph',
  options: { graph: required('--graph <name>', 'the federated graph', graphName) },
  examples: ['documents list --graph shop', 'documents list --graph shop --json'],
  run: async ({ namespace, registry, options, context }) => {
    const path = apiPath('graphs', namespace, options.graph, 'documents')
    const found = await registry.get(path, DocumentManifestList)
    return tableResult(
      found,
      {
        columns: ['name', 'documents', 'clients', 'bytes', 'sha256'],
        rows: found.manifests.map(({ name, documents, clients, bytes, sha256 }) => [
          name,
          String(documents),
          clients?.join(' ') ?? 'all',
          String(bytes),
          sha256.slice(0, 12),
        ]),
        whenEmpty: `No manifests of documents were published for "${options.graph}".`,
      },
      context,
    )
  },
})

import { resolve } from 'node:path'
import { DocumentManifest } from '@switchyard/contracts'
import { dataResult, successResult } from '../../output/command-result.ts'
import { registryCommand } from '../../command/make-command.ts'
import { optional, required } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { writeFileAtomically } from '../../files/replace-file.ts'
import { filePath, graphName, newName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'fetch',
  argument: { name: 'name', type: newName('manifest') },
  description: 'print a manifest of documents, or write it to a file',
  options: {
    graph: required('--graph <name>', 'the federated graph', graphName),
    out: optional('--out <manifest.json>', 'where to write it', filePath),
  },
  examples: ['documents fetch web --graph shop', 'documents fetch web --graph shop --out manifest.json'],
  run: async ({ namespace, registry, argument, options, context }) => {
    const path = apiPath('graphs', namespace, options.graph, 'documents', argument)
    const found = await registry.get(path, DocumentManifest)
    if (options.out === undefined) return dataResult({ result: found }, found.manifest)
    await writeFileAtomically(resolve(context.cwd, options.out), `${found.manifest}\n`, options.out)
    const { manifest: _, ...rest } = found
    return successResult({ result: { ...rest, out: options.out } }, `${options.out} is written.`)
  },
})

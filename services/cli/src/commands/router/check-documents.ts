import { localCommand } from '../../command/make-command.ts'
import { existingFile } from '../../files/files.ts'
import { optionalList } from '../../command/options.ts'
import { servedFile, SERVED_FILE } from '../../files/served-file.ts'
import { ROUTER_SETTINGS } from '../../command/shared-options.ts'
import { filePath } from '../../command/value-types.ts'

export const command = localCommand({
  name: 'check-documents',
  description: 'validate the documents of manifests against a graph and each of its feature flags',
  options: {
    ...SERVED_FILE,
    manifest: optionalList(
      '--manifest <file...>',
      'what Relay, Apollo or GraphQL Code Generator wrote (default: those of the settings file, and published ones)',
      filePath,
    ),
    ...ROUTER_SETTINGS,
  },
  examples: [
    'router check-documents --execution-config config.json --manifest documents.json',
    'router check-documents --execution-config config.json',
    'router check-documents --supergraph supergraph.graphql --manifest documents.json',
  ],
  notes: `
Exit code 1: some document cannot be answered by base or by a flag; each is printed with the reason. So it is for a manifest that a router would not take.
Limits and "engine.enable_defer" are those of the settings file, else the defaults. Without --manifest, documents that were published for
the graph are checked, too, unless the settings file does not use them: they are in the file that "config fetch" writes.`,
  run: async ({ options, json, context }) => {
    const manifests: string[] = []
    for (const path of options.manifest ?? []) manifests.push(await existingFile(path, 'manifest', context))
    const env = {
      ...context.env,
      ...(await servedFile('router check-documents takes one graph', options, context)),
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    return context.becomeService('router', env, ['check-documents', ...manifests])
  },
})

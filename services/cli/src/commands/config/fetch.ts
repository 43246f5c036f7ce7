import { resolve } from 'node:path'
import { ExecutionConfigFile } from '@switchyard/contracts'
import { printableJson } from '@switchyard/service-kit/printable'
import { dataResult, successResult } from '../../output/command-result.ts'
import { registryCommand } from '../../command/make-command.ts'
import { optional, optionalList } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { writeFileAtomically } from '../../files/replace-file.ts'
import { featureFlagName, filePath, graphName, positiveNumber } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'fetch',
  argument: { name: 'graph', type: graphName },
  description: 'print the execution config of a graph, or write it to a file',
  options: {
    revision: optional(
      '--revision <number>',
      'of this revision instead of the newest',
      positiveNumber('--revision'),
    ),
    flag: optionalList('--flag <names...>', 'with these feature flags only', featureFlagName),
    out: optional('--out <config.json>', 'where to write it', filePath),
  },
  examples: [
    'config fetch shop --out config.json',
    'config fetch shop --revision 1 --out config.json',
    'config fetch shop',
  ],
  run: async ({ namespace, registry, argument, options, context }) => {
    const query = new URLSearchParams()
    if (options.revision !== undefined) query.set('revision', String(options.revision))
    for (const name of options.flag ?? []) query.append('featureFlag', name)
    const suffix = query.size === 0 ? '' : `?${query.toString()}`
    const path = `${apiPath('graphs', namespace, argument, 'execution-config')}${suffix}`
    const file = await registry.get(path, ExecutionConfigFile)
    if (options.out === undefined) return dataResult({ result: file }, printableJson(JSON.stringify(file)))
    await writeFileAtomically(resolve(context.cwd, options.out), `${JSON.stringify(file)}\n`, options.out)
    const result = { out: options.out, featureFlags: Object.keys(file.featureFlags) }
    return successResult({ result }, `${options.out} is written.`)
  },
})

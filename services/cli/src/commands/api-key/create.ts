import { ApiKeyScope, CreatedApiKey } from '@switchyard/contracts'
import { successResult } from '../../output/command-result.ts'
import { UsageError } from '../../run/errors.ts'
import { registryCommand } from '../../command/make-command.ts'
import { requiredList } from '../../command/options.ts'
import { printWarnings } from '../../output/warnings.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { newName, type ValueType } from '../../command/value-types.ts'

const scope: ValueType<string> = {
  parse: (word) => {
    if (ApiKeyScope.safeParse(word).success) return word
    throw new UsageError(
      `"${word}" is no scope: read, publish:<namespace>, deploy:<namespace>, rollout:<namespace>, abort:<namespace>, trace:<namespace> or admin was expected.`,
    )
  },
  completion: ['read', 'publish:', 'deploy:', 'rollout:', 'abort:', 'trace:', 'admin'],
}

export const command = registryCommand({
  name: 'create',
  argument: { name: 'name', description: 'for people: what will use it', type: newName('API key') },
  description: 'create an API key and print it; it is shown only now',
  namespaced: false,
  options: { scopes: requiredList('--scope <scopes...>', 'what it may do', scope) },
  notes: `Scopes: read; publish:<namespace> (schemas of subgraphs that exist, manifests of documents); deploy:<namespace> (every change in it);
rollout:<namespace> (its rollouts); abort:<namespace> (aborting them); trace:<namespace> (trace tokens of its graphs and differences of its rollouts, and nothing else); admin (everything).`,
  examples: [
    'api-key create ci --scope publish:default',
    'api-key create release --scope deploy:default deploy:staging read',
    'api-key create on-call --scope abort:default',
    'api-key create support --scope trace:default',
  ],
  run: async ({ registry, argument, options, context }) => {
    const body = { name: argument, scopes: options.scopes }
    const created = await registry.write({
      method: 'POST',
      path: apiPath('api-keys'),
      body,
      schema: CreatedApiKey,
    })
    const remarks = [
      printWarnings(created.warnings, context),
      `API key "${created.name}" was created (id ${created.id}). It is not shown again.`,
    ]
    return successResult({ result: created }, created.key, remarks.filter((text) => text !== '').join('\n'))
  },
})

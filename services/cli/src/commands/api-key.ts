import { ApiKeyList, ApiKeyScope, ApiKeyView, CreatedApiKey } from '@switchyard/contracts'
import type { z } from 'zod'
import { addGroup, addReadCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { done, listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { LocalRefusal, UsageError } from '../errors.ts'
import { requiredList } from '../options.ts'
import { styleFor } from '../output/style.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'
import { anyText, newName, type ValueType } from '../value-types.ts'

const scope: ValueType<string> = {
  parse: (word) => {
    if (ApiKeyScope.safeParse(word).success) return word
    throw new UsageError(
      `"${word}" is no scope: read, publish:<namespace>, deploy:<namespace>, trace:<namespace> or admin was expected.`,
    )
  },
  completion: ['read', 'publish:', 'deploy:', 'trace:', 'admin'],
}

export function addApiKeyCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const apiKey = addGroup(program, noun)

  addReadCommand(apiKey, invocation, {
    name: 'create',
    argument: { name: 'name', description: 'for people: what will use it', type: newName('API key') },
    description: 'create an API key and print it; it is shown only now',
    namespaced: false,
    options: { scopes: requiredList('--scope <scopes...>', 'what it may do', scope) },
    notes: `Scopes: read; publish:<namespace> (schemas of subgraphs that exist); deploy:<namespace> (every change in it);
trace:<namespace> (trace tokens of its graphs, and nothing else); admin (everything).`,
    examples: [
      'api-key create ci --scope publish:default',
      'api-key create release --scope deploy:default deploy:staging read',
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
      const { yellow } = styleFor(context.stderr, context.env)
      const remarks = [
        ...created.warnings.map((text) => `${yellow('warning')}: ${text}`),
        `API key "${created.name}" was created (id ${created.id}). It is not shown again.`,
      ]
      return done({ result: created }, created.key, remarks.join('\n'))
    },
  })

  addReadCommand(apiKey, invocation, {
    name: 'list',
    description: 'list the API keys, not their secrets',
    namespaced: false,
    examples: ['api-key list', 'api-key list --json'],
    run: async ({ registry, context }) => {
      const list = await registry.get(apiPath('api-keys'), ApiKeyList)
      const rows = list.apiKeys.map(({ id, name, scopes, createdAt, createdBy }) => [
        name,
        id,
        scopes.join(' '),
        createdAt,
        createdBy,
      ])
      const columns = ['name', 'id', 'scopes', 'created', 'created by']
      return listed(list, { columns, rows, whenEmpty: 'No API keys.' }, context)
    },
  })

  addReadCommand(apiKey, invocation, {
    name: 'delete',
    argument: { name: 'id', description: 'its id or its name', type: anyText },
    description: 'delete an API key: it stops working at once',
    namespaced: false,
    examples: ['api-key delete ci --force'],
    confirm: async ({ registry, argument }) => {
      const { name, id, scopes } = await findKey(registry, argument)
      return {
        question: `Delete API key "${name}"`,
        consequences: [`Whoever uses the key ${id} (${scopes.join(', ')}) is refused from then on.`],
      }
    },
    run: async ({ registry, argument }) => {
      const { id } = await findKey(registry, argument)
      const path = apiPath('api-keys', id)
      const deleted = await registry.write({ method: 'DELETE', path, body: {}, schema: ApiKeyView })
      return done({ result: deleted }, `API key "${deleted.name}" (id ${deleted.id}) was deleted.`)
    },
  })
}

/** By id, else by name; of a whole key, such as one that leaked, only the id is sent. */
async function findKey(registry: RegistryClient, word: string): Promise<z.infer<typeof ApiKeyView>> {
  const { apiKeys } = await registry.get(apiPath('api-keys'), ApiKeyList)
  const wanted = /^swy_([0-9A-Za-z]+)_/.exec(word)?.[1] ?? word
  const found = apiKeys.find(({ id }) => id === wanted) ?? apiKeys.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  throw new LocalRefusal(
    'NOT_FOUND',
    `There is no API key of the id or name "${wanted}". Nothing was changed.`,
  )
}

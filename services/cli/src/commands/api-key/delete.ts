import { ApiKeyList, ApiKeyView, didYouMean } from '@switchyard/contracts'
import type { z } from 'zod'
import { successResult } from '../../output/command-result.ts'
import { LocalRefusal } from '../../run/errors.ts'
import { registryCommand } from '../../command/make-command.ts'
import { apiPath, type RegistryClient } from '../../registry/registry-client.ts'
import { anyText } from '../../command/value-types.ts'

export const command = registryCommand({
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
    return successResult({ result: deleted }, `API key "${deleted.name}" (id ${deleted.id}) was deleted.`)
  },
})

/** Finds a key by its id, or else by its name. The word may also be a whole key, which contains its id. */
async function findKey(registry: RegistryClient, word: string): Promise<z.infer<typeof ApiKeyView>> {
  const { apiKeys } = await registry.get(apiPath('api-keys'), ApiKeyList)
  const wanted = /^swy_([0-9A-Za-z]+)_/.exec(word)?.[1] ?? word
  const found = apiKeys.find(({ id }) => id === wanted) ?? apiKeys.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  throw new LocalRefusal(
    'NOT_FOUND',
    `There is no API key of the id or name "${wanted}".${didYouMean(
      wanted,
      apiKeys.map(({ name }) => name),
    )} Nothing was changed.`,
  )
}

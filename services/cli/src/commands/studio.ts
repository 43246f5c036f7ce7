import { SessionLink } from '@switchyard/contracts'
import { successResult } from '../output/command-result.ts'
import { registryCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import { apiPath } from '../registry/registry-client.ts'

export const command = registryCommand({
  name: 'studio',
  ...NOUNS.studio,
  namespaced: false,
  options: {},
  notes: `The link works once, within 5 minutes, and its session may do what the API key may do.
Registries on NATS make no links: open Studio at their address, and sign in there.`,
  examples: ['studio'],
  run: async ({ registry }) => {
    const path = apiPath('session', 'links')
    const link = await registry.write({ method: 'POST', path, body: {}, schema: SessionLink })
    return successResult({ result: link }, link.url)
  },
})

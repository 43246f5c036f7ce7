import { CreatedTraceKey } from '@switchyard/contracts'
import { successResult } from '../../../output/command-result.ts'
import { registryCommand } from '../../../command/make-command.ts'
import { printWarnings } from '../../../output/warnings.ts'
import { apiPath } from '../../../registry/registry-client.ts'
import { ROTATION } from '../../../registry/trace-keys.ts'

export const command = registryCommand({
  name: 'create',
  description: 'make a key in the key file of the registry, and tell routers to believe it',
  namespaced: false,
  notes: `A key that is in the file and that routers were not told of, such as one of a mounted secret, is announced instead.

${ROTATION}`,
  examples: ['registry trace-key create', 'registry trace-key create --json'],
  run: async ({ registry, context }) => {
    const path = apiPath('trace-keys')
    const created = await registry.write({ method: 'POST', path, body: {}, schema: CreatedTraceKey })
    const { kid, made } = created
    const text = made
      ? `Trace key ${kid} was created.`
      : `Trace key ${kid} was in the key file already; routers are told of it now.`
    return successResult({ result: created }, text, printWarnings(created.warnings, context))
  },
})

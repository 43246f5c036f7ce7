import { RetiredTraceKey, type TraceKeyView } from '@switchyard/contracts'
import { successResult } from '../../../output/command-result.ts'
import { LocalRefusal, UsageError } from '../../../run/errors.ts'
import { registryCommand } from '../../../command/make-command.ts'
import { printWarnings } from '../../../output/warnings.ts'
import { apiPath, type RegistryClient } from '../../../registry/registry-client.ts'
import { listTraceKeys, ROTATION } from '../../../registry/trace-keys.ts'
import type { ValueType } from '../../../command/value-types.ts'

/** A key id, or the word for the one that a rotation ends with. */
const OLDEST = 'oldest'

const keyId: ValueType<string> = {
  parse: (word) => {
    if (/^[\w-]{1,64}$/.test(word)) return word
    throw new UsageError(`"${word}" is no id of a trace key; "registry trace-key list" shows the ids.`)
  },
  completion: [OLDEST],
}

/** The note about ids that begin with a dash, which only keys made elsewhere have. */
const DASHES = 'An id that begins with "-" is written after "--", behind all options.'

export const command = registryCommand({
  name: 'retire',
  argument: { name: 'id', description: `its id, or "${OLDEST}"`, type: keyId },
  description: 'retire a key: routers refuse what it signed, and its private half leaves the key file',
  namespaced: false,
  notes: `${ROTATION}\n${DASHES}`,
  examples: ['registry trace-key retire oldest'],
  confirm: async ({ registry, argument }) => {
    const { kid, tokensUntil } = await findTraceKey(registry, argument)
    const tokens =
      tokensUntil === null || Date.parse(tokensUntil) < Date.now()
        ? []
        : [`Tokens that it signed may be valid until ${tokensUntil}, and are refused from then on.`]
    return { question: `Retire trace key ${kid}`, consequences: tokens }
  },
  run: async ({ registry, argument, context }) => {
    const { kid } = await findTraceKey(registry, argument)
    const path = apiPath('trace-keys', kid)
    const retired = await registry.write({ method: 'DELETE', path, body: {}, schema: RetiredTraceKey })
    const text = `Trace key ${kid} is retired.`
    return successResult({ result: retired }, text, printWarnings(retired.warnings, context))
  },
})

async function findTraceKey(registry: RegistryClient, word: string): Promise<TraceKeyView> {
  const { traceKeys } = await listTraceKeys(registry)
  const found =
    word === OLDEST
      ? traceKeys.findLast(({ state }) => state !== 'retired' && state !== 'not-announced')
      : traceKeys.find(({ kid }) => kid === word)
  if (found !== undefined) return found
  const what =
    word === OLDEST ? 'There is no trace key to retire.' : `There is no trace key of the id "${word}".`
  throw new LocalRefusal('NOT_FOUND', `${what} Nothing was changed.`)
}

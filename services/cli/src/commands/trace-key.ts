/** The keys that sign trace tokens: make a new one, see what there is, retire an old one. */
import { CreatedTraceKey, RetiredTraceKey, TraceKeyList, type TraceKeyView } from '@switchyard/contracts'
import { addGroup, addReadCommand } from '../make-command.ts'
import type { Invocation } from '../command.ts'
import { done, listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import type { CliContext } from '../context.ts'
import { LocalRefusal, UsageError } from '../errors.ts'
import { styleFor } from '../output/style.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'
import type { ValueType } from '../value-types.ts'

/** A key id, or the word for the one that a rotation ends with. */
const OLDEST = 'oldest'
const keyId: ValueType<string> = {
  parse: (word) => {
    if (/^[\w-]{1,64}$/.test(word)) return word
    throw new UsageError(`"${word}" is no id of a trace key; "registry trace-key list" shows the ids.`)
  },
  completion: [OLDEST],
}

const ROTATION = `To rotate: create a key; every router learns it within moments, and tokens are signed with it from then on. Retire the old one
a day later, when the last token that it can have signed has expired: "list" shows the time. A key that leaked is retired at once.`

/** Of keys that were made elsewhere. */
const DASHES = 'An id that begins with "-" is written after "--", behind all options.'

const STATES: Readonly<Record<TraceKeyView['state'], string>> = {
  signs: 'signs',
  'can-sign': 'can sign',
  'cannot-sign': 'not in the key file here',
  'not-announced': 'not announced: run "trace-key create"',
  retired: 'retired',
}

export function addTraceKeyCommands(registryGroup: CliCommand, invocation: Invocation): void {
  const traceKey = addGroup(registryGroup, {
    name: 'trace-key',
    description: 'the keys that sign tokens for request tracing',
  })

  addReadCommand(traceKey, invocation, {
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
      return done({ result: created }, text, warnings(created.warnings, context))
    },
  })

  addReadCommand(traceKey, invocation, {
    name: 'list',
    description: 'list the keys, newest first: which one signs, and until when tokens of each may be valid',
    namespaced: false,
    examples: ['registry trace-key list', 'registry trace-key list --json'],
    run: async ({ registry, context }) => {
      const list = await listOf(registry)
      const rows = list.traceKeys.map(({ kid, state, createdAt, retiredAt, tokensUntil }) => [
        kid,
        STATES[state],
        createdAt ?? '-',
        retiredAt ?? '-',
        tokensUntil ?? '-',
      ])
      const columns = ['id', 'state', 'created', 'retired', 'tokens until']
      const result = listed(list, { columns, rows, whenEmpty: 'No trace keys.' }, context)
      return { ...result, remarks: warnings(list.warnings, context) }
    },
  })

  addReadCommand(traceKey, invocation, {
    name: 'retire',
    argument: { name: 'id', description: `its id, or "${OLDEST}"`, type: keyId },
    description: 'retire a key: routers refuse what it signed, and its private half leaves the key file',
    namespaced: false,
    notes: `${ROTATION}\n${DASHES}`,
    examples: ['registry trace-key retire oldest'],
    confirm: async ({ registry, argument }) => {
      const { kid, tokensUntil } = await find(registry, argument)
      const tokens =
        tokensUntil === null || Date.parse(tokensUntil) < Date.now()
          ? []
          : [`Tokens that it signed may be valid until ${tokensUntil}, and are refused from then on.`]
      return { question: `Retire trace key ${kid}`, consequences: tokens }
    },
    run: async ({ registry, argument, context }) => {
      const { kid } = await find(registry, argument)
      const path = apiPath('trace-keys', kid)
      const retired = await registry.write({ method: 'DELETE', path, body: {}, schema: RetiredTraceKey })
      const text = `Trace key ${kid} is retired.`
      return done({ result: retired }, text, warnings(retired.warnings, context))
    },
  })
}

export function warnings(texts: readonly string[], { stderr, env }: CliContext): string {
  const { yellow } = styleFor(stderr, env)
  return texts.map((text) => `${yellow('warning')}: ${text}`).join('\n')
}

function listOf(registry: RegistryClient): Promise<TraceKeyList> {
  return registry.get(apiPath('trace-keys'), TraceKeyList)
}

async function find(registry: RegistryClient, word: string): Promise<TraceKeyView> {
  const { traceKeys } = await listOf(registry)
  const found =
    word === OLDEST
      ? traceKeys.findLast(({ state }) => state !== 'retired' && state !== 'not-announced')
      : traceKeys.find(({ kid }) => kid === word)
  if (found !== undefined) return found
  const what =
    word === OLDEST ? 'There is no trace key to retire.' : `There is no trace key of the id "${word}".`
  throw new LocalRefusal('NOT_FOUND', `${what} Nothing was changed.`)
}

/** `rollout explain`: its options; the work is in `rollouts/`. */
import { headerOption } from '../../command/endpoint-options.ts'
import { registryCommand } from '../../command/make-command.ts'
import { optional, repeated } from '../../command/options.ts'
import { anyText, type ValueType } from '../../command/value-types.ts'
import { successResult } from '../../output/command-result.ts'
import { printWarnings } from '../../output/warnings.ts'
import { UsageError } from '../../run/errors.ts'

const claims: ValueType<Readonly<Record<string, unknown>>> = {
  parse: (word) => {
    const value = parsedJson(word)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    throw new UsageError(`--claims takes a JSON object, such as '{"sub":"u1","plan":"pro"}'.`)
  },
}

const cookie: ValueType<readonly [name: string, value: string]> = {
  parse: (word) => {
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(word) ?? []
    if (name !== undefined && value !== undefined) return [name, value]
    throw new UsageError(`--cookie takes name=value, not "${word}".`)
  },
}

export const command = registryCommand({
  name: 'explain',
  argument: {
    name: 'graph',
    description: 'a federated graph, or one of its rollouts',
    type: { ...anyText, completion: 'federated-graph' },
  },
  description: 'say which rollouts are looked at for a request, and why each does or does not hold',
  options: {
    claims: optional('--claims <json>', 'the claims of its verified token', claims),
    header: headerOption({ description: 'a header of it: "name: value"', own: new Set(), because: '' }),
    cookie: repeated('--cookie <name=value...>', 'a cookie of it', cookie),
    client: optional('--client <name>', 'the name that the client gives itself', anyText),
    clientVersion: optional('--client-version <version>', 'the version that it gives itself', anyText),
    address: optional('--address <address>', 'the address that it comes from', anyText),
  },
  notes: `No router is asked: the registry's rollouts are compared with what you describe, by the code of routers. What a router did for a
request stands in its trace.`,
  examples: [
    `rollout explain shop --claims '{"sub":"u1","plan":"pro"}'`,
    `rollout explain new-pricing --header 'X-Region: eu' --cookie visitor=a1b2 --client ios --client-version 2.1.0 --address 192.0.2.1`,
  ],
  run: async ({ namespace, registry, argument, options, context }) => {
    const [{ explainRollouts }, { namedFlag }, { printExplanation }] = await Promise.all([
      import('../../rollouts/explain-rollouts.ts'),
      import('../../rollouts/described-request.ts'),
      import('../../rollouts/print-explanation.ts'),
    ])
    const { claims: given = null, header: headers, cookie: pairs = [], ...client } = options
    // Of several cookies with one name, routers read the first.
    const cookies = new Map(pairs.toReversed())
    const request = { ...client, claims: given, headers, cookies }
    const { graph, rollouts, explanation } = await explainRollouts(registry, namespace, argument, request)
    const named = namedFlag(request)
    if (named !== null) {
      const text = `The request names feature flag "${named}", so no rollout decides about it.`
      return successResult({ result: { graph, named, decision: { kind: 'none' }, rollouts: [] } }, text)
    }
    const isPending = rollouts.some(({ state }) => state !== 'live')
    const late = 'Routers were not given these rollouts yet: they decide by what they have.'
    return successResult(
      { result: { graph, named, ...explanation } },
      printExplanation(explanation, rollouts).join('\n'),
      printWarnings(isPending ? [late] : [], context),
    )
  },
})

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

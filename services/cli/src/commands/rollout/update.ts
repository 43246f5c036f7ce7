import { type RolloutShadow, RolloutView } from '@switchyard/contracts'
import { writeCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath, type RegistryClient } from '../../registry/registry-client.ts'
import { NOTES, RULE } from '../../rollouts/rollout-options.ts'
import { comparesNothing, SHADOW, withoutShadow } from '../../rollouts/shadow-options.ts'
import { UsageError } from '../../run/errors.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: rolloutName },
  description: 'change the percentage, the audience, the key or the place of a rollout, or what it compares',
  options: {
    ...RULE,
    ...SHADOW,
    unsetWhere: flag('--unset-where', 'remove all conditions: it is for everybody'),
    unsetKey: flag('--unset-key', 'remove its key: then only 0 and 100 percent are possible'),
    unsetExpires: flag('--unset-expires', 'it does not end by itself'),
    unsetShadow: flag(
      '--unset-shadow',
      'mode shadow: what is compared, and called once more, is the default again',
    ),
    last: flag('--last', 'requests try it after all other rollouts of the graph'),
  },
  notes: NOTES,
  examples: [
    `rollout update new-pricing --percent 25 --reason 'week two'`,
    'rollout update new-pricing --unset-where --before staff',
    'rollout update new-pricing --mode shadow --shadow-subgraph products reviews',
  ],
  request: async ({ namespace, argument, options, registry }) => {
    const { shadow: named, rest } = withoutShadow(options)
    const { unsetWhere, unsetKey, unsetExpires, unsetShadow, last, ...properties } = rest
    const { where, key, expires, before, mode } = properties
    const changes = {
      ...properties,
      where: chosen('--where', where, '--unset-where', unsetWhere ? [] : undefined),
      key: chosen('--key', key, '--unset-key', unsetKey ? [] : undefined),
      expires: chosen('--expires', expires, '--unset-expires', unsetExpires ? null : undefined),
      before: chosen('--before', before, '--last', last ? null : undefined),
      shadow: chosen('A --shadow option', named, '--unset-shadow', unsetShadow ? null : undefined),
    }
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new UsageError(
        'rollout update changes --percent, --key, --unset-key, --where, --unset-where, --expires, --unset-expires, --before, --last, --mode, or with --shadow-subgraph, --shadow-operation, --shadow-unordered and --unset-shadow what is compared; none was given.',
      )
    }
    if (named !== undefined && mode === 'serve')
      throw new UsageError(comparesNothing('with --mode serve it gives its flag to requests'))
    const path = apiPath('rollouts', namespace, argument)
    const shadow =
      named === undefined ? changes.shadow : await wholeShadow(registry, path, named, mode === 'shadow')
    return { method: 'PATCH', path, body: { ...changes, shadow } }
  },
})

/** Returns the named members with those that the rollout has already, since a change replaces all of them. */
async function wholeShadow(
  registry: RegistryClient,
  path: string,
  named: RolloutShadow,
  becomesShadow: boolean,
): Promise<RolloutShadow> {
  const { name, mode, shadow } = await registry.get(path, RolloutView)
  if (mode === 'shadow' || becomesShadow) return { ...shadow, ...named }
  throw new UsageError(comparesNothing(`"${name}" gives its flag to requests`))
}

/** Returns the value of whichever of two options was given. Throws a UsageError if both were. */
function chosen<Value, Other>(
  option: string,
  value: Value | undefined,
  otherOption: string,
  other: Other | undefined,
): Value | Other | undefined {
  if (value === undefined) return other
  if (other === undefined) return value
  throw new UsageError(`${option} and ${otherOption} contradict each other.`)
}

import { writeCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { rolloutName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { NOTES, RULE } from '../../rollouts/rollout-options.ts'
import { UsageError } from '../../run/errors.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: rolloutName },
  description: 'change the percentage, the audience, the key or the place of a rollout',
  options: {
    ...RULE,
    unsetWhere: flag('--unset-where', 'remove all conditions: it is for everybody'),
    unsetKey: flag('--unset-key', 'remove its key: then only 0 and 100 percent are possible'),
    unsetExpires: flag('--unset-expires', 'it does not end by itself'),
    last: flag('--last', 'requests try it after all other rollouts of the graph'),
  },
  notes: NOTES,
  examples: [
    `rollout update new-pricing --percent 25 --reason 'week two'`,
    'rollout update new-pricing --unset-where --before staff',
  ],
  request: ({ namespace, argument, options }) => {
    const { unsetWhere, unsetKey, unsetExpires, last, where, key, expires, before, ...rest } = options
    const changes = {
      ...rest,
      where: chosen('--where', where, '--unset-where', unsetWhere ? [] : undefined),
      key: chosen('--key', key, '--unset-key', unsetKey ? [] : undefined),
      expires: chosen('--expires', expires, '--unset-expires', unsetExpires ? null : undefined),
      before: chosen('--before', before, '--last', last ? null : undefined),
    }
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new UsageError(
        'rollout update changes --percent, --key, --unset-key, --where, --unset-where, --expires, --unset-expires, --before, --last or --mode; none was given.',
      )
    }
    return { method: 'PATCH', path: apiPath('rollouts', namespace, argument), body: changes }
  },
})

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

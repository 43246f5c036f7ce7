import { writeCommand } from '../../command/make-command.ts'
import { optional, required } from '../../command/options.ts'
import { featureFlagName, graphName, newName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { NOTES, RULE, SALT } from '../../rollouts/rollout-options.ts'
import { comparesNothing, SHADOW, withoutShadow } from '../../rollouts/shadow-options.ts'
import { UsageError } from '../../run/errors.ts'

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newName('rollout') },
  description:
    'release a feature flag to a part of the requests that name no flag; to none without --percent',
  options: {
    graph: required('--graph <name>', 'the federated graph', graphName),
    flag: optional('--flag <name>', 'the feature flag (default: the name of the rollout)', featureFlagName),
    ...RULE,
    ...SHADOW,
    ...SALT,
  },
  notes: NOTES,
  examples: [
    "rollout create new-pricing --graph shop --percent 5 --key claim:sub --where 'claim:plan in pro,team'",
    `rollout create staff --graph shop --flag new-pricing --percent 100 --where 'claim:email ends_with @example.com' --expires 2w`,
    'rollout create compare --graph shop --flag new-pricing --mode shadow --percent 10 --shadow-operation Product --shadow-unordered products',
  ],
  request: ({ namespace, argument, options }) => {
    const { shadow, rest } = withoutShadow(options)
    if (shadow !== undefined && rest.mode !== 'shadow')
      throw new UsageError(comparesNothing('this one gives its flag to requests'))
    const body = { name: argument, ...rest, shadow, flag: options.flag ?? argument }
    return { method: 'POST', path: apiPath('rollouts', namespace), body }
  },
})

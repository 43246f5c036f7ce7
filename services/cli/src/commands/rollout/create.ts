import { writeCommand } from '../../command/make-command.ts'
import { optional, required } from '../../command/options.ts'
import { featureFlagName, graphName, newName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { NOTES, RULE, SALT } from '../../rollouts/rollout-options.ts'

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newName('rollout') },
  description:
    'release a feature flag to a part of the requests that name no flag; to none without --percent',
  options: {
    graph: required('--graph <name>', 'the federated graph', graphName),
    flag: optional('--flag <name>', 'the feature flag (default: the name of the rollout)', featureFlagName),
    ...RULE,
    ...SALT,
  },
  notes: NOTES,
  examples: [
    "rollout create new-pricing --graph shop --percent 5 --key claim:sub --where 'claim:plan in pro,team'",
    `rollout create staff --graph shop --flag new-pricing --percent 100 --where 'claim:email ends_with @example.com' --expires 2w`,
  ],
  request: ({ namespace, argument, options }) => ({
    method: 'POST',
    path: apiPath('rollouts', namespace),
    body: { name: argument, ...options, flag: options.flag ?? argument },
  }),
})

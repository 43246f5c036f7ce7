import { writeCommand } from '../../command/make-command.ts'
import { flag, requiredList } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { labels } from '../../command/shared-options.ts'
import { featureSubgraphName, newName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newName('feature flag') },
  description: 'create a feature flag, disabled unless --enabled is given',
  options: {
    featureSubgraphs: requiredList(
      '--fs, --feature-subgraphs <names...>',
      'the feature subgraphs that it switches in',
      featureSubgraphName,
    ),
    label: labels('key=value labels: the flag applies to graphs whose matchers match them'),
    enabled: flag('-e, --enabled', 'enable it at once'),
  },
  examples: [
    'feature-flag create new-pricing --label team=shop --feature-subgraphs products-next reviews-next',
    'ff create new-pricing --label team=shop --fs products-next --enabled',
  ],
  request: ({ namespace, argument, options }) => ({
    method: 'POST',
    path: apiPath('feature-flags', namespace),
    body: {
      name: argument,
      labels: options.label ?? [],
      featureSubgraphs: options.featureSubgraphs,
      enabled: options.enabled,
    },
  }),
})

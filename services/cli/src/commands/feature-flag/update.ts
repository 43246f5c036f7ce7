import { UsageError } from '../../run/errors.ts'
import { writeCommand } from '../../command/make-command.ts'
import { chosenLabels, flag, optionalList } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { labels } from '../../command/shared-options.ts'
import { featureFlagName, featureSubgraphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: featureFlagName },
  description: 'replace the labels or the feature subgraphs of a feature flag',
  options: {
    featureSubgraphs: optionalList(
      '--fs, --feature-subgraphs <names...>',
      'all of its feature subgraphs from now on',
      featureSubgraphName,
    ),
    label: labels('all of its labels from now on'),
    unsetLabels: flag('--unset-labels', 'remove all labels'),
  },
  examples: [
    'feature-flag update new-pricing --label team=shop',
    'ff update new-pricing --fs products-next reviews-next',
    'ff update new-pricing --unset-labels',
  ],
  request: ({ namespace, argument, options }) => {
    const labels = chosenLabels(options)
    if (options.featureSubgraphs === undefined && labels === undefined) {
      throw new UsageError('feature-flag update changes --fs, --label or --unset-labels; none was given.')
    }
    return {
      method: 'PATCH',
      path: apiPath('feature-flags', namespace, argument),
      body: { labels, featureSubgraphs: options.featureSubgraphs },
    }
  },
})

import { FeatureFlagList } from '@switchyard/contracts'
import { parseLabels } from '../arguments.ts'
import { addGroup, addReadCommand, addWriteCommand, type Invocation } from '../command-builder.ts'
import { listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { flag, list, requiredList } from '../options.ts'
import { apiPath } from '../registry/registry-client.ts'
import { featureFlagName, featureSubgraphName, newName } from '../value-types.ts'

export function addFeatureFlagCommands(program: CliCommand, invocation: Invocation): CliCommand {
  const featureFlag = addGroup(program, {
    name: 'feature-flag',
    alias: 'ff',
    description: 'named alternatives of a graph, in which feature subgraphs replace subgraphs',
  })

  addWriteCommand(featureFlag, invocation, {
    name: 'create',
    argument: { name: 'name', type: newName('feature flag') },
    description: 'create a feature flag, disabled unless --enabled is given',
    options: {
      featureSubgraphs: requiredList(
        '--fs, --feature-subgraphs <names...>',
        'the feature subgraphs that it switches in',
        featureSubgraphName,
      ),
      label: list(
        '--label <labels...>',
        'key=value labels: the flag applies to graphs whose matchers match them',
        parseLabels,
      ),
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

  addToggle(featureFlag, invocation, 'enable', 'serve the flag to requests that name it')
  addToggle(featureFlag, invocation, 'disable', 'serve the base graph to requests that name the flag')

  addReadCommand(featureFlag, invocation, {
    name: 'list',
    description: 'list the feature flags of a namespace, and where they are served',
    examples: ['ff list', 'ff list --json'],
    run: async ({ namespace, registry, context }) => {
      const found = await registry.get(apiPath('feature-flags', namespace), FeatureFlagList)
      return listed(
        found,
        {
          columns: ['name', 'state', 'labels', 'feature subgraphs', 'graphs'],
          rows: found.featureFlags.map((item) => [
            item.name,
            item.enabled ? 'enabled' : 'disabled',
            item.labels.join(' ') || '-',
            item.featureSubgraphs.join(' ') || '-',
            item.graphs.map(({ graph, state }) => `${graph}: ${state}`).join('; ') || '-',
          ]),
          whenEmpty: `No feature flags in namespace "${namespace}".`,
        },
        context,
      )
    },
  })
  return featureFlag
}

function addToggle(
  parent: CliCommand,
  invocation: Invocation,
  verb: 'enable' | 'disable',
  description: string,
): void {
  addWriteCommand(parent, invocation, {
    name: verb,
    argument: { name: 'name', type: featureFlagName },
    description,
    examples: [`feature-flag ${verb} new-pricing`, `ff ${verb} new-pricing -n staging --no-wait`],
    request: ({ namespace, argument }) => ({
      method: 'POST',
      path: apiPath('feature-flags', namespace, argument, verb),
      body: {},
    }),
  })
}

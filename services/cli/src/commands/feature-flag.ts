import { FeatureFlagDetail, FeatureFlagList } from '@switchyard/contracts'
import { parseLabels } from '../arguments.ts'
import { addGroup, addReadCommand, addWriteCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { type CommandResult, detailed, listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import type { CliContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import { chosenLabels, flag, list, optionalList, requiredList } from '../options.ts'
import { describeCompositions, type SchemaSources } from '../output/outcome.ts'
import type { ServedGraphs } from '../output/served-instead.ts'
import { styleFor } from '../output/style.ts'
import { apiPath } from '../registry/registry-client.ts'
import { schemaSources } from '../registry/schema-sources.ts'
import { servedGraphs } from '../registry/served-graphs.ts'
import { featureFlagName, featureSubgraphName, newName } from '../value-types.ts'
import { addFeatureFlagDiff } from './feature-flag/diff.ts'

export function addFeatureFlagCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const featureFlag = addGroup(program, noun)

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

  addWriteCommand(featureFlag, invocation, {
    name: 'update',
    argument: { name: 'name', type: featureFlagName },
    description: 'replace the labels or the feature subgraphs of a feature flag',
    options: {
      featureSubgraphs: optionalList(
        '--fs, --feature-subgraphs <names...>',
        'all of its feature subgraphs from now on',
        featureSubgraphName,
      ),
      label: list('--label <labels...>', 'all of its labels from now on', parseLabels),
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

  addWriteCommand(featureFlag, invocation, {
    name: 'delete',
    argument: { name: 'name', type: featureFlagName },
    description: 'delete a feature flag; its feature subgraphs stay',
    examples: ['feature-flag delete new-pricing', 'ff delete new-pricing --force'],
    confirm: async ({ registry, namespace, argument }) => {
      const { flagDeletion, readNamespace } = await import('../consequences.ts')
      return flagDeletion(await readNamespace(registry, namespace), argument)
    },
    request: ({ namespace, argument }) => ({
      method: 'DELETE',
      path: apiPath('feature-flags', namespace, argument),
      body: {},
    }),
  })

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

  addReadCommand(featureFlag, invocation, {
    name: 'get',
    argument: { name: 'name', type: featureFlagName },
    description: 'show a feature flag: its state in every graph, and composition errors',
    examples: ['ff get new-pricing', 'ff get new-pricing --json'],
    run: async ({ namespace, registry, argument, context }) => {
      const found = await registry.get(apiPath('feature-flags', namespace, argument), FeatureFlagDetail)
      const sources = await schemaSources(found.compositions, namespace, registry)
      const served = await servedGraphs(found.compositions, namespace, registry)
      return describeFlag(found, sources, served, context)
    },
  })

  addFeatureFlagDiff(featureFlag, invocation)
}

async function describeFlag(
  found: FeatureFlagDetail,
  sources: SchemaSources,
  served: ServedGraphs,
  context: CliContext,
): Promise<CommandResult> {
  const { compositions, ...result } = found
  const shown = detailed(
    { result, compositions },
    [
      ['name', found.name],
      ['namespace', found.namespace],
      ['state', found.enabled ? 'enabled' : 'disabled'],
      ['labels', found.labels.join(' ')],
      ['feature subgraphs', found.featureSubgraphs],
      ['federated graphs', found.graphs.map(({ graph, state }) => `${graph}: ${state}`)],
    ],
    context,
  )
  const told = describeCompositions(compositions, sources, styleFor(context.stdout, context.env), served)
  return { ...shown, text: [shown.text, told].filter((text) => text !== '').join('\n\n') }
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

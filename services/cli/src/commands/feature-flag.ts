import { FeatureFlagList } from '@switchyard/contracts'
import type { Command } from 'commander'
import { parseLabels, parseName, parseNamespace, splitWords } from '../arguments.ts'
import {
  checkWriting,
  finishList,
  finishWrite,
  withExamples,
  withRegistry,
  withWrite,
} from '../command-builder.ts'
import type { Invocation, RegistryOptions, WritingOptions } from '../command-builder.ts'
import { UsageError } from '../errors.ts'
import { apiPath, connectRegistry } from '../registry/registry-client.ts'

type CreateOptions = WritingOptions & {
  readonly label?: readonly string[]
  readonly featureSubgraphs: readonly string[]
  readonly enabled?: true
}

export function addFeatureFlagCommands(program: Command, invocation: Invocation): void {
  const flag = program
    .command('feature-flag')
    .alias('ff')
    .description('named alternatives of a graph, in which feature subgraphs replace subgraphs')

  withExamples(
    withWrite(
      flag
        .command('create <name>')
        .description('create a feature flag, disabled unless --enabled is given')
        .requiredOption('--fs, --feature-subgraphs <names...>', 'the feature subgraphs that it switches in')
        .option(
          '--label <labels...>',
          'key=value labels: the flag applies to graphs whose matchers match them',
        )
        .option('-e, --enabled', 'enable it at once'),
    ),
    'feature-flag create new-pricing --label team=shop --feature-subgraphs products-next reviews-next',
    'ff create new-pricing --label team=shop --fs products-next --enabled',
  ).action(async (name: string, options: CreateOptions) => {
    checkWriting(options)
    const namespace = parseNamespace(options.namespace)
    const featureSubgraphs = splitWords(options.featureSubgraphs).map((word) =>
      parseName('feature subgraph', word),
    )
    if (featureSubgraphs.length === 0) {
      throw new UsageError('--feature-subgraphs needs at least one feature subgraph.')
    }
    const body = {
      name: parseName('feature flag', name),
      labels: parseLabels(options.label),
      featureSubgraphs,
      enabled: options.enabled === true,
    }
    const registry = await connectRegistry(invocation.context, options.dataDir)
    await finishWrite(
      invocation,
      options,
      await registry.write('POST', apiPath('feature-flags', namespace), body, options),
    )
  })

  addToggle(flag, invocation, 'enable', 'serve the flag to requests that name it')
  addToggle(flag, invocation, 'disable', 'serve the base graph to requests that name the flag')

  withExamples(
    withRegistry(
      flag.command('list').description('list the feature flags of a namespace, and where they are served'),
    ),
    'ff list',
    'ff list --json',
  ).action(async (options: RegistryOptions) => {
    const namespace = parseNamespace(options.namespace)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const list = await registry.get(apiPath('feature-flags', namespace), FeatureFlagList)
    finishList(invocation, list, {
      columns: ['name', 'state', 'labels', 'feature subgraphs', 'graphs'],
      rows: list.featureFlags.map((item) => [
        item.name,
        item.enabled ? 'enabled' : 'disabled',
        item.labels.join(' ') || '-',
        item.featureSubgraphs.join(' ') || '-',
        item.graphs.map(({ graph, state }) => `${graph}: ${state}`).join('; ') || '-',
      ]),
      whenEmpty: `No feature flags in namespace "${namespace}".`,
    })
  })
}

function addToggle(
  parent: Command,
  invocation: Invocation,
  verb: 'enable' | 'disable',
  description: string,
): void {
  withExamples(
    withWrite(parent.command(`${verb} <name>`).description(description)),
    `feature-flag ${verb} new-pricing`,
    `ff ${verb} new-pricing -n staging --no-wait`,
  ).action(async (name: string, options: WritingOptions) => {
    checkWriting(options)
    const namespace = parseNamespace(options.namespace)
    const path = apiPath('feature-flags', namespace, parseName('feature flag', name), verb)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    await finishWrite(invocation, options, await registry.write('POST', path, {}, options))
  })
}

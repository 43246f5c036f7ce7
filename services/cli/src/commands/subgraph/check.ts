/** `subgraph check` and `feature-subgraph check`: the options of the dry run; the work is in `check/`. */
import { parseLabels } from '../../arguments.ts'
import { addReadCommand } from '../../make-command.ts'
import type { Invocation, RegistryCall } from '../../command.ts'
import type { CommandResult } from '../../command-result.ts'
import type { CliCommand } from '../../command-tree.ts'
import { UsageError } from '../../errors.ts'
import { readSchema } from '../../files.ts'
import { flag, list, optional, type OptionSpecs } from '../../options.ts'
import {
  baseSubgraphName,
  featureSubgraphName,
  filePath,
  routingUrl,
  subgraphName,
} from '../../value-types.ts'

const NOTES = `Composes every federated graph and feature flag that the change would affect, and compares each client schema with the
one that is served now. Nothing is written. Exits 1 when a composition fails or a change is breaking.`

const COMMON = {
  schema: optional('--schema <file>', 'the SDL to check; - reads standard input', filePath),
  delete: flag('--delete', 'check what deleting it would do'),
  allowBreaking: flag('--allow-breaking', 'exit 0 also when changes are breaking'),
} satisfies OptionSpecs

export function addSubgraphCheck(subgraph: CliCommand, invocation: Invocation): void {
  addReadCommand(subgraph, invocation, {
    name: 'check',
    annotated: true,
    argument: { name: 'name', type: subgraphName },
    description: 'try out a schema, or a removal, on every graph and flag it would affect; writes nothing',
    options: {
      ...COMMON,
      label: list('--label <labels...>', 'labels of a subgraph that does not exist yet', parseLabels),
      routingUrl: optional('--routing-url <url>', 'of a subgraph that does not exist yet', routingUrl),
    },
    notes: NOTES,
    examples: [
      'subgraph check products --schema products.graphql',
      'subgraph check products --schema products.graphql --output github',
      'subgraph check offers --schema offers.graphql --label team=shop',
      'subgraph check products --delete',
    ],
    run: (call) => {
      const { label: labels, routingUrl: url } = call.options
      return check(call, { featureSubgraph: false, labels, routingUrl: url, base: undefined })
    },
  })
}

export function addFeatureSubgraphCheck(
  featureSubgraph: CliCommand,
  invocation: Invocation,
  label: OptionSpecs[string],
): void {
  addReadCommand(featureSubgraph, invocation, {
    name: 'check',
    annotated: true,
    argument: { name: 'name', type: featureSubgraphName },
    description: 'try out a schema, or a removal, on every graph and flag it would affect; writes nothing',
    options: {
      ...COMMON,
      subgraph: optional(
        '--subgraph <name>',
        'what it replaces, for one that does not exist yet',
        baseSubgraphName,
      ),
      label,
    },
    notes: NOTES,
    examples: ['fs check products-next --schema products-next.graphql', 'fs check products-next --delete'],
    run: (call) =>
      check(call, {
        featureSubgraph: true,
        labels: undefined,
        routingUrl: undefined,
        base: call.options.subgraph,
      }),
  })
}

type New = {
  readonly featureSubgraph: boolean
  readonly labels: readonly string[] | undefined
  readonly routingUrl: string | undefined
  readonly base: string | undefined
}

async function check(
  call: RegistryCall<string, typeof COMMON>,
  { featureSubgraph, ...given }: New,
): Promise<CommandResult> {
  const { argument: name, options, context } = call
  const { schema: file, allowBreaking } = options
  if (options.delete === (file !== undefined)) {
    throw new UsageError('Either --schema <file> or --delete says what is to be checked.')
  }
  if (file === undefined && Object.values(given).some((value) => value !== undefined)) {
    throw new UsageError(
      '--label, --routing-url and --subgraph are for what does not exist yet; --delete is not.',
    )
  }
  const proposal =
    file === undefined
      ? ({ kind: 'delete' } as const)
      : ({ kind: 'publish', ...(await readSchema(file, context)), ...given } as const)
  const { checkSubgraph } = await import('../../check/check-subgraph.ts')
  return checkSubgraph(call, { name, proposal, featureSubgraph, allowBreaking })
}

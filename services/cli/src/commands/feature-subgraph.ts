import { SubgraphList } from '@switchyard/contracts'
import type { CommandOutcome } from '@switchyard/contracts'
import { type Command, Option } from 'commander'
import { parseName, parseNamespace, parseRoutingUrl } from '../arguments.ts'
import {
  checkWriting,
  finishList,
  finishWrite,
  withExamples,
  withRegistry,
  withWrite,
} from '../command-builder.ts'
import type { Invocation, RegistryOptions, WritingOptions } from '../command-builder.ts'
import { LocalRefusal, UsageError } from '../errors.ts'
import { readSchemaFile } from '../files.ts'
import { apiPath, connectRegistry } from '../registry/registry-client.ts'
import type { RegistryClient } from '../registry/registry-client.ts'

type NoLabels = { readonly label?: readonly string[] }
type CreateOptions = WritingOptions & NoLabels & { readonly routingUrl: string; readonly subgraph: string }
type PublishOptions = WritingOptions &
  NoLabels & { readonly schema: string; readonly routingUrl?: string; readonly subgraph?: string }

export function addFeatureSubgraphCommands(program: Command, invocation: Invocation): void {
  const featureSubgraph = program
    .command('feature-subgraph')
    .alias('fs')
    .description('replacements of subgraphs, used through feature flags')

  withExamples(
    withWrite(
      featureSubgraph
        .command('create <name>')
        .description('create a feature subgraph; it has no effect until an enabled feature flag names it')
        .requiredOption('--routing-url <url>', 'where routers reach it')
        .requiredOption('--subgraph <name>', 'the subgraph that it replaces')
        .addOption(refusedLabel()),
    ),
    'feature-subgraph create products-next --subgraph products --routing-url http://localhost:4201/graphql',
  ).action(async (name: string, options: CreateOptions) => {
    checkWriting(options)
    refuseLabels(options)
    const namespace = parseNamespace(options.namespace)
    const body = featureSubgraphBody(name, options.routingUrl, options.subgraph)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    await finishWrite(
      invocation,
      options,
      await registry.write('POST', apiPath('feature-subgraphs', namespace), body, options),
    )
  })

  withExamples(
    withWrite(
      featureSubgraph
        .command('publish <name>')
        .description(
          'publish the schema of a feature subgraph; with --subgraph and --routing-url it is created if missing',
        )
        .requiredOption('--schema <file>', 'the SDL of the feature subgraph')
        .option('--routing-url <url>', 'where routers reach it (needs --subgraph)')
        .option('--subgraph <name>', 'the subgraph that it replaces (needs --routing-url)')
        .addOption(refusedLabel()),
    ),
    'fs publish products-next --schema products-next.graphql',
    'fs publish products-next --schema products-next.graphql --subgraph products --routing-url http://localhost:4201/graphql',
  ).action((name: string, options: PublishOptions) => publish(invocation, name, options))

  withExamples(
    withRegistry(featureSubgraph.command('list').description('list the feature subgraphs of a namespace')),
    'fs list',
  ).action(async (options: RegistryOptions) => {
    const namespace = parseNamespace(options.namespace)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const all = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
    const list = { subgraphs: all.subgraphs.filter(({ base }) => base !== null) }
    finishList(invocation, list, {
      columns: ['name', 'replaces', 'schema', 'routing url'],
      rows: list.subgraphs.map((item) => [
        item.name,
        item.base ?? '',
        item.published ? 'published' : 'not published',
        item.routingUrl,
      ]),
      whenEmpty: `No feature subgraphs in namespace "${namespace}".`,
    })
  })
}

async function publish(invocation: Invocation, name: string, options: PublishOptions): Promise<void> {
  checkWriting(options)
  refuseLabels(options)
  const namespace = parseNamespace(options.namespace)
  parseName('feature subgraph', name)
  const creation = creationOf(name, options)
  const sdl = await readSchemaFile(options.schema, invocation.context.cwd)
  const registry = await connectRegistry(invocation.context, options.dataDir)
  const created = await createWhenMissing(registry, namespace, name, creation)
  const path = apiPath('subgraphs', namespace, name, 'schema')
  const outcome = await registry.write('PUT', path, { sdl }, { wait: options.wait, step: 'publish' })
  const whole =
    created === null
      ? outcome
      : {
          ...outcome,
          changed: true,
          message: `${created.message}\n${outcome.message}`,
          warnings: [...created.warnings, ...outcome.warnings],
        }
  await finishWrite(invocation, options, whole, new Map([[name, { sdl, file: options.schema }]]))
}

type Creation = ReturnType<typeof featureSubgraphBody>

function creationOf(name: string, options: PublishOptions): Creation | null {
  const { routingUrl, subgraph } = options
  if (routingUrl !== undefined && subgraph !== undefined)
    return featureSubgraphBody(name, routingUrl, subgraph)
  if (routingUrl === undefined && subgraph === undefined) return null
  throw new UsageError(
    'To create a feature subgraph while publishing, both --subgraph and --routing-url are needed; for one that exists, neither.',
  )
}

/** The outcome of the creation, or null when the feature subgraph exists already. */
async function createWhenMissing(
  registry: RegistryClient,
  namespace: string,
  name: string,
  creation: Creation | null,
): Promise<CommandOutcome | null> {
  const { subgraphs } = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
  const existing = subgraphs.find((item) => item.name === name)
  if (existing === undefined) {
    if (creation !== null) {
      return registry.write('POST', apiPath('feature-subgraphs', namespace), creation, {
        wait: false,
        step: 'create',
      })
    }
    throw new LocalRefusal(
      'NOT_FOUND',
      `There is no feature subgraph "${name}" in namespace "${namespace}"; to create it now, give both --subgraph and --routing-url.`,
    )
  }
  if (existing.base === null) {
    throw new LocalRefusal(
      'FEATURE_SUBGRAPH_EXPECTED',
      `"${name}" is a subgraph, not a feature subgraph; "switchyard subgraph publish" publishes it.`,
    )
  }
  if (creation !== null && creation.subgraph !== existing.base) {
    throw new LocalRefusal(
      'FEATURE_SUBGRAPH_EXPECTED',
      `The feature subgraph "${name}" exists and replaces "${existing.base}", not "${creation.subgraph}"; nothing was published.`,
    )
  }
  return null
}

function featureSubgraphBody(name: string, routingUrl: string, subgraph: string) {
  return {
    name: parseName('feature subgraph', name),
    routingUrl: parseRoutingUrl(routingUrl),
    subgraph: parseName('subgraph', subgraph),
  }
}

/** Known, so that the refusal can say why. */
function refusedLabel(): Option {
  return new Option('--label <labels...>').hideHelp()
}

function refuseLabels(options: NoLabels): void {
  if (options.label === undefined) return
  throw new UsageError(
    'A feature subgraph has no labels: the labels of its feature flag decide which graphs it takes part in.',
  )
}

import { FederatedGraphDetail, FederatedGraphList, type FederatedGraphView } from '@switchyard/contracts'
import { parseLabelMatchers } from '../arguments.ts'
import { addGroup, addReadCommand, addWriteCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { type CommandResult, detailed, listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import type { CliContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import { flag, list } from '../options.ts'
import { describeCompositions, type SchemaSources } from '../output/outcome.ts'
import { styleFor } from '../output/style.ts'
import { apiPath } from '../registry/registry-client.ts'
import { schemaSources } from '../registry/schema-sources.ts'
import { servedBy } from '../registry/served-graphs.ts'
import { graphName, newName } from '../value-types.ts'
import { addGraphFetch } from './federated-graph/fetch.ts'

const MATCHING =
  'groups separated by spaces must all match, labels separated by commas are alternatives; none = only subgraphs without labels'

export function addFederatedGraphCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const graph = addGroup(program, noun)

  addWriteCommand(graph, invocation, {
    name: 'create',
    argument: { name: 'name', type: newName('federated graph') },
    description: 'create a federated graph',
    options: {
      labelMatcher: list(
        '--label-matcher <matchers...>',
        `which subgraphs belong to it: ${MATCHING}`,
        parseLabelMatchers,
      ),
      allowUnenforcedAuthorization: allowUnenforcedAuthorization(),
    },
    examples: [
      'federated-graph create shop --label-matcher team=shop',
      'graph create shop -n staging --label-matcher team=shop,team=billing env=prod',
    ],
    request: ({ namespace, argument, options }) => ({
      method: 'POST',
      path: apiPath('graphs', namespace),
      body: {
        name: argument,
        labelMatchers: options.labelMatcher ?? [],
        allowUnenforcedAuthorization: options.allowUnenforcedAuthorization,
      },
    }),
  })

  addWriteCommand(graph, invocation, {
    name: 'update',
    argument: { name: 'name', type: graphName },
    description:
      'change a federated graph: replace its label matchers, allow or refuse unenforced authorization',
    options: {
      labelMatcher: list(
        '--label-matcher <matchers...>',
        `all of its matchers from now on: ${MATCHING}`,
        parseLabelMatchers,
      ),
      unsetLabelMatchers: flag(
        '--unset-label-matchers',
        'remove all matchers: only subgraphs without labels belong to it',
      ),
      allowUnenforcedAuthorization: allowUnenforcedAuthorization(),
      refuseUnenforcedAuthorization: flag(
        '--refuse-unenforced-authorization',
        'refuse such schemas again (the default)',
      ),
    },
    examples: [
      'federated-graph update shop --label-matcher team=shop env=prod',
      'graph update shop --unset-label-matchers',
      'graph update shop --refuse-unenforced-authorization',
    ],
    request: ({ namespace, argument, options }) => {
      const { labelMatcher, unsetLabelMatchers } = options
      if (labelMatcher !== undefined && unsetLabelMatchers)
        throw new UsageError('--label-matcher and --unset-label-matchers contradict each other.')
      const { allowUnenforcedAuthorization: allow, refuseUnenforcedAuthorization: refuse } = options
      if (allow && refuse)
        throw new UsageError(
          '--allow-unenforced-authorization and --refuse-unenforced-authorization contradict each other.',
        )
      if (labelMatcher === undefined && !unsetLabelMatchers && !allow && !refuse)
        throw new UsageError(
          'graph update changes nothing without --label-matcher, --unset-label-matchers, --allow-unenforced-authorization or --refuse-unenforced-authorization.',
        )
      return {
        method: 'PATCH',
        path: apiPath('graphs', namespace, argument),
        body: {
          ...(unsetLabelMatchers ? { labelMatchers: [] } : {}),
          ...(labelMatcher === undefined ? {} : { labelMatchers: labelMatcher }),
          ...(allow || refuse ? { allowUnenforcedAuthorization: allow } : {}),
        },
      }
    },
  })

  addWriteCommand(graph, invocation, {
    name: 'delete',
    argument: { name: 'name', type: graphName },
    description: 'delete a federated graph; its subgraphs and feature flags stay',
    examples: ['federated-graph delete shop', 'graph delete shop --force'],
    confirm: async ({ registry, namespace, argument }) => {
      const { graphDeletion, readNamespace } = await import('../consequences.ts')
      return graphDeletion(await readNamespace(registry, namespace), argument)
    },
    request: ({ namespace, argument }) => ({
      method: 'DELETE',
      path: apiPath('graphs', namespace, argument),
      body: {},
    }),
  })

  addReadCommand(graph, invocation, {
    name: 'list',
    description: 'list the federated graphs of a namespace',
    examples: ['graph list', 'graph list -n staging --json'],
    run: async ({ namespace, registry, context }) => {
      const found = await registry.get(apiPath('graphs', namespace), FederatedGraphList)
      return listed(
        found,
        {
          columns: ['name', 'label matchers', 'base', 'subgraphs', 'revision'],
          rows: found.graphs.map((item) => [
            item.name,
            item.labelMatchers.join(' ') || '-',
            item.base,
            item.subgraphs.join(' ') || '-',
            revisionOf(item),
          ]),
          whenEmpty: `No federated graphs in namespace "${namespace}".`,
        },
        context,
      )
    },
  })

  addReadCommand(graph, invocation, {
    name: 'get',
    argument: { name: 'name', type: graphName },
    description: 'show a federated graph: subgraphs, feature flags, what routers serve, composition errors',
    examples: ['graph get shop', 'graph get shop --json'],
    run: async ({ namespace, registry, argument, context }) => {
      const found = await registry.get(apiPath('graphs', namespace, argument), FederatedGraphDetail)
      return describeGraph(found, await schemaSources(found.compositions, namespace, registry), context)
    },
  })

  addGraphFetch(graph, invocation)
}

function allowUnenforcedAuthorization() {
  return flag(
    '--allow-unenforced-authorization',
    'compose schemas with @authenticated, @requiresScopes or @policy, although routers do not enforce them yet',
  )
}

async function describeGraph(
  graph: FederatedGraphDetail,
  sources: SchemaSources,
  context: CliContext,
): Promise<CommandResult> {
  const { compositions, routers, ...result } = graph
  const shown = detailed(
    { result, compositions, routers },
    [
      ['name', graph.name],
      ['namespace', graph.namespace],
      ['label matchers', graph.labelMatchers.join(' ')],
      ...(graph.allowUnenforcedAuthorization ? [['unenforced authorization', 'allowed'] as const] : []),
      ['base', graph.base],
      ['revision', revisionOf(graph)],
      ['routers', routers.total === 0 ? 'none has reported' : `${routers.serving}/${routers.total} serve it`],
      ['subgraphs', graph.subgraphs],
      ['feature flags', graph.featureFlags.map(({ name, state }) => `${name}: ${state}`)],
    ],
    context,
  )
  const told = describeCompositions(
    compositions,
    sources,
    styleFor(context.stdout, context.env),
    new Map([[graph.name, servedBy(graph)]]),
  )
  return { ...shown, text: [shown.text, told].filter((text) => text !== '').join('\n\n') }
}

function revisionOf({ revision, pinnedRevision }: FederatedGraphView): string {
  if (revision === null) return '-'
  return pinnedRevision === null ? String(revision) : `${revision} (held on ${pinnedRevision})`
}

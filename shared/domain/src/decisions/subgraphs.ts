/** Base and feature subgraphs: they share their names, their limit and most of their commands. */
import {
  didYouMean,
  MAX_SUBGRAPHS_PER_NAMESPACE,
  type Problem,
  problem,
  type RegistryEvent,
} from '@switchyard/contracts'
import type { CommandOf } from './command.ts'
import type { FeatureSubgraph, NamespaceState, Subgraph } from '../state/namespace-state.ts'
import { decided, type Decision, notFound, refused, sameSet, unchanged } from './decision.ts'

export function createSubgraph(
  state: NamespaceState,
  { name, routingUrl, labels }: CommandOf<'create-subgraph'>,
): Decision {
  const obstacle = nameObstacle(state, name)
  if (obstacle !== null) return refused(obstacle)
  return decided(state, { type: 'subgraph.created', name, routingUrl, labels: [...labels] })
}

export function createFeatureSubgraph(
  state: NamespaceState,
  { name, routingUrl, base }: CommandOf<'create-feature-subgraph'>,
): Decision {
  const obstacle = baseObstacle(state, name, base) ?? nameObstacle(state, name)
  if (obstacle !== null) return refused(obstacle)
  return decided(state, { type: 'feature-subgraph.created', name, routingUrl, base })
}

export function publishSchema(state: NamespaceState, command: CommandOf<'publish-schema'>): Decision {
  const { name, schema, bytes } = command
  const published: RegistryEvent = { type: 'subgraph.schema-published', name, schema, bytes }
  const subgraph = state.subgraphs.get(name)
  if (subgraph === undefined) return createAndPublish(state, command, published)
  const objection = publishObjection(subgraph, command)
  if (objection !== null) return refused(objection)
  if (subgraph.schema?.sha256 === schema) {
    return unchanged(`The schema of "${name}" is this one already, byte for byte`)
  }
  return decided(state, published)
}

export function updateSubgraph(
  state: NamespaceState,
  { name, routingUrl, labels }: CommandOf<'update-subgraph'>,
): Decision {
  const subgraph = state.subgraphs.get(name)
  if (subgraph === undefined)
    return notFound(state, `subgraph or feature subgraph "${name}"`, { name, known: state.subgraphs.keys() })
  if (subgraph.kind === 'feature-subgraph' && hasAny(labels)) return refused(noLabels(subgraph))
  const change = {
    ...(routingUrl === undefined || routingUrl === subgraph.routingUrl ? {} : { routingUrl }),
    ...(labels === undefined || subgraph.kind !== 'subgraph' || sameSet(labels, subgraph.labels)
      ? {}
      : { labels: [...labels] }),
  }
  if (Object.keys(change).length === 0) return unchanged(`"${name}" is like this already`)
  return decided(state, { type: 'subgraph.updated', name, ...change })
}

export function deleteSubgraph(state: NamespaceState, name: string): Decision {
  if (!state.subgraphs.has(name))
    return notFound(state, `subgraph or feature subgraph "${name}"`, { name, known: state.subgraphs.keys() })
  return decided(state, { type: 'subgraph.deleted', name })
}

function createAndPublish(
  state: NamespaceState,
  { name, routingUrl, labels, base }: CommandOf<'publish-schema'>,
  published: RegistryEvent,
): Decision {
  if (routingUrl === undefined) {
    return refused(
      problem(
        'NOT_FOUND',
        `There is no subgraph "${name}" in namespace "${state.namespace}", so no schema was published.${didYouMean(name, state.subgraphs.keys())} Create it first, or give its routing URL to have it created.`,
      ),
    )
  }
  if (base === undefined) {
    const obstacle = nameObstacle(state, name)
    if (obstacle !== null) return refused(obstacle)
    return decided(
      state,
      { type: 'subgraph.created', name, routingUrl, labels: [...(labels ?? [])] },
      published,
    )
  }
  if (hasAny(labels)) return refused(noLabels({ name, base }))
  const obstacle = baseObstacle(state, name, base) ?? nameObstacle(state, name)
  if (obstacle !== null) return refused(obstacle)
  return decided(state, { type: 'feature-subgraph.created', name, routingUrl, base }, published)
}

/** Why this is not the subgraph that the publisher has in mind. */
function publishObjection(subgraph: Subgraph, { labels, base }: CommandOf<'publish-schema'>): Problem | null {
  const { name } = subgraph
  if (subgraph.kind === 'feature-subgraph') {
    if (hasAny(labels)) return noLabels(subgraph)
    if (base === undefined || base === subgraph.base) return null
    return problem(
      'FEATURE_SUBGRAPH_EXPECTED',
      `The feature subgraph "${name}" exists and replaces "${subgraph.base}", not "${base}"; nothing was published.`,
    )
  }
  if (base === undefined) return null
  return problem(
    'FEATURE_SUBGRAPH_EXPECTED',
    `"${name}" is a subgraph of its own, not a feature subgraph that replaces "${base}"; nothing was published.`,
  )
}

function hasAny(labels: readonly string[] | undefined): boolean {
  return labels !== undefined && labels.length > 0
}

function noLabels({ name, base }: Pick<FeatureSubgraph, 'name' | 'base'>): Problem {
  return problem(
    'INVALID_REQUEST',
    `"${name}" is a feature subgraph, which has no labels: it takes part wherever "${base}" does. Nothing was changed; leave the labels out.`,
  )
}

function baseObstacle(state: NamespaceState, name: string, baseName: string): Problem | null {
  const base = state.subgraphs.get(baseName)
  if (base === undefined) {
    return problem(
      'BASE_SUBGRAPH_NOT_FOUND',
      `There is no subgraph "${baseName}" in namespace "${state.namespace}" that "${name}" could replace.${didYouMean(baseName, state.subgraphs.keys())} Create it first.`,
    )
  }
  if (base.kind === 'subgraph') return null
  return problem(
    'BASE_SUBGRAPH_NOT_FOUND',
    `"${baseName}" is itself a feature subgraph and cannot be replaced by "${name}". Name the subgraph that it replaces: "${base.base}".`,
  )
}

function nameObstacle(state: NamespaceState, name: string): Problem | null {
  const holder = state.subgraphs.get(name)
  if (holder !== undefined) {
    const kind = holder.kind === 'subgraph' ? 'subgraph' : 'feature subgraph'
    return problem(
      'ALREADY_EXISTS',
      `There is a ${kind} "${name}" in namespace "${state.namespace}" already; subgraphs and feature subgraphs share their names. Nothing was changed.`,
    )
  }
  if (state.subgraphs.size < MAX_SUBGRAPHS_PER_NAMESPACE) return null
  return problem(
    'LIMIT_EXCEEDED',
    `Namespace "${state.namespace}" holds ${state.subgraphs.size} subgraphs and feature subgraphs, and ${MAX_SUBGRAPHS_PER_NAMESPACE} is the limit, so "${name}" was not created.`,
  )
}

import { orderedMatchers } from '@switchyard/contracts'
import type { CommandOf } from './command.ts'
import type { FederatedGraph, NamespaceState } from '../state/namespace-state.ts'
import { decided, type Decision, existsAlready, notFound, sameSet, unchanged } from './decision.ts'

export function createFederatedGraph(
  state: NamespaceState,
  {
    name,
    labelMatchers,
    allowUnenforcedAuthorization = false,
    publicUrl = null,
  }: CommandOf<'create-federated-graph'>,
): Decision {
  if (state.graphs.has(name)) return existsAlready(state, `a federated graph "${name}"`)
  return decided(state, {
    type: 'federated-graph.created',
    name,
    labelMatchers: [...labelMatchers],
    ...(allowUnenforcedAuthorization ? { allowUnenforcedAuthorization } : {}),
    ...(publicUrl === null ? {} : { publicUrl }),
  })
}

export function updateFederatedGraph(
  state: NamespaceState,
  {
    name,
    labelMatchers,
    allowUnenforcedAuthorization: allowed,
    publicUrl,
  }: CommandOf<'update-federated-graph'>,
): Decision {
  return withGraph(state, name, (graph) => {
    const matchers = labelMatchers ?? graph.labelMatchers
    const hasMatchers = sameSet(graph.labelMatchers, orderedMatchers(matchers))
    const isAsAllowed = allowed === undefined || allowed === graph.allowUnenforcedAuthorization
    const hasUrl = publicUrl === undefined || publicUrl === graph.publicUrl
    if (hasMatchers && isAsAllowed && hasUrl)
      return unchanged(`Federated graph "${name}" ${stays({ labelMatchers, allowed, publicUrl })}`)
    return decided(state, {
      type: 'federated-graph.updated',
      name,
      labelMatchers: [...matchers],
      ...(allowed === undefined || isAsAllowed ? {} : { allowUnenforcedAuthorization: allowed }),
      ...(hasUrl ? {} : { publicUrl }),
    })
  })
}

type Named = Pick<CommandOf<'update-federated-graph'>, 'labelMatchers' | 'publicUrl'> & {
  readonly allowed: boolean | undefined
}

function stays({ labelMatchers, allowed, publicUrl }: Named): string {
  return [
    ...(labelMatchers === undefined ? [] : ['has these label matchers already']),
    ...(allowed === undefined ? [] : [`${allowed ? 'allows' : 'refuses'} unenforced authorization already`]),
    ...(publicUrl === undefined ? [] : [`has ${publicUrl === null ? 'no' : 'this'} public URL already`]),
  ].join(' and ')
}

export function deleteFederatedGraph(state: NamespaceState, name: string): Decision {
  return withGraph(state, name, () => decided(state, { type: 'federated-graph.deleted', name }))
}

export function pinFederatedGraph(
  state: NamespaceState,
  { name, revision }: CommandOf<'pin-federated-graph'>,
): Decision {
  return withGraph(state, name, (graph) =>
    graph.pinnedRevision === revision
      ? unchanged(`Federated graph "${name}" is held on revision ${revision} already`)
      : decided(state, { type: 'federated-graph.pinned', name, revision }),
  )
}

export function unpinFederatedGraph(state: NamespaceState, name: string): Decision {
  return withGraph(state, name, (graph) =>
    graph.pinnedRevision === null
      ? unchanged(`Federated graph "${name}" is held on no revision`)
      : decided(state, { type: 'federated-graph.unpinned', name }),
  )
}

/**
 * Publishes a graph once more. This is never without effect: its purpose is that every router takes the
 * content of the log.
 */
export function republishFederatedGraph(state: NamespaceState, name: string): Decision {
  return withGraph(state, name, () => decided(state, { type: 'federated-graph.republished', name }))
}

function withGraph(
  state: NamespaceState,
  name: string,
  decision: (graph: FederatedGraph) => Decision,
): Decision {
  const graph = state.graphs.get(name)
  if (graph !== undefined) return decision(graph)
  return notFound(state, `federated graph "${name}"`, { name, known: state.graphs.keys() })
}

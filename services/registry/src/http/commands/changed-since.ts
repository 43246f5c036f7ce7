/** Refuses a command that was judged on a state which is not the present one any more. */
import { type Problem, problem, type RegistryEvent } from '@switchyard/contracts'
import { affectedGraphs, applyEvents, type RegistryFold } from '@switchyard/domain'

/**
 * Returns the refusal of these events if something that they depend on was changed after that sequence: the
 * subgraphs and flags that they name, or anything of a graph that they affect. Null if nothing was.
 */
export function changedSince(
  fold: RegistryFold,
  namespace: string,
  events: readonly RegistryEvent[],
  judgedAt: number,
): Problem | null {
  const state = fold.state(namespace)
  const graphs = affectedGraphs(state, applyEvents(state, events)).filter(
    (graph) => fold.lastAffected(namespace, graph) > judgedAt,
  )
  const isChanged = (part: { subgraphs?: readonly string[]; flags?: readonly string[] }) =>
    (fold.lastChange(namespace, part)?.sequence ?? 0) > judgedAt
  const { subgraphs, flags } = namesIn(events)
  const changed = [
    ...graphs.map((graph) => `Something of federated graph "${graph}" was changed.`),
    ...subgraphs.filter((name) => isChanged({ subgraphs: [name] })).map((name) => `"${name}" was changed.`),
    ...flags
      .filter((name) => isChanged({ flags: [name] }))
      .map((name) => `Feature flag "${name}" was changed.`),
  ]
  if (changed.length === 0) return null
  return problem(
    'STATE_CHANGED',
    `The command was judged on the state at sequence ${judgedAt}, and what it depends on was changed since. Nothing was changed by it. Look at the present state, and give the command again.`,
    { problems: changed },
  )
}

function namesIn(events: readonly RegistryEvent[]): {
  readonly subgraphs: readonly string[]
  readonly flags: readonly string[]
} {
  const subgraphs = new Set<string>()
  const flags = new Set<string>()
  for (const event of events) {
    if (event.type === 'feature-flag.launched' || event.type === 'feature-flag.launch-undone')
      flags.add(event.name)
    if (event.type === 'subgraph.schema-published' || event.type === 'subgraph.updated')
      subgraphs.add(event.name)
    if (event.type === 'feature-flag.launched')
      for (const { featureSubgraph } of event.promoted) subgraphs.add(featureSubgraph)
  }
  return { subgraphs: [...subgraphs].sort(), flags: [...flags] }
}

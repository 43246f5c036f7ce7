/**
 * Which graph the router serves when nobody said: the only one there is, as soon as there is one.
 *
 * The choice is made once. A second graph that comes later changes nothing for the clients of the first;
 * after a restart with several, somebody has to say which.
 */
import { CompositionRecord, graphOfSubject, parseRecord } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import type { EventLog, LogFilter } from '@switchyard/event-log'

const COMPOSITIONS: LogFilter = { kind: 'log', log: 'compositions' }

export type ChooseGraphOptions = {
  readonly log: EventLog
  readonly signal: AbortSignal
  /** Why there is nothing to serve, each time that changes. */
  readonly onWaiting: (reason: string) => void
}

/** Waits until there is one graph to serve. Null if `signal` aborted before there was a choice. */
export async function chooseOnlyGraph({
  log,
  signal,
  onWaiting,
}: ChooseGraphOptions): Promise<GraphName | null> {
  // Every graph has a record from its creation on, also while it has nothing to compose.
  const newest = (await log.last(COMPOSITIONS))?.sequence ?? 0
  const graphs = new Map<string, GraphName>()
  if (newest === 0) onWaiting(reasonToWait([]))
  for await (const { subject, sequence, record } of log.follow(COMPOSITIONS, 1, signal)) {
    const graph = graphOfSubject(subject)
    if (graph === null) continue
    const { type } = parseRecord(CompositionRecord, record)
    if (type === 'graph.removed') graphs.delete(subject)
    else graphs.set(subject, graph)
    // Half of the log would show the first graph as the only one.
    if (sequence < newest) continue
    const [only] = graphs.values()
    if (graphs.size === 1 && only !== undefined) return only
    onWaiting(reasonToWait([...graphs.values()]))
  }
  return null
}

function reasonToWait(graphs: readonly GraphName[]): string {
  if (graphs.length === 0) {
    return 'there is no federated graph yet; "switchyard federated-graph create" makes one'
  }
  const names = graphs.map(({ namespace, graph }) => `${namespace}/${graph}`).sort()
  const shown =
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
  return `there are several federated graphs (${shown}); choose one with --graph <namespace>/<name>`
}

/**
 * The fold over the whole log of the registry: every namespace, and the keys. Services that read this log
 * fold it with this class, so that they agree on what it says; each looks at the part that it needs.
 */
import {
  DEFAULT_NAMESPACE,
  type GraphName,
  namespaceOfSubject,
  parseRecord,
  RegistryRecord,
  SYSTEM_SUBJECT,
  SystemRecord,
} from '@switchyard/contracts'
import { applyRecord, type RecordOutcome } from './apply-record.ts'
import { emptyNamespace, type NamespaceState, sortedByName } from './state/namespace-state.ts'
import { applySystemRecord, emptySystem, type SystemState } from './system-state.ts'

/** An entry of the registry's log, its record not yet checked. */
export type RegistryEntry = {
  readonly subject: string
  readonly sequence: number
  readonly record: unknown
}

export type FoldedEntry =
  | { readonly kind: 'system' }
  | {
      readonly kind: 'namespace'
      readonly namespace: string
      readonly record: RegistryRecord
      readonly outcome: RecordOutcome
    }

/** Sequences of the record that created a graph and of the last one that affected it. */
type GraphSequences = { readonly createdAt: number; readonly lastAffected: number }

export class RegistryFold {
  readonly #namespaces = new Map([[DEFAULT_NAMESPACE, emptyNamespace(DEFAULT_NAMESPACE)]])
  /** The sequences of each graph, by namespace and graph. */
  readonly #graphs = new Map<string, Map<string, GraphSequences>>()
  #system = emptySystem()

  /** API keys, trace keys and signing keys. */
  get system(): SystemState {
    return this.#system
  }

  state(namespace: string): NamespaceState {
    return this.#namespaces.get(namespace) ?? emptyNamespace(namespace)
  }

  /** Names of those that exist, sorted. */
  namespaces(): readonly string[] {
    return [...this.#namespaces.values()]
      .filter((state) => state.exists)
      .map((state) => state.namespace)
      .sort()
  }

  /** Returns the graphs of all namespaces, sorted. */
  graphs(): readonly GraphName[] {
    return this.namespaces().flatMap((namespace) =>
      sortedByName(this.state(namespace).graphs.values()).map(({ name }) => ({ namespace, graph: name })),
    )
  }

  /** Returns the sequence of the last record that affected the graph; 0 if none did. */
  lastAffected(namespace: string, graph: string): number {
    return this.#graphs.get(namespace)?.get(graph)?.lastAffected ?? 0
  }

  /** The record that created the graph of that name, the last time if there were several; 0 when none did. */
  createdAt(namespace: string, graph: string): number {
    return this.#graphs.get(namespace)?.get(graph)?.createdAt ?? 0
  }

  /** Throws for an entry that is not understood; then nothing has changed. */
  apply({ subject, sequence, record: written }: RegistryEntry): FoldedEntry {
    if (subject === SYSTEM_SUBJECT) {
      this.#system = applySystemRecord(this.#system, parseRecord(SystemRecord, written), sequence)
      return { kind: 'system' }
    }
    const namespace = namespaceOfSubject(subject)
    if (namespace === null) throw new Error(`"${subject}" is not the subject of a namespace`)
    const record = parseRecord(RegistryRecord, written)
    const { state, outcome } = applyRecord(this.state(namespace), record, sequence)
    this.#namespaces.set(namespace, state)
    if (outcome.kind === 'applied') this.#noteAffected(namespace, record, outcome.affectedGraphs, sequence)
    return { kind: 'namespace', namespace, record, outcome }
  }

  #noteAffected(
    namespace: string,
    { events }: RegistryRecord,
    affected: readonly string[],
    sequence: number,
  ): void {
    const graphs = this.#graphs.get(namespace) ?? new Map<string, GraphSequences>()
    const created = new Set(
      events.flatMap((event) => (event.type === 'federated-graph.created' ? [event.name] : [])),
    )
    for (const graph of affected) {
      const createdAt = created.has(graph) ? sequence : (graphs.get(graph)?.createdAt ?? 0)
      graphs.set(graph, { createdAt, lastAffected: sequence })
    }
    this.#graphs.set(namespace, graphs)
  }
}

/** What the registry knows: every namespace and the API keys, folded from its own log. */
import {
  DEFAULT_NAMESPACE,
  type GraphName,
  namespaceOfSubject,
  RegistryRecord,
  registrySubject,
  SYSTEM_SUBJECT,
  SystemRecord,
} from '@switchyard/contracts'
import {
  applyRecord,
  applySystemRecord,
  emptyNamespace,
  emptySystem,
  type NamespaceState,
  sortedByName,
  type SystemState,
} from '@switchyard/domain'
import { type EventLog, type LogEntry, parseRecord } from '@switchyard/event-log'
import type { Changes } from '@switchyard/service-kit'
import type { BlobReferences } from './blob-references.ts'
import type { RegistryEvents } from './events.ts'
import { LogFollower } from './log-follower.ts'

export type RegistryFoldOptions = {
  readonly log: EventLog
  readonly changes: Changes
  readonly events: RegistryEvents
  readonly signal: AbortSignal
  readonly references: BlobReferences
}

type GraphSequences = { readonly createdAt: number; readonly lastAffected: number }

export class RegistryFold implements AsyncDisposable {
  readonly #references: BlobReferences
  readonly #namespaces = new Map<string, NamespaceState>([
    [DEFAULT_NAMESPACE, emptyNamespace(DEFAULT_NAMESPACE)],
  ])
  /** By namespace and graph: the record that created the graph, and the last one that affected it. */
  readonly #graphs = new Map<string, Map<string, GraphSequences>>()
  readonly #follower: LogFollower
  system: SystemState = emptySystem()

  constructor(options: RegistryFoldOptions) {
    this.#references = options.references
    this.#follower = new LogFollower({ ...options, name: 'registry', apply: (entry) => this.#apply(entry) })
  }

  get stopReason(): string | null {
    return this.#follower.stopReason
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

  /** Of all namespaces, sorted. */
  graphs(): readonly GraphName[] {
    return this.namespaces().flatMap((namespace) =>
      sortedByName(this.state(namespace).graphs.values()).map(({ name }) => ({ namespace, graph: name })),
    )
  }

  /** 0 when nothing has affected it. */
  lastAffected(namespace: string, graph: string): number {
    return this.#graphs.get(namespace)?.get(graph)?.lastAffected ?? 0
  }

  /** The record that created the graph of that name, the last time if there were several; 0 when none did. */
  createdAt(namespace: string, graph: string): number {
    return this.#graphs.get(namespace)?.get(graph)?.createdAt ?? 0
  }

  /** A state that holds every record acknowledged before the call. */
  async caughtUp(namespace: string): Promise<NamespaceState> {
    await this.#follower.caughtUp({ kind: 'subject', subject: registrySubject(namespace) })
    return this.state(namespace)
  }

  async systemCaughtUp(): Promise<SystemState> {
    await this.#follower.caughtUp({ kind: 'subject', subject: SYSTEM_SUBJECT })
    return this.system
  }

  async everythingCaughtUp(): Promise<void> {
    await this.#follower.caughtUp()
  }

  /** Resolves when the fold holds the record of that sequence. */
  async reaches(sequence: number): Promise<void> {
    await this.#follower.reaches(sequence)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower[Symbol.asyncDispose]()
  }

  #apply(entry: LogEntry): void {
    if (entry.subject === SYSTEM_SUBJECT) {
      this.system = applySystemRecord(this.system, parseRecord(SystemRecord, entry.record), entry.sequence)
      return
    }
    const namespace = namespaceOfSubject(entry.subject)
    if (namespace === null) throw new Error(`"${entry.subject}" is not the subject of a namespace`)
    const record = parseRecord(RegistryRecord, entry.record)
    this.#references.addRegistryRecord(record)
    const { state, outcome } = applyRecord(this.state(namespace), record, entry.sequence)
    this.#namespaces.set(namespace, state)
    if (outcome.kind !== 'applied') return
    const graphs = this.#graphs.get(namespace) ?? new Map<string, GraphSequences>()
    const created = new Set(
      record.events.flatMap((event) => (event.type === 'federated-graph.created' ? [event.name] : [])),
    )
    for (const graph of outcome.affectedGraphs) {
      const createdAt = created.has(graph) ? entry.sequence : (graphs.get(graph)?.createdAt ?? 0)
      graphs.set(graph, { createdAt, lastAffected: entry.sequence })
    }
    this.#graphs.set(namespace, graphs)
  }
}

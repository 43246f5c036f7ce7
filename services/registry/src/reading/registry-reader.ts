/** The state of the registry: the fold of its own log, kept up to date by following the log. */
import { type GraphName, registrySubject, SYSTEM_SUBJECT } from '@switchyard/contracts'
import { type NamespaceState, RegistryFold, type SystemState } from '@switchyard/domain'
import { type EventLog, type LogEntry, LogFollower } from '@switchyard/event-log'
import type { Changes } from '@switchyard/service-kit'
import type { BlobReferences } from './blob-references.ts'
import { CommandSequences } from './command-sequences.ts'
import type { FoldedRecord, LogNews } from './log-news.ts'
import type { ReadingEvents } from './reading-events.ts'
import { RecordIndex } from './record-index.ts'
import { SchemaVersions } from './schema-versions.ts'

export type RegistryReaderOptions = {
  readonly log: EventLog
  readonly changes: Changes
  readonly events: ReadingEvents
  readonly signal: AbortSignal
  readonly references: BlobReferences
  readonly news: LogNews
}

export class RegistryReader extends RegistryFold implements AsyncDisposable {
  readonly #follower: LogFollower
  readonly #commands = new CommandSequences()
  /** All records of the log so far. */
  readonly records = new RecordIndex()
  readonly #rolloutCommands = new CommandSequences()
  readonly schemas = new SchemaVersions()

  constructor(options: RegistryReaderOptions) {
    super()
    const { references, news } = options
    const take = (entry: LogEntry): void => news.recorded(this.#take(entry, references))
    const filter = { kind: 'log', log: 'registry' } as const
    this.#follower = LogFollower.following({ ...options, reader: 'registry', filter, apply: take })
  }

  get stopReason(): string | null {
    return this.#follower.stopReason
  }

  /**
   * Sequences of the records that affected the graph, after one sequence and up to another; null if they are
   * not all remembered.
   */
  commandsBetween(graph: GraphName, after: number, upTo: number): readonly number[] | null {
    return this.#commands.between(graph, after, upTo)
  }

  /** The graphs that a record of the namespace affected, sorted; null if they are not all remembered. */
  affectedBy(namespace: string, sequence: number): readonly string[] | null {
    return this.#commands.graphsOf(namespace, sequence)
  }

  /** The graphs that a record of the namespace had composed or released anew; null if not all are known. */
  graphsOf(namespace: string, sequence: number): readonly string[] | null {
    const affected = this.affectedBy(namespace, sequence)
    const released = this.rolloutsChangedBy(namespace, sequence)
    return affected === null || released === null ? null : joined(affected, released)
  }

  /** The graphs whose rollouts a record changed, sorted; null if they are not all remembered. */
  rolloutsChangedBy(namespace: string, sequence: number): readonly string[] | null {
    return this.#rolloutCommands.graphsOf(namespace, sequence)
  }

  /** The same for the records that changed the graph's rollouts. */
  rolloutCommandsBetween(graph: GraphName, after: number, upTo: number): readonly number[] | null {
    return this.#rolloutCommands.between(graph, after, upTo)
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

  #take(entry: LogEntry, references: BlobReferences): FoldedRecord {
    const { sequence } = entry
    const folded = this.apply(entry)
    if (folded.kind !== 'namespace') {
      const isApplied = this.system.lastApplied === sequence
      this.records.note({ sequence, namespace: null, isApplied })
      return { sequence, namespace: null, isApplied, graphs: [] }
    }
    references.addRegistryRecord(folded.record)
    const { namespace, outcome } = folded
    const isApplied = outcome.kind === 'applied'
    this.records.note({ sequence, namespace, isApplied })
    if (!isApplied) return { sequence, namespace, isApplied, graphs: [] }
    const { subgraphs } = this.state(namespace)
    this.schemas.note(namespace, sequence, folded.record.events, (name) => subgraphs.has(name))
    this.#commands.note(namespace, outcome.affectedGraphs, sequence)
    this.#rolloutCommands.note(namespace, outcome.rolloutGraphs, sequence)
    return { sequence, namespace, isApplied, graphs: joined(outcome.affectedGraphs, outcome.rolloutGraphs) }
  }
}

function joined(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort()
}

/** Follows a log of another service, each of whose records concerns one graph. */
import { type GraphName, graphOfSubject } from '@switchyard/contracts'
import { type EventLog, type LogEntry, LogFollower } from '@switchyard/event-log'
import type { Changes } from '@switchyard/service-kit'
import type { ReadingEvents } from './reading-events.ts'
import type { BlobReferences } from './blob-references.ts'
import type { LogNews } from './log-news.ts'

export type GraphLogOptions = {
  readonly log: EventLog
  readonly changes: Changes
  readonly events: ReadingEvents
  readonly references: BlobReferences
  readonly signal: AbortSignal
  readonly news: LogNews
}

export abstract class GraphLogReader implements AsyncDisposable {
  readonly #follower: LogFollower
  readonly #subjectOf: (graph: GraphName) => string

  /** Reads nothing before `follow`. */
  constructor(
    options: GraphLogOptions,
    log: 'compositions' | 'configs',
    subjectOf: (graph: GraphName) => string,
  ) {
    this.#subjectOf = subjectOf
    const apply = (entry: LogEntry): void => {
      const graph = graphOfSubject(entry.subject)
      if (graph === null) throw new Error(`"${entry.subject}" is not the subject of a graph`)
      this.apply(graph, entry)
      if (log === 'compositions') options.news.composed(graph)
      else options.news.published(graph)
    }
    this.#follower = new LogFollower({ ...options, reader: 'registry', filter: { kind: 'log', log }, apply })
  }

  get stopReason(): string | null {
    return this.#follower.stopReason
  }

  /** Resolves when every record of the graph was applied that was acknowledged before the call. */
  async caughtUp(graph: GraphName): Promise<void> {
    await this.#follower.caughtUp({ kind: 'subject', subject: this.#subjectOf(graph) })
  }

  async everythingCaughtUp(): Promise<void> {
    await this.#follower.caughtUp()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower[Symbol.asyncDispose]()
  }

  /** Throws for a record that cannot be understood, which ends the reading for good. */
  protected abstract apply(graph: GraphName, entry: LogEntry): void

  /** Begins to follow the log. Subclasses call it once the fields that `apply` writes to exist. */
  protected follow(): void {
    this.#follower.follow()
  }
}

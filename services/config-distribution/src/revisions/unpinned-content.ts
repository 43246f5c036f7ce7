/**
 * The content that a graph would serve if it had never been pinned. If a pin is released while the base is
 * broken, the graph leaves the old revision for the newest artifacts that composed, during the pin or before.
 *
 * The composition log is read only when the content is needed, which is while a base is broken. Later reads
 * take only the records that were added since.
 */
import { CompositionRecord, compositionSubject, contentAfter, withoutPin } from '@switchyard/contracts'
import type { GraphName, ManifestContent } from '@switchyard/contracts'
import { parsedRecord } from '@switchyard/event-log'
import type { EventLog } from '@switchyard/event-log'

export class UnpinnedContent {
  readonly #log: EventLog
  readonly #graph: GraphName
  #next = 1
  #content: ManifestContent | null = null

  constructor(log: EventLog, graph: GraphName) {
    this.#log = log
    this.#graph = graph
  }

  /**
   * After all composition records before this sequence, or before the highest one that was asked for so far:
   * records that are decided again after a lost race get what the last of them needs, which is the one that
   * counts.
   */
  async before(sequence: number): Promise<ManifestContent | null> {
    const filter = { kind: 'subject', subject: compositionSubject(this.#graph) } as const
    for await (const entry of this.#log.read(filter, this.#next)) {
      if (entry.sequence >= sequence) break
      const record = parsedRecord(entry, CompositionRecord)
      this.#content = contentAfter(this.#content, withoutPin(record), null)
      this.#next = entry.sequence + 1
    }
    return this.#content
  }
}

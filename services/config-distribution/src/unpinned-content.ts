/**
 * What a graph would serve had it never been pinned. A pin that is released while the base is broken leaves
 * the artifacts of the old revision for these: the newest ones that composed, whether or not that was during
 * the pin.
 *
 * Read from the composition log when it is asked for, which is while a base is broken, and from then on only
 * what was added.
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

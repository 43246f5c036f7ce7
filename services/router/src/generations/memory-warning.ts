/** Warns if not all compositions of flags can stay built. */
import type { CompositionEvents } from './composition-events.ts'
import type { CompositionTable } from './composition-table.ts'
import type { FlagLine } from './flag-line.ts'

/** Says once for each config and settings how much memory would do. */
export class MemoryWarning {
  readonly #line: FlagLine
  readonly #events: CompositionEvents
  #told = ''

  constructor(line: FlagLine, events: CompositionEvents) {
    this.#line = line
    this.#events = events
  }

  /** Looks whether the compositions of the table fit into so many bytes. */
  look(table: CompositionTable, allowed: number): void {
    const needed = this.#line.needed(table)
    const isTooSmall = needed !== null && needed.bytes > allowed
    // What is needed is known better with each build, which is no news.
    const told = isTooSmall ? JSON.stringify([[...table.config.featureFlags.values()].sort(), allowed]) : ''
    if (told === this.#told) return
    this.#told = told
    if (isTooSmall) this.#events.flagMemoryTooSmall(needed, allowed)
  }
}

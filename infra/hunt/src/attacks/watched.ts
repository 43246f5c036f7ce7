/** Observations of a process that was attacked. */
import type { Usage } from '@switchyard/lab'

export type Watched = {
  readonly before: Usage
  /** The use after the attack. Null if the process ended. */
  readonly after: Usage | null
  /**
   * Bytes that are resident when memory has gone back, or after the time it has for that. Null if the process
   * ended.
   */
  readonly residentLater: number | null
  /** The longest turn of the event loop during the attack, in milliseconds of CPU. Null if not measured. */
  readonly longestTurn: number | null
}

/** What was seen of a process that was attacked. */
import type { ProcessUse } from './process-use.ts'

export type Watched = {
  readonly before: ProcessUse
  /** Null: the process ended. */
  readonly after: ProcessUse | null
  /**
   * Bytes that are resident when memory has gone back, or when there was time enough for it. Null: the
   * process ended.
   */
  readonly residentLater: number | null
  /**
   * The longest turn of the event loop during the attack, in milliseconds of CPU. Null: nobody looked.
   */
  readonly longestTurn: number | null
}

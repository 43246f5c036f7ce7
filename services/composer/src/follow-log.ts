/** Follows a log for as long as the service lives: an unreachable log is waited for, everything else ends the reading. */
import type { EventLog, LogEntry, LogFilter } from '@switchyard/event-log'
import { StorageUnavailableError } from '@switchyard/event-log'
import { Backoff } from './backoff.ts'
import { Wakeup } from './wakeup.ts'

export type FollowOptions = {
  readonly log: EventLog
  readonly filter: LogFilter
  readonly from: number
  readonly signal: AbortSignal
  readonly onEntry: (entry: LogEntry) => void
  /** Called with each failed attempt. */
  readonly onUnavailable: (error: unknown) => void
}

/** Returns when the signal aborts. Rejects with what `onEntry` threw, or when a record cannot be read at all. */
export async function followLog(options: FollowOptions): Promise<void> {
  const { log, filter, signal } = options
  const backoff = new Backoff()
  const pause = new Wakeup()
  let next = options.from
  while (!signal.aborted) {
    try {
      for await (const entry of log.follow(filter, next, signal)) {
        options.onEntry(entry)
        next = entry.sequence + 1
        backoff.reset()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof StorageUnavailableError)) throw error
      options.onUnavailable(error)
    }
    await pause.wait(signal, backoff.pause())
  }
}

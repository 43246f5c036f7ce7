/**
 * Works on a log for as long as a service lives: an unreachable log is waited for, everything else ends the
 * reading.
 */
import { Backoff } from '@switchyard/service-kit'
import { StorageUnavailableError } from '../log/errors.ts'
import type { EventLog, LogEntry, LogFilter } from '../log/event-log.ts'
import { Wakeup } from './wakeup.ts'

/** A reader should be back soon after its log is: somebody may be waiting for what it reads. */
const LONGEST_PAUSE_MS = 2000

export type RetryWatch = {
  readonly signal: AbortSignal
  /** Called with each failed attempt. */
  readonly onUnavailable: (error: unknown) => void
}

export type FollowOptions = RetryWatch & {
  readonly log: EventLog
  readonly filter: LogFilter
  readonly from: number
  /** Throws for an entry that must not be passed over. */
  readonly onEntry: (entry: LogEntry) => void
}

/**
 * Returns when the signal aborts. Rejects with what `onEntry` threw, or when a record cannot be read at all.
 */
export async function followLog({
  log,
  filter,
  from,
  signal,
  onEntry,
  onUnavailable,
}: FollowOptions): Promise<void> {
  const backoff = new Backoff(LONGEST_PAUSE_MS)
  const pause = new Wakeup()
  let next = from
  while (!signal.aborted) {
    try {
      for await (const entry of log.follow(filter, next, signal)) {
        onEntry(entry)
        next = entry.sequence + 1
        backoff.reset()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof StorageUnavailableError)) throw error
      onUnavailable(error)
    }
    await pause.wait(signal, backoff.pause())
  }
}

/** Repeats a step until the storage was there for all of it. Null when the signal aborted before. */
export async function whenAvailable<Value>(
  { signal, onUnavailable }: RetryWatch,
  step: () => Promise<Value>,
): Promise<Value | null> {
  const backoff = new Backoff()
  const pause = new Wakeup()
  while (!signal.aborted) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
      onUnavailable(error)
    }
    await pause.wait(signal, backoff.pause())
  }
  return null
}

import type { EventLog, LogEntry, LogFilter } from '../src/index.ts'

export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected: Value[] = []
  for await (const value of values) collected.push(value)
  return collected
}

/**
 * A follower that runs until it is disposed; `entries` grows meanwhile. Disposing it reports how it failed,
 * if it did.
 */
export function startFollower(
  log: EventLog,
  filter: LogFilter,
  from: number,
): AsyncDisposable & { readonly entries: LogEntry[]; readonly ended: Promise<unknown> } {
  const stop = new AbortController()
  const entries: LogEntry[] = []
  const run = async (): Promise<unknown> => {
    try {
      for await (const entry of log.follow(filter, from, stop.signal)) entries.push(entry)
      return null
    } catch (error) {
      return error
    }
  }
  const ended = run()
  return {
    entries,
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}

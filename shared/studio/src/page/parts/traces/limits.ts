/**
 * Limits to what the page shows. A trace may come from anybody, and a browser that lays out a name of many
 * megabytes, or thousands of rows, answers to nothing else meanwhile.
 */
import type { Trace } from '@switchyard/request-trace'
import { fetchesOf } from '@switchyard/request-trace/fetches-of'

/** Routers write traces of 1 MiB unless `tracing.max_size` says otherwise. */
export const MAX_MEBIBYTES = 8
export const MAX_BYTES = MAX_MEBIBYTES * 1_048_576
export const MAX_FETCHES = 500
/** Characters of a text that is shown in one piece. */
export const MAX_TEXT = 20_000
/** Entries of a list, or members of an object, that is shown in one piece. */
export const MAX_ENTRIES = 2_000

/** Members that are shown in pieces, when somebody asks for them. */
const SHOWN_IN_PIECES: ReadonlySet<string> = new Set(['body', 'raw_input_data'])

/** Why a trace is not shown, as a sentence; null if it can be. */
export function whyTooLarge(trace: Trace): string | null {
  const count = fetchesOf(trace).length
  if (count > MAX_FETCHES)
    return `The trace has ${count} fetches. This page shows up to ${MAX_FETCHES}; “switchyard trace open” shows more.`
  const waiting: unknown[] = [trace]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string' && value.length > MAX_TEXT)
      return `The trace has a name or message of ${value.length} characters. This page shows up to ${MAX_TEXT}.`
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    if (entries.length > MAX_ENTRIES)
      return `The trace has a list of ${entries.length} entries. This page shows up to ${MAX_ENTRIES}.`
    for (const [name, inner] of entries) {
      if (name.length > MAX_TEXT)
        return `The trace has a name of ${name.length} characters. This page shows up to ${MAX_TEXT}.`
      if (!SHOWN_IN_PIECES.has(name)) waiting.push(inner)
    }
  }
  return null
}

/** Reads what somebody opened, dropped or pasted. Nothing of it leaves the browser. */
import type { TracedResponse } from '@switchyard/request-trace'
import { MAX_BYTES, MAX_MEBIBYTES } from './limits.ts'

export type ReadTrace =
  | { readonly kind: 'read'; readonly response: TracedResponse }
  | { readonly kind: 'refused'; readonly message: string; readonly problems: readonly string[] }

/** Milliseconds. 8 MiB of trace take about a second. */
const PATIENCE_MS = 15_000

/** Resolves with what was read, or why not. Never resolves if it is aborted. */
export function readTrace(source: Blob, signal: AbortSignal): Promise<ReadTrace> {
  const { promise, resolve } = Promise.withResolvers<ReadTrace>()
  if (source.size > MAX_BYTES) {
    const size = Math.ceil(source.size / 1_048_576)
    resolve(
      refused(
        `It has ${size} MiB. This page reads up to ${MAX_MEBIBYTES} MiB; “switchyard trace open” reads more.`,
      ),
    )
    return promise
  }
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' })
  const end = (answer: ReadTrace) => {
    clearTimeout(timer)
    worker.terminate()
    resolve(answer)
  }
  const timer = setTimeout(
    () => end(refused(`It took longer than ${PATIENCE_MS / 1_000} seconds to read, so the page gave up.`)),
    PATIENCE_MS,
  )
  worker.addEventListener('message', ({ data }: MessageEvent<ReadTrace>) => end(data))
  worker.addEventListener('error', () =>
    end(refused('The browser could not read it: its reader did not start, or ran out of memory.')),
  )
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    worker.terminate()
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(source)
  return promise
}

function refused(message: string): ReadTrace {
  return { kind: 'refused', message, problems: [] }
}

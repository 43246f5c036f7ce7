/** Reads one text in a thread of its own, so that the page answers meanwhile whatever the text is. */
import { readTracedResponse, TraceInvalidError } from '@switchyard/request-trace/parse-trace'
import { whyTooLarge } from './limits.ts'
import type { ReadTrace } from './read-trace.ts'

/** Characters of a problem that are shown: names in it may be as long as the text. */
const MAX_PROBLEM = 300

self.addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void read(data).then((answer) => self.postMessage(answer))
})

async function read(source: Blob): Promise<ReadTrace> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await source.arrayBuffer())
    if (text.trim() === '') return refused('It is empty.')
    const response = readTracedResponse(text)
    const problem = whyTooLarge(response.trace)
    return problem === null ? { kind: 'read', response } : refused(problem)
  } catch (error) {
    if (error instanceof TraceInvalidError) return refused(error.message, error.problems)
    if (error instanceof TypeError) return refused('It is not text in UTF-8.')
    return refused(`It could not be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function refused(message: string, problems: readonly string[] = []): ReadTrace {
  return { kind: 'refused', message: cut(message), problems: problems.map(cut) }
}

function cut(text: string): string {
  return text.length > MAX_PROBLEM ? `${text.slice(0, MAX_PROBLEM)}…` : text
}

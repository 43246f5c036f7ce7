/** Judges whether the received answer is the expected one. */
import { isRecord } from '@switchyard/values'
import { isDeepStrictEqual } from 'node:util'
import { type Answer, CutStreamError, readAnswer, type Received, UnreadableAnswerError } from './answer.ts'
import type { LoadRequest } from './load-options.ts'
import type { FailureKind } from './load-report.ts'

export type Complaint = { readonly kind: FailureKind; readonly message: string }

/** Returns the complaint about an answer. Null if nothing is wrong. */
export function judge(request: LoadRequest, received: Received): Complaint | null {
  if (received.status !== 200)
    return { kind: 'http-status', message: `HTTP ${received.status}: ${shown(received.body)}` }
  try {
    return judgeAnswer(request, readAnswer(received), received.body)
  } catch (error) {
    if (error instanceof CutStreamError) return { kind: 'cut-stream', message: error.message }
    if (error instanceof UnreadableAnswerError) return wrong(error.message, received.body)
    throw error
  }
}

function judgeAnswer(request: LoadRequest, answer: Answer, body: Buffer): Complaint | null {
  if (answer.errors.length > 0) return { kind: 'graphql-errors', message: shown(body) }
  if (answer.data === null || answer.data === undefined) return wrong('The answer has no data.', body)
  if (request.deferred === true && !answer.isStream)
    return wrong('Parts were expected, and one answer came.', body)
  if (request.traced === true && !(isRecord(answer.extensions) && isRecord(answer.extensions['trace'])))
    return wrong('The answer has no trace.', body)
  if (request.judge !== undefined) {
    const complaint = request.judge(answer)
    return complaint === null ? null : wrong(complaint, body)
  }
  const { expected } = request
  if (expected === undefined || expected.some((data) => isDeepStrictEqual(answer.data, data))) return null
  return wrong(`Other data than expected (${clipped(JSON.stringify(expected))}).`, body)
}

function wrong(what: string, body: Buffer): Complaint {
  return { kind: 'wrong-data', message: `${what} Received: ${shown(body)}` }
}

const SHOWN = 300

/** The beginning of a body, for a message. */
function shown(body: Buffer): string {
  return body.length === 0 ? '(nothing)' : clipped(body.toString('utf8', 0, SHOWN + 1))
}

function clipped(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

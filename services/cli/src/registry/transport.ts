/**
 * One request to the registry, sent again while that is harmless: a write keeps its idempotency key over its
 * retries, so one whose answer was lost is looked up by the registry instead of being decided again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@switchyard/contracts'
import { printableLine } from '@switchyard/service-kit/printable'
import { messageOf } from '@switchyard/values'
import type { CliContext } from '../run/context.ts'
import { Interrupted, OutcomeUnknown, RegistryUnreachable } from '../run/errors.ts'
import { readAnswerBody, UnreadableAnswer } from './answer-body.ts'
import { type RegistryAddress, whereAddressIsFrom } from './find-registry.ts'
import { RequestFailed, sendRequest } from './send-request.ts'

const RETRY_DELAYS_MS = [150, 400, 1000, 2000] as const
/** A registry that hangs is not asked again and again: nobody waits for minutes at a prompt. */
const RETRY_WITHIN_MS = 30_000
/** The largest answer that is read. It is larger than the largest artifact, written as JSON. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024

/** A request to the registry. The path begins with a slash. */
export type RegistryRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
  /** Set for writes. */
  readonly idempotencyKey?: string
  readonly timeoutMs: number
}

/** An answer with its media type and its text. */
export type RegistryAnswer = { readonly status: number; readonly type: string; readonly text: string }
type RequestAttempt =
  | { readonly kind: 'answered'; readonly answer: RegistryAnswer }
  /** A failure. `sent` is true if the registry may have got the request. */
  | { readonly kind: 'failed'; readonly sent: boolean; readonly reason: string }

/** Throws a RegistryUnreachable when nothing was written, an OutcomeUnknown when nobody knows. */
export async function sendWithRetries(
  address: RegistryAddress,
  call: RegistryRequest,
  headers: Readonly<Record<string, string>>,
  context: Pick<CliContext, 'signal' | 'stderr'>,
): Promise<RegistryAnswer> {
  const { origin } = address
  const began = performance.now()
  let maybeWritten = false
  for (let attempt = 0; ; attempt += 1) {
    const result = await attemptCall(origin, call, headers, context.signal)
    if (result.kind === 'answered' && !isTransient(result.answer.status)) return result.answer
    const reason = result.kind === 'answered' ? describeAnswer(result.answer) : result.reason
    const unsure = result.kind === 'answered' ? result.answer.status !== 503 : result.sent
    maybeWritten ||= call.idempotencyKey !== undefined && unsure
    if (context.signal.aborted) throw interrupted(call, maybeWritten || result.kind === 'answered')
    const delay = RETRY_DELAYS_MS[attempt]
    if (delay === undefined || performance.now() - began > RETRY_WITHIN_MS)
      throw giveUp(address, reason, { maybeWritten, answered: result.kind === 'answered' })
    const how = result.kind === 'answered' ? 'cannot do this now' : 'does not answer'
    if (attempt === 0)
      context.stderr.write(`The registry at ${origin} ${how} (${printableLine(reason)}); trying again.\n`)
    await sleep(delay * (0.75 + Math.random() / 2), undefined, { signal: context.signal }).catch(() => {
      throw interrupted(call, maybeWritten)
    })
  }
}

/**
 * True if the same request may succeed later. A 503 says that the registry cannot work now and wrote nothing.
 * A 502 or 504 comes from an intermediary, or says that the outcome of a write is unknown.
 */
function isTransient(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}

async function attemptCall(
  origin: string,
  call: RegistryRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RequestAttempt> {
  const timeout = AbortSignal.timeout(call.timeoutMs)
  try {
    const response = await sendRequest({
      method: call.method,
      url: new URL(`${origin}${call.path}`),
      headers: {
        ...headers,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      signal: AbortSignal.any([signal, timeout]),
    })
    const { statusCode: status = 0, headers: answered } = response
    const type = answered['content-type'] ?? ''
    const text = await readAnswerBody(response, MAX_ANSWER_BYTES)
    return { kind: 'answered', answer: { status, type, text } }
  } catch (error) {
    // What fails after that is the reading of an answer.
    const sent = !(error instanceof RequestFailed) || error.sent
    const cause = error instanceof RequestFailed ? error.cause : error
    return {
      kind: 'failed',
      sent,
      reason: timeout.aborted
        ? `no answer within ${call.timeoutMs / 1000} s`
        : connectionFailureReason(cause),
    }
  }
}

/** Codes of errors that happen before a request leaves: the registry has not seen it. */
export const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const NO_TLS = 'it does not speak TLS; should the URL begin with "http://"?'

/** A host with several addresses fails with one error per address inside an AggregateError. */
export function networkErrorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return networkErrorCode(error.errors[0])
  return ''
}

/** Why a connection failed, in words that follow a colon. */
export function connectionFailureReason(error: unknown): string {
  if (error instanceof UnreadableAnswer) return `it answered ${error.message}`
  // Of node:https the code says only that something is wrong with the protocol.
  if (
    networkErrorCode(error) === 'EPROTO' &&
    /wrong version number|packet length too long/.test(messageOf(error))
  )
    return NO_TLS
  switch (networkErrorCode(error)) {
    case 'ECONNREFUSED':
      return 'nothing is listening there'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed'
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return NO_TLS
    default:
      return error instanceof Error && error.message !== '' ? error.message : networkErrorCode(error)
  }
}

function giveUp(
  address: RegistryAddress,
  reason: string,
  how: { readonly maybeWritten: boolean; readonly answered: boolean },
): Error {
  const { origin } = address
  if (how.maybeWritten) {
    return new OutcomeUnknown(
      `The registry at ${origin} got the request, but its answer did not arrive (${reason}). The change may or may not have been made: look with the list command before you run this one again.`,
    )
  }
  if (how.answered) {
    return new RegistryUnreachable(
      `The registry at ${origin} is there, but cannot do this now: ${reason}. Nothing was changed; try again later.`,
    )
  }
  return new RegistryUnreachable(
    `The registry at ${origin} cannot be reached: ${reason}. Nothing was changed. ${whereAddressIsFrom(address)}`,
  )
}

function interrupted(call: RegistryRequest, maybeWritten: boolean): Error {
  const unsure = call.idempotencyKey !== undefined && maybeWritten
  return new Interrupted(
    unsure ? 'Interrupted: the change may or may not have been made.' : 'Interrupted; nothing was changed.',
  )
}

/** An answer that is none of a registry, for a message. */
export function describeAnswer(answer: RegistryAnswer): string {
  const problem = Problem.safeParse(parseJson(answer.text))
  return problem.success
    ? `${answer.status} ${problem.data.code}: ${problem.data.detail.replace(/\.+$/, '')}`
    : `HTTP ${answer.status}`
}

/** The value, or undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

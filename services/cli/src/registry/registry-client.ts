/**
 * The registry's management API.
 *
 * One invocation sends one trace and, per write, one idempotency key, which it keeps over its retries: a write whose
 * answer was lost is looked up by the registry instead of being decided again.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandOutcome, Problem, PROBLEM_MEDIA_TYPE, TraceParent } from '@switchyard/contracts'
import { request } from 'undici'
import type { z } from 'zod'
import type { CliContext } from '../context.ts'
import { Interrupted, OutcomeUnknown, RefusedByRegistry, RegistryUnreachable, UsageError } from '../errors.ts'
import { findApiKey } from './api-key.ts'

export const DEFAULT_REGISTRY_URL = 'http://localhost:4100'
const DEFAULT_WAIT_MS = 30_000
/** The registry waits for routers a little after the compositions; then it answers. */
const ANSWER_MARGIN_MS = 15_000
const RETRY_DELAYS_MS = [150, 400, 1000, 2000] as const
/** A registry that hangs is not asked again and again: nobody waits for minutes at a prompt. */
const RETRY_WITHIN_MS = 30_000

export type WriteOptions = {
  /** false: do not wait for the compositions that the write causes. */
  readonly wait: boolean
}

export interface RegistryClient {
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>
  /** `step` tells the writes of one invocation apart. */
  write(
    method: 'POST' | 'PUT',
    path: string,
    body: unknown,
    options: WriteOptions & { readonly step?: string },
  ): Promise<CommandOutcome>
}

/** `path` from parts, each percent-encoded: names may hold `/` and `@`. */
export function apiPath(...parts: readonly string[]): string {
  return `/v1/${parts.map(encodeURIComponent).join('/')}`
}

export async function connectRegistry(
  context: CliContext,
  dataDir: string | undefined,
): Promise<RegistryClient> {
  const origin = registryOrigin(context)
  const apiKey = await findApiKey(context, dataDir)
  const headers = {
    authorization: `Bearer ${apiKey}`,
    traceparent: traceparentOf(context.env),
    accept: 'application/json',
  }
  const invocation = randomUUID()
  const send = (call: Call) => sendWithRetries(origin, call, headers, context)
  return {
    async get(path, schema) {
      const answer = await send({ method: 'GET', path, timeoutMs: ANSWER_MARGIN_MS })
      return parseAnswer(schema, answer, origin)
    },
    async write(method, path, body, { wait, step }) {
      const waitMs = wait ? DEFAULT_WAIT_MS : 0
      const answer = await send({
        method,
        path: `${path}?wait=${waitMs}`,
        body: JSON.stringify(body),
        idempotencyKey: step === undefined ? invocation : `${invocation}:${step}`,
        timeoutMs: waitMs + ANSWER_MARGIN_MS,
      })
      return parseAnswer(CommandOutcome, answer, origin)
    },
  }
}

function registryOrigin(context: CliContext): string {
  const text = context.env['SWITCHYARD_REGISTRY_URL']?.trim() || DEFAULT_REGISTRY_URL
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new UsageError(`SWITCHYARD_REGISTRY_URL is "${text}"; an absolute http or https URL was expected.`)
  }
  return text.replace(/\/+$/, '')
}

/** Continues a trace that the caller is part of (`TRACEPARENT`, as CI systems set it), else begins one. */
function traceparentOf(env: CliContext['env']): string {
  const outer = TraceParent.safeParse(env['TRACEPARENT'])
  const traceId = outer.success ? outer.data.slice(3, 35) : randomBytes(16).toString('hex')
  return `00-${traceId}-${randomBytes(8).toString('hex')}-01`
}

type Call = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: string
  /** Set for writes. */
  readonly idempotencyKey?: string
  readonly timeoutMs: number
}
type Answer = { readonly status: number; readonly type: string; readonly text: string }
type Attempt =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** `sent`: the registry may have got the request. */
  | { readonly kind: 'failed'; readonly sent: boolean; readonly reason: string }

async function sendWithRetries(
  origin: string,
  call: Call,
  headers: Readonly<Record<string, string>>,
  context: CliContext,
): Promise<Answer> {
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
      throw giveUp(origin, reason, { maybeWritten, answered: result.kind === 'answered' })
    const how = result.kind === 'answered' ? 'cannot do this now' : 'does not answer'
    if (attempt === 0) context.stderr.write(`The registry at ${origin} ${how} (${reason}); trying again.\n`)
    await sleep(delay * (0.75 + Math.random() / 2), undefined, { signal: context.signal }).catch(() => {
      throw interrupted(call, maybeWritten)
    })
  }
}

/** 503: cannot work now, nothing was written. 502 and 504: somebody in between, or the write's outcome is unknown. */
function isTransient(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}

async function attemptCall(
  origin: string,
  call: Call,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(call.timeoutMs)
  try {
    const response = await request(`${origin}${call.path}`, {
      method: call.method,
      headers: {
        ...headers,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      },
      body: call.body ?? null,
      signal: AbortSignal.any([signal, timeout]),
      // A process that ends after one call has no use for a kept connection.
      reset: true,
    })
    const text = await response.body.text()
    const type = String(response.headers['content-type'] ?? '')
    return { kind: 'answered', answer: { status: response.statusCode, type, text } }
  } catch (error) {
    if (timeout.aborted)
      return { kind: 'failed', sent: true, reason: `no answer within ${call.timeoutMs / 1000} s` }
    return { kind: 'failed', sent: !NEVER_SENT.has(codeOf(error)), reason: reasonOf(error) }
  }
}

const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** A host with several addresses fails with one error per address inside an AggregateError. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return ''
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'nothing is listening there'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed'
    default:
      return error instanceof Error && error.message !== '' ? error.message : codeOf(error)
  }
}

function giveUp(
  origin: string,
  reason: string,
  how: { readonly maybeWritten: boolean; readonly answered: boolean },
): Error {
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
    `The registry at ${origin} cannot be reached: ${reason}. Nothing was changed. Is it running ("switchyard up"), and is SWITCHYARD_REGISTRY_URL right?`,
  )
}

function interrupted(call: Call, maybeWritten: boolean): Error {
  const unsure = call.idempotencyKey !== undefined && maybeWritten
  return new Interrupted(
    unsure ? 'Interrupted: the change may or may not have been made.' : 'Interrupted; nothing was changed.',
  )
}

function parseAnswer<T>(schema: z.ZodType<T>, answer: Answer, origin: string): T {
  const body = parseJson(answer.text)
  if (answer.status >= 200 && answer.status < 300) {
    const parsed = schema.safeParse(body)
    if (parsed.success) return parsed.data
    throw new OutcomeUnknown(
      `${origin} answered with something this program does not understand. Is it a Switchyard registry, and of the same version?`,
    )
  }
  const problem = answer.type.startsWith(PROBLEM_MEDIA_TYPE) ? Problem.safeParse(body) : undefined
  if (problem?.success === true) {
    if (answer.status < 500) throw new RefusedByRegistry(problem.data)
    throw new OutcomeUnknown(`The registry at ${origin} failed: ${problem.data.detail}`)
  }
  throw new OutcomeUnknown(
    `${origin} answered ${describeAnswer(answer)}, which no Switchyard registry does. Is SWITCHYARD_REGISTRY_URL right?`,
  )
}

function describeAnswer(answer: Answer): string {
  const problem = Problem.safeParse(parseJson(answer.text))
  return problem.success
    ? `${answer.status} ${problem.data.code}: ${problem.data.detail.replace(/\.+$/, '')}`
    : `HTTP ${answer.status}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

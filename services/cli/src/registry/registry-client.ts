/**
 * The registry's management API.
 *
 * One invocation sends one trace, and its write one idempotency key.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { EXPORT_MEDIA_TYPE, Problem, PROBLEM_MEDIA_TYPE, TraceParent } from '@switchyard/contracts'
import type { z } from 'zod'
import type { CliContext } from '../context.ts'
import { OutcomeUnknown, RefusedByRegistry, UsageError } from '../errors.ts'
import { findApiKey, type FoundApiKey } from './api-key.ts'
import { type Answer, type Call, describeAnswer, parseJson, sendWithRetries } from './transport.ts'

export const DEFAULT_REGISTRY_URL = 'http://localhost:4100'
/** Beyond the wait that was asked for: routers are waited for after the compositions, then it answers. */
const ANSWER_MARGIN_MS = 15_000

export interface RegistryClient {
  /** `timeoutMs`: how long the registry was asked to take, if it was. */
  get<T>(path: string, schema: z.ZodType<T>, options?: { readonly timeoutMs?: number }): Promise<T>
  /** An invocation makes one write; called again, it sends that write again. */
  write<T>(request: {
    readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    readonly path: string
    readonly body: unknown
    readonly schema: z.ZodType<T>
    readonly timeoutMs?: number
  }): Promise<T>
  /** JSON Lines, as they come. */
  download(path: string): Promise<AsyncIterable<Buffer>>
  /** Sends JSON Lines once, however long it takes. */
  upload<T>(path: string, body: Readable, schema: z.ZodType<T>): Promise<T>
}

/** `path` from parts, each percent-encoded: names may hold `/` and `@`. */
export function apiPath(...parts: readonly string[]): string {
  return `/v1/${parts.map(encodeURIComponent).join('/')}`
}

/** Nothing is read or sent before the first request. */
export function connectRegistry(
  context: Pick<CliContext, 'env' | 'cwd' | 'signal' | 'stderr'>,
  dataDir: string | undefined,
): RegistryClient {
  const origin = registryOrigin(context.env)
  const traceparent = traceparentOf(context.env)
  const idempotencyKey = randomUUID()
  let apiKey: Promise<FoundApiKey> | undefined
  const headers = async () => {
    apiKey ??= findApiKey(context, dataDir)
    return { authorization: `Bearer ${(await apiKey).key}`, traceparent, accept: 'application/json' }
  }
  const refuse = async (answer: Answer) => refusal(answer, origin, (await apiKey)?.from)
  const send = async (call: Call) => {
    const answer = await sendWithRetries(origin, call, await headers(), context)
    if (answer.status < 200 || answer.status >= 300) throw await refuse(answer)
    return answer
  }
  return {
    async get(path, schema, { timeoutMs = 0 } = {}) {
      const answer = await send({ method: 'GET', path, timeoutMs: timeoutMs + ANSWER_MARGIN_MS })
      return parseAnswer(schema, answer, origin)
    },
    async write({ method, path, body, schema, timeoutMs = 0 }) {
      const answer = await send({
        method,
        path,
        body: JSON.stringify(body),
        idempotencyKey,
        timeoutMs: timeoutMs + ANSWER_MARGIN_MS,
      })
      return parseAnswer(schema, answer, origin)
    },
    async download(path) {
      const accept = `${EXPORT_MEDIA_TYPE}, ${PROBLEM_MEDIA_TYPE}`
      const call = { method: 'GET', path, headers: { ...(await headers()), accept } } as const
      const { openStream } = await import('./streams.ts')
      const opened = await openStream(origin, call, context)
      if (opened.kind === 'answer') throw await refuse(opened.answer)
      return opened.chunks
    },
    async upload(path, body, schema) {
      const type = { 'content-type': EXPORT_MEDIA_TYPE }
      const call = { method: 'POST', path, headers: { ...(await headers()), ...type }, body } as const
      const { openStream } = await import('./streams.ts')
      const opened = await openStream(origin, call, context)
      if (opened.kind === 'answer') throw await refuse(opened.answer)
      const chunks: Buffer[] = []
      for await (const chunk of opened.chunks) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString('utf8')
      return parseAnswer(schema, { status: 200, type: 'application/json', text }, origin)
    },
  }
}

function registryOrigin(env: CliContext['env']): string {
  const text = env['SWITCHYARD_REGISTRY_URL']?.trim() || DEFAULT_REGISTRY_URL
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

function parseAnswer<T>(schema: z.ZodType<T>, answer: Answer, origin: string): T {
  const parsed = schema.safeParse(parseJson(answer.text))
  if (parsed.success) return parsed.data
  throw new OutcomeUnknown(
    `${origin} answered with something this program does not understand. Is it a Switchyard registry, and of the same version?`,
  )
}

function refusal(answer: Answer, origin: string, keyFrom: string | undefined): Error {
  const body = parseJson(answer.text)
  const problem = answer.type.startsWith(PROBLEM_MEDIA_TYPE) ? Problem.safeParse(body) : undefined
  if (problem?.success === true) {
    if (answer.status === 401 && keyFrom !== undefined) {
      const detail = `The registry at ${origin} does not know the API key that was sent, from ${keyFrom}: it is misspelt, was deleted, or belongs to another registry.`
      return new RefusedByRegistry({ ...problem.data, detail })
    }
    if (answer.status < 500) return new RefusedByRegistry(problem.data)
    return new OutcomeUnknown(`The registry at ${origin} failed: ${problem.data.detail}`)
  }
  return new OutcomeUnknown(
    `${origin} answered ${describeAnswer(answer)}, which no Switchyard registry does. Is SWITCHYARD_REGISTRY_URL right?`,
  )
}

/**
 * The registry's management API.
 *
 * One invocation sends one trace and one request id, and its write one idempotency key.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { EXPORT_MEDIA_TYPE, Problem, PROBLEM_MEDIA_TYPE } from '@switchyard/contracts'
import { newTraceparent } from '@switchyard/service-kit/traceparent'
import type { z } from 'zod'
import type { CliContext } from '../run/context.ts'
import { OutcomeUnknown, RefusedByRegistry } from '../run/errors.ts'
import { readAnswerBody, UnreadableAnswer } from './answer-body.ts'
import {
  findRegistry,
  type FoundRegistry,
  type RegistryAddress,
  type RegistryLocation,
  whereAddressIsFrom,
  whereKeyIsFrom,
} from './find-registry.ts'
import {
  type RegistryAnswer,
  type RegistryRequest,
  describeAnswer,
  MAX_ANSWER_BYTES,
  parseJson,
  sendWithRetries,
} from './transport.ts'

/** Beyond the wait that was asked for: routers are waited for after the compositions, then it answers. */
const ANSWER_MARGIN_MS = 15_000

/** The requests of one invocation. All of them throw a CliError for whatever goes wrong. */
export interface RegistryClient {
  /** Reads a resource. `timeoutMs` is the time that the registry was asked to wait, if it was. */
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

/** Returns a client that reads and sends nothing before its first request. */
export function connectRegistry(
  context: Pick<CliContext, 'env' | 'cwd' | 'signal' | 'stderr'>,
  options: RegistryLocation,
): RegistryClient {
  // CI systems set it: the trace that the command is part of.
  const traceparent = newTraceparent(context.env['TRACEPARENT'])
  const idempotencyKey = randomUUID()
  const requestId = randomUUID()
  let found: Promise<FoundRegistry> | undefined
  const registry = async () => {
    found ??= findRegistry(context, options)
    const from = await found
    const { address, key } = from
    const headers = {
      authorization: `Bearer ${key}`,
      traceparent,
      'x-request-id': requestId,
      accept: 'application/json',
    }
    return { address, headers, from }
  }
  const send = async <T>(call: RegistryRequest, schema: z.ZodType<T>) => {
    const { address, headers, from } = await registry()
    const answer = await sendWithRetries(address, call, headers, context)
    if (answer.status < 200 || answer.status >= 300) throw await refusal(answer, from, requestId)
    return parseAnswer(schema, answer, address)
  }
  return {
    async get(path, schema, { timeoutMs = 0 } = {}) {
      return send({ method: 'GET', path, timeoutMs: timeoutMs + ANSWER_MARGIN_MS }, schema)
    },
    async write({ method, path, body, schema, timeoutMs = 0 }) {
      const timeout = timeoutMs + ANSWER_MARGIN_MS
      const call = { method, path, body: JSON.stringify(body), idempotencyKey, timeoutMs: timeout }
      return send(call, schema)
    },
    async download(path) {
      const accept = `${EXPORT_MEDIA_TYPE}, ${PROBLEM_MEDIA_TYPE}`
      const { address, headers, from } = await registry()
      const call = { method: 'GET', path, headers: { ...headers, accept } } as const
      const { openStream } = await import('./streams.ts')
      const opened = await openStream(address, call, context)
      if (opened.kind === 'answer') throw await refusal(opened.answer, from, requestId)
      return opened.chunks
    },
    async upload(path, body, schema) {
      const type = { 'content-type': EXPORT_MEDIA_TYPE }
      const { address, headers, from } = await registry()
      const call = { method: 'POST', path, headers: { ...headers, ...type }, body } as const
      const { openStream } = await import('./streams.ts')
      const opened = await openStream(address, call, context)
      if (opened.kind === 'answer') throw await refusal(opened.answer, from, requestId)
      const text = await readAnswerBody(opened.chunks, MAX_ANSWER_BYTES).catch((error: unknown) => {
        throw error instanceof UnreadableAnswer ? unreadable(error, address) : error
      })
      return parseAnswer(schema, { status: 200, type: 'application/json', text }, address)
    },
  }
}

function parseAnswer<T>(schema: z.ZodType<T>, answer: RegistryAnswer, { origin }: RegistryAddress): T {
  const parsed = schema.safeParse(parseJson(answer.text))
  if (parsed.success) return parsed.data
  throw new OutcomeUnknown(
    `${origin} answered with something this program does not understand. Is it a Switchyard registry, and of the same version?`,
  )
}

function unreadable(error: UnreadableAnswer, address: RegistryAddress): Error {
  return new OutcomeUnknown(
    `${address.origin} answered ${error.message}, which no Switchyard registry does. ${whereAddressIsFrom(address)}`,
  )
}

async function refusal(answer: RegistryAnswer, from: FoundRegistry, requestId: string): Promise<Error> {
  const { address } = from
  const { origin } = address
  const body = parseJson(answer.text)
  const problem = answer.type.startsWith(PROBLEM_MEDIA_TYPE) ? Problem.safeParse(body) : undefined
  if (problem?.success === true) {
    if (answer.status === 401) {
      const key = await whereKeyIsFrom(from)
      const detail = `The registry at ${origin} does not know the API key that was sent, from ${key}: it is misspelt, was deleted, or belongs to another registry.`
      return new RefusedByRegistry({ ...problem.data, detail })
    }
    if (answer.status === 403) {
      const detail = `${problem.data.detail} The API key that was sent is from ${await whereKeyIsFrom(from)}.`
      return new RefusedByRegistry({ ...problem.data, detail })
    }
    if (answer.status < 500) return new RefusedByRegistry(problem.data)
    return new OutcomeUnknown(
      `The registry at ${origin} failed: ${problem.data.detail} Its log has this request as ${requestId}.`,
    )
  }
  return new OutcomeUnknown(
    `${origin} answered ${describeAnswer(answer)}, which no Switchyard registry does. ${whereAddressIsFrom(address)}`,
  )
}

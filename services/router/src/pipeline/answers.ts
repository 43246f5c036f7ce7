/**
 * Every answer of the GraphQL endpoint that is not a stream goes through `reply`: results, refusals and what
 * failed. The headers are those of streams, too.
 */
import {
  ExecutionLimitError,
  type ExecutionResult,
  holdsText,
  JsonText,
  PlanningError,
  printMembers,
  RequestError,
} from '@switchyard/engine'
import type { RouterConfig } from '../config/router-config.ts'
import { HttpError } from '../errors/http-error.ts'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import { SET_COOKIE } from '../headers/answerable.ts'
import type { HeaderList } from '../headers/header-list.ts'
import { AnswerCaching } from './answer-caching.ts'
import { Compression, type CompressedCopies, type Content } from '../http/compression/compression.ts'
import { type Cors, createCors } from '../http/cors.ts'
import type { Exchange } from './exchange.ts'
import { type PartSink, PlainParts } from '../http/part-sink.ts'
import { GRAPHQL_RESPONSE, JSON_TYPE, type ResponseType } from '../http/negotiate.ts'
import { ClientGoneError } from './read-body.ts'
import { isLargeText, isLargeWeight, printInTurns } from '../http/print-in-turns.ts'
import { errorsOf, NOT_STORED, sendJson } from '../http/reply.ts'
import { CompressionMetrics } from '../observe/compression-metrics.ts'
import type { Traffic } from '../http/traffic.ts'
import { inTurns } from '../sharing/in-turns.ts'
import { allResponseRules } from '../subgraph/response-rules.ts'

/** `data` is absent from the answer to what was never executed, `errors` where there are none. */
export type AnswerBody = Partial<ExecutionResult>

type Answer = {
  readonly status: number
  readonly body: AnswerBody
  /** In place of `Cache-Control: no-store`, and beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Absent: the one that was negotiated. */
  readonly type?: ResponseType | undefined
  /** How large the body is, as the engine says; absent: small. */
  readonly weight?: number
  /** Headers of subgraphs' answers. */
  readonly collected?: HeaderList
}

/** What is known of a result beside the result. */
export type AboutResult = {
  /** How large it is, as the engine says. */
  readonly weight: number
  /** It is the answer to a query, and to whoever asks. */
  readonly mayBeStored: boolean
  /** Headers of subgraphs' answers. */
  readonly collected: HeaderList
}

const NONE: HeaderList = []

/** What all have in common who get the same result. */
type SharedResult = Omit<AboutResult, 'weight'> & {
  readonly errors: number
  readonly copies: CompressedCopies
}

/** What an answer is sent with, beside its content. */
type Envelope = {
  /** Absent: 200. */
  readonly status?: number
  readonly type: ResponseType
  readonly headers: HeaderList
  /** Of content that others get, too. */
  readonly copies?: CompressedCopies
}

/** Makes answers in one piece, and refusals of what the stages throw. */
export class Answers {
  readonly #cors: Cors
  readonly #traffic: Traffic
  readonly #caching: AnswerCaching
  readonly #requestIdHeader: string
  /** null: answers are sent as they are. */
  readonly #compression: Compression | null
  /** Names and values that rules give every answer, in turns. */
  readonly #set: readonly string[]
  /** Methods that the endpoint takes. */
  readonly methods: string

  /** `handedOn`: headers that subgraphs get to see beside those of the rules. */
  constructor(config: RouterConfig, traffic: Traffic, handedOn: readonly string[]) {
    this.#requestIdHeader = config.requestId.header
    const { compression } = config
    this.#compression = compression === null ? null : new Compression(compression, new CompressionMetrics())
    this.#set = allResponseRules(config.headers).set
    this.#cors = createCors(config)
    this.#traffic = traffic
    this.#caching = new AnswerCaching(config, this.#cors.enabled, handedOn)
    this.methods = this.#cors.enabled ? 'GET, POST, OPTIONS' : 'GET, POST'
  }

  /**
   * What goes with every answer of this request. `Cache-Control` is `no-store` where `own` has none.
   * `collected`: headers of subgraphs' answers.
   */
  headersFor(
    { admission, request, requestId }: Exchange,
    own: Readonly<Record<string, string>> = NOT_STORED,
    collected: HeaderList = NONE,
  ): HeaderList {
    const caching = own['Cache-Control'] ?? 'no-store'
    const { vary } = this.#caching
    const list: (string | string[])[] = ['Cache-Control', caching, 'Vary', vary]
    list.push(this.#requestIdHeader, requestId)
    const flag = admission?.flag ?? null
    if (flag !== null) list.push(FLAG_HEADER, flag)
    if (this.#cors.enabled) pushAll(this.#cors.answerHeaders(request.headers), list)
    // Who keeps a connection stays with this router until it is closed, whatever load balancers do with new
    // ones.
    if (this.#traffic.leaving && request.httpVersionMajor === 1) list.push('Connection', 'close')
    pushAll(own, list)
    if (this.#set.length > 0) list.push(...this.#set)
    if (collected.length > 0) list.push(...collected)
    return list
  }

  /** false: this is no preflight request, or nobody of another origin may ask. */
  preflight(exchange: Exchange): boolean {
    const { request, response } = exchange
    if (request.method !== 'OPTIONS' || !this.#cors.enabled) return false
    request.resume()
    exchange.report.answering(204)
    response
      .writeHead(204, { Vary: this.#caching.vary, ...this.#cors.preflightHeaders(request.headers) })
      .end()
    return true
  }

  /** The answer to what was executed. */
  replyResult(
    exchange: Exchange,
    { data, errors }: ExecutionResult,
    { weight, mayBeStored, collected }: AboutResult,
  ): void {
    if (!isLargeWeight(weight)) exchange.finish()
    if (errors.length > 0)
      return this.reply(exchange, { status: 200, body: { errors, data }, weight, collected })
    const isStored = mayBeStored && exchange.trace === null && !hasCookies(collected)
    const headers = isStored ? this.#caching.headersOfResult(exchange.request.headers) : NOT_STORED
    this.reply(exchange, { status: 200, body: { data }, headers, weight, collected })
  }

  /** The same answer to a query for all of them, which is printed once. */
  replyToAll(
    exchanges: readonly Exchange[],
    { data, errors }: ExecutionResult,
    { weight, mayBeStored, collected }: AboutResult,
  ): void {
    const body = errors.length > 0 ? { errors, data } : { data }
    const copies: CompressedCopies = new Map()
    const isStored = mayBeStored && errors.length === 0 && !hasCookies(collected)
    const shared = { errors: errors.length, mayBeStored: isStored, collected, copies }
    if (isLargeWeight(weight)) void this.#printForAll(exchanges, body, shared)
    else {
      const pieces = [Buffer.from(bodyText(body))]
      void inTurns(exchanges, (exchange) => {
        exchange.report.executed(shared.errors)
        this.#sendTo(exchange, pieces, shared)
      })
    }
  }

  async #printForAll(exchanges: readonly Exchange[], body: AnswerBody, shared: SharedResult): Promise<void> {
    const [first] = exchanges
    if (first === undefined) return
    const { work } = first
    // What is printed counts for one who still waits: the first one may leave, or give way, meanwhile.
    const waiting = () => exchanges.find(({ closed }) => !closed)
    const size = { printed: (bytes: number): void => waiting()?.size.printed(bytes) }
    const isGone = () => waiting() === undefined
    await inTurns(exchanges, ({ report }) => report.executed(shared.errors))
    try {
      const pieces = await printInTurns(body, { work, size, isGone })
      if (pieces !== null) await inTurns(exchanges, (exchange) => this.#sendTo(exchange, pieces, shared))
    } catch (error) {
      await inTurns(exchanges, (exchange) => this.refuse(exchange, error))
    }
  }

  #sendTo(
    exchange: Exchange,
    pieces: readonly Uint8Array[],
    { mayBeStored, collected, copies }: SharedResult,
  ): void {
    if (exchange.closed) return
    const { request, report } = exchange
    exchange.finish()
    try {
      report.answering(200)
      const own = mayBeStored ? this.#caching.headersOfResult(request.headers) : NOT_STORED
      const headers = this.headersFor(exchange, own, collected)
      this.send(exchange, pieces, { type: exchange.type ?? JSON_TYPE, headers, copies })
    } catch (error) {
      // The others get theirs.
      this.refuse(exchange, error)
    }
  }

  reply(exchange: Exchange, { status, body, headers: extra, type, weight = 0, collected }: Answer): void {
    exchange.report.answering(status)
    const headers = this.headersFor(exchange, extra, collected)
    const mediaType = type ?? exchange.type ?? JSON_TYPE
    // What a small answer is made of is let go before its trace is made.
    const text = isLargeWeight(weight) ? null : bodyText(body)
    const send = (json: Content): void => this.send(exchange, json, { status, type: mediaType, headers })
    const write = (extensions: string | null): void => {
      if (text === null) void this.#print(withExtensions(body, extensions), exchange, send)
      else {
        const whole = extensions === null ? text : `${text.slice(0, -1)},"extensions":${extensions}}`
        if (isLargeText(extensions)) void this.#print(new JsonText(whole), exchange, send)
        else send(whole)
      }
    }
    const extensions = this.extensionsOf(exchange)
    if (extensions instanceof Promise) void extensions.then(write)
    else write(extensions)
  }

  /** Compressed, if answers are and the client takes that. */
  send(exchange: Exchange, content: Content, { status = 200, type, headers, copies }: Envelope): void {
    const { request, response } = exchange
    const accepted = request.headers['accept-encoding']
    const compressed = this.#compression?.compress(content, accepted, copies ?? null) ?? null
    if (compressed === null) return sendJson(response, status, type, headers, content)
    compressed
      .then((made) => {
        if (made === null) return sendJson(response, status, type, headers, content)
        sendJson(response, status, type, [...headers, 'Content-Encoding', made.coding], made.pieces)
      })
      .catch((error: unknown) => this.refuse(exchange, error))
  }

  /** Where the parts of an answer are written. */
  partsOf({ request, response }: Exchange): PartSink {
    const compressed = this.#compression?.parts(response, request.headers['accept-encoding'])
    return compressed ?? new PlainParts(response)
  }

  /** In slices. */
  async #print(
    answer: object,
    exchange: Exchange,
    send: (pieces: readonly Uint8Array[]) => void,
  ): Promise<void> {
    const { work, size } = exchange
    try {
      const pieces = await printInTurns(answer, { work, size, isGone: () => exchange.closed })
      if (pieces === null) return
      exchange.finish()
      send(pieces)
    } catch (error) {
      this.refuse(exchange, error)
    }
  }

  /**
   * JSON of what an answer carries beside data and errors; null: nothing. No answer fails because its trace
   * does. A promise, which is never rejected, where it takes long.
   */
  extensionsOf(exchange: Exchange): string | null | Promise<string | null> {
    if (exchange.trace === null) return null
    const failed = (error: unknown): null => {
      exchange.report.defect(error)
      return null
    }
    try {
      const extensions = exchange.trace.extensions()
      return extensions instanceof Promise ? extensions.catch(failed) : extensions
    } catch (error) {
      return failed(error)
    }
  }

  /** The answer to a request that came to nothing. */
  refuse(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientGoneError || exchange.response.destroyed) return
    // A body that nobody reads any more is let run out, so that the client gets to read the answer.
    exchange.request.resume()
    if (error instanceof HttpError) return this.#refuseWith(exchange, error, error)
    if (error instanceof RequestError) return this.#refuseOperation(exchange, error)
    if (error instanceof ExecutionLimitError) return this.#giveUp(exchange, error)
    if (error instanceof PlanningError) return this.#refuseWith(exchange, { status: 400 }, error)
    exchange.report.defect(error)
    const message = 'The router failed to handle this request.'
    this.#refuseWith(exchange, { status: 500 }, { code: 'INTERNAL_SERVER_ERROR', message })
  }

  /**
   * The operation itself is refused, for which clients that ask for the type of GraphQL over HTTP want a
   * status.
   */
  refuseByType(exchange: Exchange, code: string, message: string): void {
    const status = exchange.type === GRAPHQL_RESPONSE ? 400 : 200
    this.#refuseWith(exchange, { status }, { code, message })
  }

  /** 200 as JSON, whatever the client accepts. */
  refuseStream(exchange: Exchange, code: string, message: string): void {
    this.#refuseWith(exchange, { status: 200, type: JSON_TYPE }, { code, message })
  }

  /** What was executed came to too much. */
  #giveUp(exchange: Exchange, { code, message }: ExecutionLimitError): void {
    exchange.abandon()
    exchange.report.failed(code, 1)
    const errors = [{ message, extensions: { code } }]
    this.reply(exchange, { status: 200, body: { errors, data: null } })
  }

  #refuseOperation(exchange: Exchange, error: RequestError): void {
    if (exchange.type === null) return this.refuse(exchange, notAcceptable())
    exchange.report.failed(error.code, error.errors.length)
    const isBad = error.code === 'OPERATION_LIMIT_EXCEEDED' || exchange.type === GRAPHQL_RESPONSE
    this.reply(exchange, { status: isBad ? 400 : 200, body: { errors: error.errors } })
  }

  #refuseWith(
    exchange: Exchange,
    { status, headers, type }: Omit<Answer, 'body' | 'weight' | 'collected'>,
    { code, message }: { readonly code: string; readonly message: string },
  ): void {
    exchange.report.failed(code, 1)
    this.reply(exchange, { status, headers, type, body: errorsOf(code, message) })
  }
}

/** An answer with cookies is for one client. */
function hasCookies(collected: HeaderList): boolean {
  return collected.some((item, index) => index % 2 === 0 && String(item).toLowerCase() === SET_COOKIE)
}

/** The refusal of a client that accepts no media type of the router. */
export function notAcceptable(): HttpError {
  return new HttpError(
    'NOT_ACCEPTABLE',
    'The Accept header names no type this router answers with. Accept application/graphql-response+json or application/json.',
  )
}

function withExtensions(body: AnswerBody, extensions: string | null): object {
  return extensions === null ? body : { ...body, extensions: new JsonText(extensions) }
}

/** But for `Cache-Control`, which each list begins with. */
function pushAll(headers: Readonly<Record<string, string>>, list: (string | string[])[]): void {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && name !== 'Cache-Control') list.push(name, value)
  }
}

/** Not without members. */
function bodyText(body: AnswerBody): string {
  const { data } = body
  if (data == null || !holdsText(data)) return JSON.stringify(body)
  return printMembers({ ...body, data: new JsonText(printMembers(data)) })
}

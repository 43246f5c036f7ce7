/**
 * Every answer of the GraphQL endpoint that is not a stream goes through `reply`: results, refusals and what
 * failed.
 */
import { type ExecutionResult, JsonText } from '@switchyard/engine'
import type { RouterConfig } from '../../config/router-config.ts'
import { SET_COOKIE } from '../../concerns/headers/answerable.ts'
import type { HeaderList } from '../../headers/header-list.ts'
import type { CompressedCopies, Content } from '../../concerns/compression/compression.ts'
import { bodyText } from '../../http/body-text.ts'
import { JSON_TYPE, type ResponseType } from '../../http/negotiate.ts'
import type { PartSink } from '../../http/part-sink.ts'
import { isLargeText, isLargeWeight, printInTurns } from '../../http/print-in-turns.ts'
import { NOT_STORED } from '../../http/reply.ts'
import type { Traffic } from '../../listen/traffic.ts'
import { type ErrorSummary, summarizeErrors } from '../../observe/summarize-errors.ts'
import { inTurns } from '@switchyard/service-kit/in-turns'
import type { Exchange } from '../../request/exchange.ts'
import { ClientGoneError } from '../../errors/client-gone-error.ts'
import { NOT_KEPT, type Keeping } from './answer-caching.ts'
import { AnswerHeaders } from './answer-headers.ts'
import { AnswerWriter, type Envelope } from './answer-writer.ts'
import { introspectionOf } from '../../concerns/introspection/introspection-of.ts'
import { internalError, plain, type Refusal, refusalOf, statusOfRefused } from './refusal-of.ts'

/** `data` is absent from the answer to what was never executed, `errors` where there are none. */
export type AnswerBody = Partial<ExecutionResult>

type Answer = {
  readonly status: number
  readonly body: AnswerBody
  /** Headers besides those of every answer. They replace `Cache-Control: no-store`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The media type. The default is the one that was negotiated. */
  readonly type?: ResponseType | undefined
  /** Caches may keep it, as `headers` say. */
  readonly isStored?: boolean
  /** Size of the body, as the engine estimates it. A body without one counts as small. */
  readonly weight?: number
  /** Headers of subgraphs' answers. */
  readonly collected?: HeaderList
}

/** Properties of a result that are needed to answer with it. */
export type AboutResult = {
  /** Size of the result, as the engine estimates it. */
  readonly weight: number
  /** Whether caches may keep the answer, if it has no errors. */
  readonly keeping: Keeping
  /** Headers of subgraphs' answers. */
  readonly collected: HeaderList
}

/** The properties that all answers with the same result share. */
type SharedResult = Omit<AboutResult, 'weight'> & {
  readonly errors: ErrorSummary
  readonly copies: CompressedCopies
}

/** Makes answers in one piece, and refusals of what the stages throw. */
export class Answers {
  readonly headers: AnswerHeaders
  readonly #config: RouterConfig
  readonly #writer: AnswerWriter

  /** `handedOn`: headers that subgraphs get to see beside those of the rules. */
  constructor(config: RouterConfig, traffic: Traffic, handedOn: readonly string[]) {
    this.#config = config
    this.headers = new AnswerHeaders(config, traffic, handedOn)
    this.#writer = new AnswerWriter(config, (exchange, error) => this.refuse(exchange, error))
  }

  /** The answer to what was executed. */
  replyResult(
    exchange: Exchange,
    { data, errors }: ExecutionResult,
    { weight, keeping, collected }: AboutResult,
  ): void {
    if (!isLargeWeight(weight)) exchange.finish()
    if (errors.length > 0)
      return this.reply(exchange, { status: 200, body: { errors, data }, weight, collected })
    const isKept = keeping !== NOT_KEPT && exchange.trace === null && !hasCookies(collected)
    const headers = isKept ? this.headers.ofResult(exchange, keeping) : NOT_STORED
    const isStored = headers !== NOT_STORED
    this.reply(exchange, { status: 200, body: { data }, headers, isStored, weight, collected })
  }

  /** The same answer to a query for all of them, which is printed once. */
  replyToAll(
    exchanges: readonly Exchange[],
    { data, errors }: ExecutionResult,
    { weight, keeping, collected }: AboutResult,
  ): void {
    const body = errors.length > 0 ? { errors, data } : { data }
    const copies: CompressedCopies = new Map()
    const isKept = errors.length === 0 && !hasCookies(collected)
    const shared = {
      errors: summarizeErrors(errors),
      keeping: isKept ? keeping : NOT_KEPT,
      collected,
      copies,
    }
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
    { keeping, collected, copies }: SharedResult,
  ): void {
    if (exchange.closed) return
    exchange.finish()
    try {
      exchange.report.answering(200)
      const own = keeping === NOT_KEPT ? NOT_STORED : this.headers.ofResult(exchange, keeping)
      const headers = this.headers.for(exchange, own, collected)
      const type = exchange.type ?? JSON_TYPE
      this.send(exchange, pieces, { type, headers, isStored: own !== NOT_STORED, copies })
    } catch (error) {
      // The others get theirs.
      this.refuse(exchange, error)
    }
  }

  reply(exchange: Exchange, answer: Answer): void {
    const { status, body, headers: extra, weight = 0, isStored = false, collected } = answer
    exchange.report.answering(status)
    const headers = this.headers.for(exchange, extra, collected)
    const type = answer.type ?? exchange.type ?? JSON_TYPE
    // What a small answer is made of is let go before its trace is made.
    const text = isLargeWeight(weight) ? null : bodyText(body)
    const send = (json: Content): void => this.send(exchange, json, { status, type, headers, isStored })
    const write = (extensions: string | null): void => {
      if (text === null) void this.#writer.print(withExtensions(body, extensions), exchange, send)
      else {
        const whole = extensions === null ? text : `${text.slice(0, -1)},"extensions":${extensions}}`
        if (isLargeText(extensions)) void this.#writer.print(new JsonText(whole), exchange, send)
        else send(whole)
      }
    }
    const extensions = this.extensionsOf(exchange)
    if (extensions instanceof Promise) void extensions.then(write)
    else write(extensions)
  }

  /** Compressed, if answers are and the client takes that. */
  send(exchange: Exchange, content: Content, envelope: Envelope): void {
    this.#writer.send(exchange, content, envelope)
  }

  /** Makes the sink that parts of an answer are written to. */
  partsOf(exchange: Exchange): PartSink {
    return this.#writer.partsOf(exchange)
  }

  /**
   * Returns the JSON of `extensions`, or null if there are none. A trace that fails does not fail the answer.
   * Returns a promise, which never rejects, if the work takes long.
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
    const { type, identity } = exchange
    const refusal = refusalOf(error, {
      type,
      mayIntrospect: introspectionOf(this.#config, identity) === 'open',
    })
    if (refusal === null) exchange.report.defect(error)
    this.#refuseWith(exchange, refusal ?? internalError())
  }

  /**
   * The operation itself is refused, for which clients that ask for the type of GraphQL over HTTP want a
   * status.
   */
  refuseByType(exchange: Exchange, code: string, message: string): void {
    this.#refuseWith(exchange, plain(statusOfRefused(exchange.type), { code, message }))
  }

  /** 200 as JSON, whatever the client accepts. */
  refuseStream(exchange: Exchange, code: string, message: string): void {
    this.#refuseWith(exchange, plain(200, { code, message }), JSON_TYPE)
  }

  #refuseWith(
    exchange: Exchange,
    { code, status, body, headers, isAbandoned }: Refusal,
    type?: ResponseType,
  ): void {
    if (isAbandoned === true) exchange.abandon()
    exchange.report.failed(code, body.errors?.length ?? 1)
    this.reply(exchange, { status, headers, type, body })
  }
}

/** An answer with cookies is for one client. */
function hasCookies(collected: HeaderList): boolean {
  return collected.some((item, index) => index % 2 === 0 && String(item).toLowerCase() === SET_COOKIE)
}

function withExtensions(body: AnswerBody, extensions: string | null): object {
  return extensions === null ? body : { ...body, extensions: new JsonText(extensions) }
}

/** Answers of the routes of OFREP: evaluations, and refusals in the form of that protocol. */
import { failureOf } from '../../concerns/ofrep/failure.ts'
import type { OfrepPaths } from '../../concerns/ofrep/paths.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { ClientGoneError } from '../../errors/client-gone-error.ts'
import { HttpError } from '../../errors/http-error.ts'
import { JSON_TYPE } from '../../http/negotiate.ts'
import { targetOf } from '../../http/target.ts'
import type { Traffic } from '../../listen/traffic.ts'
import type { Exchange } from '../../request/exchange.ts'
import { AnswerHeaders } from '../answers/answer-headers.ts'
import { AnswerWriter } from '../answers/answer-writer.ts'
import { entityTag, hasTagged } from '../answers/entity-tag.ts'

/** Headers that a page of another origin needs for polling, beside those that it needs for GraphQL. */
const FOR_PAGES = { sent: ['If-None-Match'], read: ['ETag', 'Retry-After'] }

type Answered = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes them. */
export class OfrepAnswers {
  readonly headers: AnswerHeaders
  readonly #writer: AnswerWriter
  readonly #paths: OfrepPaths

  /** `handedOn`: headers that subgraphs get to see beside those of the rules. */
  constructor(config: RouterConfig, paths: OfrepPaths, traffic: Traffic, handedOn: readonly string[]) {
    this.#paths = paths
    this.headers = new AnswerHeaders(config, traffic, handedOn, FOR_PAGES)
    this.#writer = new AnswerWriter(config, (exchange, error) => this.refuse(exchange, error))
  }

  reply(exchange: Exchange, { status, body, headers: own }: Answered): void {
    this.#send(exchange, JSON.stringify(body), { status, own })
  }

  /** Answers with a tag, or with 304 and without the body if the client has it already. */
  replyTagged(exchange: Exchange, body: object): void {
    const text = JSON.stringify(body)
    const tag = entityTag(text)
    const own = tag === null ? {} : { ETag: tag }
    if (tag === null || !hasTagged(exchange.request.headers['if-none-match'], tag))
      return this.#send(exchange, text, { status: 200, own })
    const { response, report } = exchange
    exchange.finish()
    report.answering(304)
    if (response.headersSent || response.destroyed) return
    response.writeHead(304, [...this.headers.for(exchange, own)])
    response.end()
  }

  /** Answers a request that came to nothing. */
  refuse(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientGoneError || exchange.response.destroyed) return
    // A body that nobody reads any more is let run out, so that the client gets to read the answer.
    exchange.request.resume()
    if (!(error instanceof HttpError)) exchange.report.defect(error)
    const refused = error instanceof HttpError ? error : internalError()
    exchange.report.failed(refused.code, 1)
    const path = this.#paths.of(targetOf(exchange.request).path)
    const body = failureOf(refused, path?.kind === 'one' ? path.key : null)
    this.reply(exchange, { status: refused.status, body, headers: refused.headers })
  }

  #send(
    exchange: Exchange,
    text: string,
    { status, own }: { readonly status: number; readonly own: Answered['headers'] },
  ): void {
    exchange.finish()
    exchange.report.answering(status)
    const headers = this.headers.for(exchange, own)
    this.#writer.send(exchange, text, { status, type: JSON_TYPE, headers })
  }
}

function internalError(): HttpError {
  return new HttpError('INTERNAL_SERVER_ERROR', 'The router failed to handle this request.')
}

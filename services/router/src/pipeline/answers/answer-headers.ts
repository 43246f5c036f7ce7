/** The headers of answers, in one piece or in parts. */
import type { IncomingHttpHeaders } from 'node:http'
import type { RouterConfig } from '../../config/router-config.ts'
import { FLAG_HEADER } from '../../flags/requested-flag.ts'
import { SET_COOKIE } from '../../concerns/headers/answerable.ts'
import type { HeaderList } from '../../headers/header-list.ts'
import { traceNames } from '../../headers/trace-names.ts'
import { type Cors, createCors } from '../../concerns/cors/cors.ts'
import { NOT_STORED } from '../../http/reply.ts'
import type { Traffic } from '../../listen/traffic.ts'
import { type AllResponseRules, allResponseRules } from '../../concerns/headers/response-rules.ts'
import type { Exchange } from '../../request/exchange.ts'
import { type MoreHeaders, NO_MORE_HEADERS, pageHeaders } from './page-headers.ts'
import { AnswerCaching, type Keeping } from './answer-caching.ts'

const NONE: HeaderList = []

/** Puts them together for each answer. */
export class AnswerHeaders {
  readonly #cors: Cors
  readonly #traffic: Traffic
  readonly #caching: AnswerCaching
  readonly #requestIdHeader: string
  readonly #standInHeader: string
  /** The rules for all answers, whose headers are lists of names and values in turns. */
  readonly #rules: AllResponseRules
  /** Methods that the endpoint takes. */
  readonly methods: string

  /**
   * Makes the headers. `handedOn` lists headers that subgraphs get besides those of the rules, and `more`
   * headers of this route that pages of other origins send and read.
   */
  constructor(
    config: RouterConfig,
    traffic: Traffic,
    handedOn: readonly string[],
    more: MoreHeaders = NO_MORE_HEADERS,
  ) {
    this.#requestIdHeader = config.requestId.header
    this.#standInHeader = traceNames(config.tracing.vendor).standInHeader
    this.#rules = allResponseRules(config.headers)
    this.#cors = createCors(config.cors, pageHeaders(config, more))
    this.#traffic = traffic
    this.#caching = new AnswerCaching(config, this.#cors.varies, handedOn)
    this.methods = this.#cors.enabled ? 'GET, POST, OPTIONS' : 'GET, POST'
  }

  /**
   * Lists the headers that go with every answer of this request. `Cache-Control` is `no-store` if `own` has
   * none. `collected` lists headers of subgraphs' answers.
   */
  for(
    exchange: Exchange,
    own: Readonly<Record<string, string>> = NOT_STORED,
    collected: HeaderList = NONE,
  ): HeaderList {
    const { held, request, requestId } = exchange
    const caching = own['Cache-Control'] ?? 'no-store'
    const vary = this.#caching.varyOf(exchange)
    const list: (string | string[])[] = ['Cache-Control', caching, 'Vary', vary]
    list.push(this.#requestIdHeader, requestId)
    const flag = held?.flag ?? null
    if (flag !== null) list.push(FLAG_HEADER, flag)
    if (exchange.decision?.standIn.kind === 'ignored') list.push(this.#standInHeader, 'ignored')
    if (this.#cors.enabled) pushAll(this.#cors.answerHeaders(request.headers), list)
    // Who keeps a connection stays with this router until it is closed, whatever load balancers do with new
    // ones.
    if (this.#traffic.leaving && request.httpVersionMajor === 1) list.push('Connection', 'close')
    pushAll(own, list)
    const { set, setByFlag } = this.#rules
    const ruled = flag === null ? set : (setByFlag.get(flag) ?? set)
    if (ruled.length > 0) list.push(...ruled)
    if (collected.length > 0) list.push(...collected)
    const cookie = exchange.decision?.visitor?.newCookie ?? null
    if (cookie !== null) addCookie(cookie, list)
    return list
  }

  /**
   * Whether a cookie may be set by the answer: where the page is one of the router's own origin, or CORS
   * allows pages of its origin to send credentials. Clients that are no browsers say nothing of a page.
   */
  areCookiesKept(headers: IncomingHttpHeaders): boolean {
    if (isOwnPage(headers)) return true
    return this.#cors.enabled && 'Access-Control-Allow-Credentials' in this.#cors.answerHeaders(headers)
  }

  /** `Cache-Control` of the answer to a query that has no errors. */
  ofResult(exchange: Exchange, keeping: Keeping): Readonly<Record<string, string>> {
    return this.#caching.headersOfResult(exchange, keeping)
  }

  /** Answers a preflight request. False if the request is none, or if no other origin may ask. */
  preflight(exchange: Exchange): boolean {
    const { request, response } = exchange
    if (request.method !== 'OPTIONS' || !this.#cors.enabled) return false
    request.resume()
    exchange.report.answering(204)
    response.writeHead(204, { Vary: this.#caching.vary, ...this.#cors.preflightHeaders(request.headers) })
    response.end()
    return true
  }
}

/** Adds a cookie to those that subgraphs set. */
function addCookie(cookie: string, list: (string | string[])[]): void {
  const at = list.findIndex((item, index) => index % 2 === 0 && String(item).toLowerCase() === SET_COOKIE)
  if (at < 0) list.push('Set-Cookie', cookie)
  else list[at + 1] = [...[list[at + 1] ?? []].flat(), cookie]
}

/**
 * Whether a request comes from a page of the router's own origin, or from none. Proxies may change `Host`,
 * and browsers say themselves whose page it is, also where they or an extension leave out `Origin`.
 */
function isOwnPage({ origin, host = '', ...headers }: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return false
  if (origin === undefined || site === 'same-origin') return true
  return origin.slice(origin.indexOf('://') + 3) === host
}

/** But for `Cache-Control`, which each list begins with. */
function pushAll(headers: Readonly<Record<string, string>>, list: (string | string[])[]): void {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && name !== 'Cache-Control') list.push(name, value)
  }
}

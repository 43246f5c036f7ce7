/**
 * What caches between the router and its clients may do with an answer, by RFC 9111 (HTTP caching).
 *
 * `response.cache_control` holds for the answer to a query that was executed without an error. Whatever else
 * is answered, a refusal, a mutation, an answer with errors or with a trace, is `no-store`: the next request
 * may be answered otherwise.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { RouterConfig } from '../config/router-config.ts'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import { propagatedNames } from '../subgraph/header-rules.ts'
import { headerKey } from '../headers/header-key.ts'
import { traceNames } from '../headers/trace-names.ts'

/** Directives that allow caches that many users share to keep an answer. */
const SHARED_ONLY = /^(?:public|private|s-maxage\b.*|proxy-revalidate)$/i

/** Chooses `Cache-Control` and `Vary` of answers. */
export class AnswerCaching {
  /**
   * The value of `Vary`: every request header that the router's answer depends on, with or without a
   * subgraph.
   */
  readonly vary: string
  readonly #anonymous: Readonly<Record<string, string>>
  readonly #personal: Readonly<Record<string, string>>
  /** In lower case, as Node.js names them. */
  readonly #propagated: readonly string[]

  constructor(config: RouterConfig, isCorsEnabled: boolean) {
    const propagated = propagatedNames(config.headers)
    const isStored = !/\bno-store\b/i.test(config.cacheControl)
    this.vary = varyOf(config, isCorsEnabled, isStored, propagated)
    this.#propagated = isStored ? propagated.map(headerKey) : []
    this.#anonymous = { 'Cache-Control': config.cacheControl }
    this.#personal = { 'Cache-Control': withoutSharing(config.cacheControl) }
  }

  /**
   * `Cache-Control` for the answer to a query that has no errors. Where the request carries a header that
   * subgraphs get to see, the answer may be meant for one user: no shared cache keeps it, since many of them
   * look at the URL alone.
   */
  headersOfResult(request: IncomingHttpHeaders): Readonly<Record<string, string>> {
    for (const name of this.#propagated) if (request[name] !== undefined) return this.#personal
    return this.#anonymous
  }
}

function varyOf(
  { flags, tracing }: RouterConfig,
  isCorsEnabled: boolean,
  isStored: boolean,
  propagated: readonly string[],
): string {
  const { header, tokenHeader } = traceNames(tracing.vendor)
  const names = [
    'Accept',
    FLAG_HEADER,
    ...(flags.cookie ? ['Cookie'] : []),
    ...(isCorsEnabled ? ['Origin'] : []),
    ...(isStored ? propagated : []),
    ...(isStored && tracing.enabled ? [header, tokenHeader] : []),
  ]
  const seen = new Set<string>()
  return names
    .filter((name) => {
      const isNew = !seen.has(name.toLowerCase())
      seen.add(name.toLowerCase())
      return isNew
    })
    .join(', ')
}

/** `public, max-age=60` becomes `private, max-age=60`. */
function withoutSharing(cacheControl: string): string {
  const directives = cacheControl.split(',').map((directive) => directive.trim())
  return ['private', ...directives.filter((directive) => !SHARED_ONLY.test(directive))].join(', ')
}

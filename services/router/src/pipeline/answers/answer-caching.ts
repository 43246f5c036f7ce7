/**
 * Decides how caches between the router and its clients may treat an answer, by RFC 9111 (HTTP caching).
 *
 * `response.cache_control` applies to the answer to a query that was executed without an error: one value for
 * all such answers, or a value computed from the answers of subgraphs. Every other answer (a refusal, a
 * mutation, an answer with errors or with a trace) is `no-store`, since the next request may be answered
 * otherwise.
 */
import type { CacheLimit } from '@switchyard/engine'
import type { RouterConfig } from '../../config/router-config.ts'
import { FLAG_HEADER } from '../../flags/requested-flag.ts'
import { ForwardedHeaders } from '../../concerns/headers/forwarded-headers.ts'
import { keyHeadersOf } from '../../concerns/override-labels/settings.ts'
import { audienceHeaders, type ReadHeaders } from '../../concerns/rollouts/audience-headers.ts'
import { isForOneUser } from '../../request/decision.ts'
import type { Exchange } from '../../request/exchange.ts'
import { traceNames } from '../../headers/trace-names.ts'
import { NOT_STORED } from '../../http/reply.ts'

/**
 * Whether caches may keep the answer to an operation: never, as the settings say, so but for its user alone,
 * or for so long.
 */
export type Keeping = 'never' | 'as-set' | 'as-set-for-one' | CacheLimit
export const NOT_KEPT: Keeping = 'never'

/** Directives that allow caches that many users share to keep an answer. */
const SHARED_ONLY = /^(?:public|private|s-maxage\b.*|proxy-revalidate)$/i
/** Directives that say for how long an answer may be used. */
const LIFETIME = /^(?:max-age|stale-while-revalidate|stale-if-error|immutable)\b/i
/** Seconds that a cache may keep an answer at most while rollouts read who asks: percentages change. */
const LONGEST_BY_ROLLOUTS = 60

/** The part of an exchange that decides how caches treat its answer. */
type CachedExchange = Pick<Exchange, 'request' | 'decision'>

/** Chooses `Cache-Control` and `Vary` of answers. */
export class AnswerCaching {
  /**
   * The value of `Vary` without rollouts: every request header that the router's answer depends on, with or
   * without a subgraph.
   */
  readonly vary: string
  readonly #headers: ReadHeaders
  /** The value of `Vary` by the rollouts of a config. */
  readonly #varyByRollouts = new WeakMap<object, string>()
  readonly #anonymous: Readonly<Record<string, string>>
  readonly #personal: Readonly<Record<string, string>>
  readonly #byRollouts: Readonly<Record<string, string>>
  /** The headers forwarded to subgraphs; null if no answer may be stored anyway. */
  readonly #forwarded: ForwardedHeaders | null

  /** `handedOn`: headers that subgraphs get to see beside those of the rules, such as `baggage`. */
  constructor(config: RouterConfig, variesByOrigin: boolean, handedOn: readonly string[]) {
    const token = tokenHeadersOf(config)
    const forwarded = new ForwardedHeaders(config.headers, [...handedOn, ...token])
    const { nameHeaders: clientName, versionHeaders: clientVersion } = config.clientIdentification
    this.#headers = { token, clientName, clientVersion }
    const { cacheControl } = config
    const mayBeStored = cacheControl.kind === 'computed' || !/\bno-store\b/i.test(cacheControl.value)
    this.vary = varyOf(config, variesByOrigin, mayBeStored ? forwarded : null)
    this.#forwarded = mayBeStored ? forwarded : null
    const isSet = cacheControl.kind === 'set' && mayBeStored
    this.#anonymous = isSet ? { 'Cache-Control': cacheControl.value } : NOT_STORED
    this.#personal = isSet ? { 'Cache-Control': withoutSharing(cacheControl.value) } : NOT_STORED
    this.#byRollouts = isSet ? { 'Cache-Control': shortened(cacheControl.value) } : NOT_STORED
  }

  /** Returns the value of `Vary`: with rollouts, also the headers that any audience or key reads. */
  varyOf({ decision }: Pick<Exchange, 'decision'>): string {
    const rollouts = decision?.rollouts ?? null
    if (rollouts === null) return this.vary
    let vary = this.#varyByRollouts.get(rollouts)
    if (vary === undefined) {
      vary = withNames(this.vary, audienceHeaders(rollouts.sources, this.#headers))
      this.#varyByRollouts.set(rollouts, vary)
    }
    return vary
  }

  /**
   * `Cache-Control` for the answer to a query that has no errors; `NOT_STORED` itself where nobody may keep
   * it. Where the request carries a header that subgraphs get to see, the answer may be meant for one user:
   * no shared cache keeps it, since many of them look at the URL alone. The same holds while rollouts read
   * who asks, for base as well: it is the answer for those outside.
   */
  headersOfResult(exchange: CachedExchange, keeping: Keeping): Readonly<Record<string, string>> {
    if (keeping === 'never' || this.#forwarded === null) return NOT_STORED
    if (isForOneUser(exchange.decision)) {
      if (typeof keeping === 'string') return this.#byRollouts
      return { 'Cache-Control': `max-age=${Math.min(keeping.maxAge, LONGEST_BY_ROLLOUTS)}, private` }
    }
    const isPersonal = keeping === 'as-set-for-one' || this.#forwarded.isAnyIn(exchange.request.headers)
    if (typeof keeping === 'string') return isPersonal ? this.#personal : this.#anonymous
    const scope = isPersonal || keeping.isPrivate ? 'private' : 'public'
    return { 'Cache-Control': `max-age=${keeping.maxAge}, ${scope}` }
  }
}

/** Headers that tell who asks, as clients send them. */
function tokenHeadersOf({ authentication }: RouterConfig): readonly string[] {
  return (authentication?.providers ?? []).flatMap(({ headers, cookies }) => [
    ...headers.map(({ name }) => name),
    ...(cookies.length > 0 ? ['Cookie'] : []),
  ])
}

function varyOf(
  { flags, tracing, documents, clientIdentification, compression, overrideLabels }: RouterConfig,
  variesByOrigin: boolean,
  forwarded: ForwardedHeaders | null,
): string {
  // Which headers a pattern will match cannot be named, so that no stored answer fits another request.
  if (forwarded !== null && forwarded.patterns.length > 0) return '*'

  const { header, tokenHeader, standInHeader } = traceNames(tracing.vendor)
  const names = [
    'Accept',
    ...(compression === null ? [] : ['Accept-Encoding']),
    FLAG_HEADER,
    ...(flags.cookie ? ['Cookie'] : []),
    ...(variesByOrigin ? ['Origin'] : []),
    ...(documents.isByClient ? clientIdentification.nameHeaders : []),
    ...(forwarded?.names ?? []),
    ...(forwarded !== null ? keyHeadersOf(overrideLabels) : []),
    ...(forwarded !== null && tracing.enabled ? [header, tokenHeader, standInHeader] : []),
  ]
  return withNames('', names)
}

/** Adds names of headers to a list, each once. `*` stands for all. */
function withNames(list: string, names: readonly string[]): string {
  if (list === '*') return list
  const all = [...(list === '' ? [] : list.split(', ')), ...names]
  const seen = new Set<string>()
  return all
    .filter((name) => {
      const isNew = !seen.has(name.toLowerCase())
      seen.add(name.toLowerCase())
      return isNew
    })
    .join(', ')
}

/** `public, max-age=60` becomes `private, max-age=60`. */
function withoutSharing(cacheControl: string): string {
  return ['private', ...directivesForOne(cacheControl)].join(', ')
}

/** `public, max-age=600` becomes `private, max-age=60`. Without a maximum age, caches would choose one. */
function shortened(cacheControl: string): string {
  const directives = directivesForOne(cacheControl)
  const set = directives.map((directive) => /^max-age\s*=\s*"?(\d+)/i.exec(directive)?.[1]).find(Boolean)
  const maxAge = Math.min(Number(set ?? 0), LONGEST_BY_ROLLOUTS)
  const others = directives.filter((directive) => !LIFETIME.test(directive))
  return ['private', `max-age=${maxAge}`, ...others].join(', ')
}

function directivesForOne(cacheControl: string): readonly string[] {
  const directives = cacheControl.split(',').map((directive) => directive.trim())
  return directives.filter((directive) => !SHARED_ONLY.test(directive))
}

/**
 * Tells which headers of a client's request some subgraph sees, whichever subgraphs an operation needs and
 * whichever feature flag answers.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderRule, HeadersConfig } from './settings.ts'
import type { SeenHeaders } from '../../headers/seen-headers.ts'
import { isForwardable } from '../../headers/forwardable.ts'
import { headerKey } from '../../headers/header-key.ts'
import { namePattern, type NamePattern } from '../../headers/name-pattern.ts'

/** Headers that rules of all subgraphs hand on. */
export class ForwardedHeaders implements SeenHeaders {
  /** Names as rules spell them; clients send the headers by these names. */
  readonly names: readonly string[]
  /** The names as Node.js keys headers, each once, in order. */
  readonly keys: readonly string[]
  readonly patterns: readonly MatchingHeaders[]

  /** `handedOn` are headers that subgraphs see in addition to those of the rules, such as `baggage`. */
  constructor(
    { all, bySubgraph, byFlag, previews }: Pick<HeadersConfig, 'all' | 'bySubgraph' | 'byFlag' | 'previews'>,
    handedOn: readonly string[] = [],
  ) {
    const ofFlags = [...byFlag.values()].map(({ request }) => request)
    const rules = [all, ...bySubgraph.values(), ...ofFlags, previews].flat()
    this.names = [...rules.flatMap((rule) => ('propagate' in rule ? [rule.propagate] : [])), ...handedOn]
    this.keys = [...new Set(this.names.map(headerKey))].sort()
    this.patterns = rules.flatMap((rule) => ('propagate_matching' in rule ? [matchingHeaders(rule)] : []))
  }

  /** Returns whether the request has one of these headers. */
  isAnyIn(headers: IncomingHttpHeaders): boolean {
    for (const key of this.keys) if (headers[key] !== undefined) return true
    if (this.patterns.length === 0) return false
    for (const name in headers) if (this.isMatched(name)) return true
    return false
  }

  /** Returns whether a pattern hands on the header `name`, which is in lower case. */
  isMatched(name: string): boolean {
    return this.patterns.some(({ includes }) => includes(name))
  }
}

/** Headers that one rule hands on by a pattern. */
export type MatchingHeaders = {
  readonly pattern: NamePattern
  /** Returns whether the rule hands on the header `name`, which is in lower case. */
  readonly includes: (name: string) => boolean
}

/**
 * Compiles a rule with a pattern. Cookies, and headers that the router itself sends or keeps, are not handed
 * on because of a pattern.
 */
export function matchingHeaders({
  propagate_matching: text,
  except,
}: Extract<HeaderRule, { propagate_matching: string }>): MatchingHeaders {
  const pattern = namePattern(text)
  const others = new Set(except.map((name) => name.toLowerCase()))
  const includes = (name: string): boolean =>
    name !== 'cookie' && pattern.matches(name) && !others.has(name) && isForwardable(name)
  return { pattern, includes }
}

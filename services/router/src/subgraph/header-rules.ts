/** What a subgraph gets to see of a client's request beside its query: nothing, unless a rule says so. */
import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderRule } from '../headers/settings.ts'
import type { Identity } from '../identity/identity.ts'
import type { RequestFact } from '../headers/settings.ts'
import { claimValue, type ClaimValue } from './claim-header.ts'
import { type MatchingHeaders, matchingHeaders } from './forwarded-headers.ts'
import { headerKey } from '../headers/header-key.ts'

/** The request that headers are made for. */
export type RuledRequest = {
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  /** Who asks; null: nobody in particular. */
  readonly identity: Pick<Identity, 'claims'> | null
  /** The name of the feature flag whose composition answers; null: base does. */
  readonly flag: string | null
  /** Of the client's operation; null: it has none. */
  readonly operationName: string | null
  readonly plan: { readonly kind: 'query' | 'mutation' }
}

/** The rules of one subgraph. */
export type HeaderRules = {
  /**
   * Appends names and values alternately, each name once; a later rule for a name replaces an earlier one.
   */
  readonly append: (request: RuledRequest, out: string[]) => void
  /**
   * Whether a rule can replace the id of the request. Otherwise the first name and value that are appended
   * are that id, which says nothing about who asks.
   */
  readonly replaceRequestId: boolean
}

/** A rule with names in lower case, as Node.js keys headers. */
type CompiledRule =
  | {
      readonly kind: 'propagate'
      readonly from: string
      readonly to: string
      readonly fallback: string | null
    }
  | ({ readonly kind: 'propagate-matching' } & MatchingHeaders)
  | { readonly kind: 'set'; readonly to: string; readonly value: string }
  | { readonly kind: 'set-fact'; readonly to: string; readonly fact: RequestFact }
  | { readonly kind: 'set-claim'; readonly to: string; readonly value: ClaimValue }
  | { readonly kind: 'remove'; readonly name: string }

/**
 * `requestIdHeader`: in lower case. The id of the request goes with it to every subgraph. A rule may set it
 * to something else, but one that only hands on what the client sent is carried out by that already.
 */
export function compileHeaderRules(rules: readonly HeaderRule[], requestIdHeader: string): HeaderRules {
  const ofClaims = new Set(rules.flatMap((rule) => ('from_claim' in rule ? [rule.set.toLowerCase()] : [])))
  const compiled = rules
    .filter((rule) => !handsIdOn(rule, requestIdHeader))
    .flatMap((rule) => withoutForged(compileRule(rule), ofClaims))
  const append: HeaderRules['append'] = (request, out) => {
    const start = out.length
    out.push(requestIdHeader, request.requestId)
    for (const rule of compiled) applyRule(rule, request, out, start)
  }
  const replaceRequestId = compiled.some((rule) => 'to' in rule && rule.to === requestIdHeader)
  return { append, replaceRequestId }
}

function handsIdOn(rule: HeaderRule, requestIdHeader: string): boolean {
  return (
    'propagate' in rule &&
    rule.propagate.toLowerCase() === requestIdHeader &&
    (rule.rename ?? rule.propagate).toLowerCase() === requestIdHeader
  )
}

/**
 * The rule, as far as it hands on no header of the client in which subgraphs look for a claim: whichever rule
 * comes last, a client must not be able to say who it is.
 */
function withoutForged(rule: CompiledRule, ofClaims: ReadonlySet<string>): readonly CompiledRule[] {
  if (ofClaims.size === 0) return [rule]
  if (rule.kind === 'propagate') return ofClaims.has(rule.to) ? [] : [rule]
  if (rule.kind !== 'propagate-matching') return [rule]
  return [{ ...rule, includes: (name) => rule.includes(name) && !ofClaims.has(name) }]
}

function compileRule(rule: HeaderRule): CompiledRule {
  if ('remove' in rule) return { kind: 'remove', name: rule.remove.toLowerCase() }
  if ('propagate' in rule) {
    const to = (rule.rename ?? rule.propagate).toLowerCase()
    return { kind: 'propagate', from: headerKey(rule.propagate), to, fallback: rule.default ?? null }
  }
  if ('propagate_matching' in rule) return { kind: 'propagate-matching', ...matchingHeaders(rule) }
  const to = rule.set.toLowerCase()
  if ('from_claim' in rule) return { kind: 'set-claim', to, value: claimValue(rule) }
  return 'from' in rule ? { kind: 'set-fact', to, fact: rule.from } : { kind: 'set', to, value: rule.value }
}

/** `start`: where in `out` the headers of the rules begin, with the id of the request. */
function applyRule(rule: CompiledRule, request: RuledRequest, out: string[], start: number): void {
  switch (rule.kind) {
    case 'propagate':
      return put(rule.to, valueOf(request.headers, rule.from) ?? rule.fallback, out, start)
    case 'set':
      return put(rule.to, rule.value, out, start)
    case 'set-fact':
      return put(rule.to, factOf(request, rule.fact), out, start)
    case 'set-claim':
      return putOrRemove(rule.to, rule.value(request.identity?.claims ?? null), out, start)
    case 'propagate-matching':
      for (const name in request.headers)
        if (rule.includes(name)) put(name, valueOf(request.headers, name), out, start)
      return
    case 'remove':
      return remove(rule.name, out, start)
    default:
      rule satisfies never
  }
}

function put(name: string, value: string | null, out: string[], start: number): void {
  if (value === null) return
  const known = indexOfName(out, start, name)
  if (known < 0) out.push(name, value)
  else out[known + 1] = value
}

/** What an earlier rule has set says nothing of a claim that is missing. */
function putOrRemove(name: string, value: string | null, out: string[], start: number): void {
  if (value === null) remove(name, out, start)
  else put(name, value, out, start)
}

/** But for the id of the request, which is the first. */
function remove(name: string, out: string[], start: number): void {
  const known = indexOfName(out, start, name)
  if (known > start) out.splice(known, 2)
}

function factOf({ flag, operationName, plan }: RuledRequest, fact: RequestFact): string | null {
  if (fact === 'feature_flag') return flag
  return fact === 'operation_name' ? operationName : plan.kind
}

function indexOfName(out: readonly string[], start: number, name: string): number {
  for (let index = start; index < out.length; index += 2) if (out[index] === name) return index
  return -1
}

/**
 * A client's `Connection` does not take away what a rule names: it could make a subgraph believe that a proxy
 * set nothing.
 */
function valueOf(incoming: IncomingHttpHeaders, name: string): string | null {
  const value = incoming[name]
  if (value === undefined) return null
  return typeof value === 'string' ? value : value.join(', ')
}

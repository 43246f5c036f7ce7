/**
 * Makes the headers of calls to subgraphs. A subgraph sees no header of a client's request, unless a rule
 * says so.
 */
import type { OperationKind } from '@switchyard/engine'
import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderRule } from './settings.ts'
import type { Identity } from '../../identity/identity.ts'
import type { RequestFact } from './settings.ts'
import { claimValue, type ClaimValue } from './claim-header.ts'
import { type MatchingHeaders, matchingHeaders } from './forwarded-headers.ts'
import { headerKey } from '../../headers/header-key.ts'

/** The request that headers are made for. */
export type RuledRequest = {
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  /** The client's identity. Null if the client is not known. */
  readonly identity: Pick<Identity, 'claims'> | null
  /** The name of the feature flag whose composition answers. Null if the base composition does. */
  readonly flag: string | null
  /** The name of the client's operation. Null if it has none. */
  readonly operationName: string | null
  readonly plan: { readonly kind: OperationKind }
}

/** The rules of one subgraph. */
export type HeaderRules = {
  /**
   * Appends names and values alternately, each name once. A later rule for a name replaces an earlier one.
   */
  readonly append: (request: RuledRequest, out: string[]) => void
  /**
   * True if a rule can replace the id of the request. Otherwise the first name and value that are appended
   * are that id, which says nothing about the client.
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
 * Compiles the rules of one subgraph. `requestIdHeader` is in lower case. The id of the request is sent in it
 * to every subgraph. A rule may set that header to something else; a rule that only hands it on is left out,
 * because the id is sent anyway.
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
 * Returns the rule without the headers of the client in which subgraphs look for a claim. Whichever rule
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

/** Applies a rule to `out`. The headers of the rules begin at `start`, with the id of the request. */
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

/**
 * Sets a header, or removes it if the claim is missing, because a value of an earlier rule would look like
 * the claim.
 */
function putOrRemove(name: string, value: string | null, out: string[], start: number): void {
  if (value === null) remove(name, out, start)
  else put(name, value, out, start)
}

/** Removes a header. The id of the request, which is the first, stays. */
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
 * Returns the value of a client's header, even if the client names that header in `Connection`: otherwise it
 * could make a subgraph believe that a proxy set nothing.
 */
function valueOf(incoming: IncomingHttpHeaders, name: string): string | null {
  const value = incoming[name]
  if (value === undefined) return null
  return typeof value === 'string' ? value : value.join(', ')
}

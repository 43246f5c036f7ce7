/** What a subgraph gets to see of a client's headers: nothing, unless a rule says so. */
import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderRule, RouterConfig } from '../config/router-config.ts'
import { headerKey } from '../headers/header-key.ts'

/** The rules of one subgraph. */
export type HeaderRules = {
  /**
   * Appends names and values alternately, each name once; a later rule for a name replaces an earlier one.
   */
  readonly append: (incoming: IncomingHttpHeaders, out: string[], requestId: string) => void
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
  | { readonly kind: 'set'; readonly to: string; readonly value: string }

/**
 * Names of headers that some subgraph gets to see, as the rules spell them; clients send them by these names.
 */
export function propagatedNames({ all, bySubgraph }: RouterConfig['headers']): readonly string[] {
  const rules = [all, ...bySubgraph.values()].flat()
  return rules.flatMap((rule) => ('propagate' in rule ? [rule.propagate] : []))
}

/**
 * `requestIdHeader`: in lower case. The id of the request goes with it to every subgraph. A rule may set it
 * to something else, but one that only hands on what the client sent is carried out by that already.
 */
export function compileHeaderRules(rules: readonly HeaderRule[], requestIdHeader: string): HeaderRules {
  const handsIdOn = (rule: HeaderRule): boolean =>
    'propagate' in rule &&
    rule.propagate.toLowerCase() === requestIdHeader &&
    (rule.rename ?? rule.propagate).toLowerCase() === requestIdHeader
  const compiled = rules
    .filter((rule) => !handsIdOn(rule))
    .map(
      (rule): CompiledRule =>
        'set' in rule
          ? { kind: 'set', to: rule.set.toLowerCase(), value: rule.value }
          : {
              kind: 'propagate',
              from: headerKey(rule.propagate),
              to: (rule.rename ?? rule.propagate).toLowerCase(),
              fallback: rule.default ?? null,
            },
    )
  const append: HeaderRules['append'] = (incoming, out, requestId) => {
    const start = out.length
    out.push(requestIdHeader, requestId)
    for (const rule of compiled) {
      const value = rule.kind === 'set' ? rule.value : (valueOf(incoming, rule.from) ?? rule.fallback)
      if (value === null) continue
      const known = indexOfName(out, start, rule.to)
      if (known < 0) out.push(rule.to, value)
      else out[known + 1] = value
    }
  }
  return { append, replaceRequestId: compiled.some(({ to }) => to === requestIdHeader) }
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

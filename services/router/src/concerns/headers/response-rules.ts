/**
 * Compiles the rules that say which headers of subgraphs' answers clients see: none, unless a rule says so.
 */
import type { HeadersConfig } from './settings.ts'
import type { ResponseRule } from './response-settings.ts'
import { answeredName, type ResponseStrategy } from './response-settings.ts'
import { SET_COOKIE } from './answerable.ts'
import { headerKey } from '../../headers/header-key.ts'

/** A header of a subgraph's answer that is handed on. */
export type TakenHeader = {
  /** The name as both HTTP clients key headers. */
  readonly from: string
  /** The name in answers to clients, as the rule spells it. */
  readonly name: string
  /** The name in answers to clients, in lower case. */
  readonly key: string
  readonly strategy: ResponseStrategy
  /** The value for an answer without the header. Null if there is none. */
  readonly fallback: string | null
}

/** The headers that are taken from the answers of one subgraph. */
export type CompiledResponseRules = {
  readonly headers: readonly TakenHeader[]
  /** True if cookies are among them, which are meant for one client. */
  readonly hasCookies: boolean
}

/**
 * Compiles the rules of one subgraph. A rule replaces earlier ones for the same header of the answer. Returns
 * null if no header is taken.
 */
export function compileResponseRules(rules: readonly ResponseRule[]): CompiledResponseRules | null {
  const taken = new Map<string, TakenHeader>()
  for (const rule of rules) {
    if ('remove' in rule) taken.delete(rule.remove.toLowerCase())
    // A rule of a flag sets the header, instead of the value that was handed on.
    else if ('set' in rule) taken.delete(rule.set.toLowerCase())
    if (!('propagate' in rule)) continue
    const { propagate, rename: name = propagate, strategy, default: fallback = null } = rule
    const key = answeredName(rule)
    taken.set(key, { from: headerKey(propagate), name, key, strategy, fallback })
  }
  return taken.size === 0 ? null : { headers: [...taken.values()], hasCookies: taken.has(SET_COOKIE) }
}

/** The rules of all subgraphs together. */
export type AllResponseRules = {
  /** True if headers are taken from the answer of any subgraph. */
  readonly areAny: boolean
  readonly haveCookies: boolean
  /** Names and values alternately that every answer has. */
  readonly set: readonly string[]
  /** The same for answers of the composition of a flag, by the name of the flag. */
  readonly setByFlag: ReadonlyMap<string, readonly string[]>
  /**
   * Names of the headers that answers may have because of the rules, as the rules spell them, without
   * cookies.
   */
  readonly names: readonly string[]
}

export function allResponseRules({ response, byFlag }: HeadersConfig): AllResponseRules {
  const ofFlags = [...byFlag.values()].flatMap(({ response: rules }) => rules)
  const rules = [...response.all, ...[...response.bySubgraph.values()].flat(), ...ofFlags]
  const names = new Map<string, string>()
  for (const rule of rules) {
    if ('remove' in rule) continue
    names.set(answeredName(rule), 'set' in rule ? rule.set : (rule.rename ?? rule.propagate))
  }
  const haveCookies = names.delete(SET_COOKIE)
  return {
    areAny: rules.some((rule) => 'propagate' in rule),
    haveCookies,
    set: setBy(response.all),
    setByFlag: new Map([...byFlag].map(([name, flag]) => [name, setBy([...response.all, ...flag.response])])),
    names: [...names.values()],
  }
}

/** Returns names and values alternately, each name once: of several rules for a name, the last one counts. */
function setBy(rules: readonly ResponseRule[]): readonly string[] {
  const set = new Map<string, readonly [name: string, value: string]>()
  for (const rule of rules) {
    if ('set' in rule) set.set(rule.set.toLowerCase(), [rule.set, rule.value])
    else set.delete('remove' in rule ? rule.remove.toLowerCase() : answeredName(rule))
  }
  return [...set.values()].flat()
}

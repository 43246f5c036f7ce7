/** Rules for headers of answers to clients: `headers.response`, and `response` of one subgraph. */
import { z } from 'zod'
import { isAnswerable, SET_COOKIE } from './answerable.ts'
import { HeaderName, HeaderValue } from '../../headers/header-values.ts'

/** The name of a header that a rule may put into answers. */
const AnsweredName = HeaderName.refine(
  isAnswerable,
  'this header belongs to one connection or one body, or the router decides about it (hop-by-hop, content-*, CORS, caching, x-feature-flag and the like): no rule puts it into answers',
)

const PropagateResponse = z.strictObject({
  propagate: AnsweredName,
  rename: AnsweredName.optional(),
  /** Which value is taken if several calls of subgraphs are answered with the header. */
  strategy: z.enum(['first', 'last', 'append'], 'expected first, last or append'),
  default: HeaderValue.optional(),
})
const SetResponse = z.strictObject({ set: AnsweredName, value: HeaderValue })
const RemoveResponse = z.strictObject({ remove: HeaderName })

const OF_ALL = z.union(
  [PropagateResponse, SetResponse],
  'expected {propagate: name, strategy, rename?, default?} or {set: name, value}',
)
const OF_ONE = z.union(
  [PropagateResponse, RemoveResponse],
  'expected {propagate: name, strategy, rename?, default?} or {remove: name}',
)

const OF_FLAG = z.union(
  [PropagateResponse, SetResponse, RemoveResponse],
  'expected {propagate: name, strategy, rename?, default?}, {set: name, value} or {remove: name}',
)

/** Rules for the answers of all subgraphs. */
export const ResponseRules = z.array(OF_ALL).default([])
/** Rules for the answers of one subgraph. */
export const SubgraphResponseRules = z.array(OF_ONE).default([])

/** Rules for the answers of all subgraphs, under one feature flag. */
export const FlagResponseRules = z.array(OF_FLAG).default([])

export type PropagateResponse = z.infer<typeof PropagateResponse>
export type ResponseRule = z.infer<typeof OF_ALL> | z.infer<typeof OF_ONE>
export type ResponseStrategy = PropagateResponse['strategy']

/** Lists of rules, each with its path in the settings. */
export type PlacedRules = readonly {
  readonly path: readonly string[]
  readonly rules: readonly ResponseRule[]
}[]

/**
 * Returns the problems of rules that are valid one by one, but not together. `taken` are headers that the
 * settings give a meaning.
 */
export function problemsOfResponseRules(
  lists: PlacedRules,
  taken: readonly string[],
): readonly { readonly path: readonly (string | number)[]; readonly message: string }[] {
  const placed = lists.flatMap(({ path, rules }) =>
    rules.map((rule, index) => ({ path: [...path, index], rule })),
  )
  const others = new Set(taken.map((name) => name.toLowerCase()))
  const known = new Map<string, string>()
  return placed.flatMap(({ path, rule }) => {
    if ('remove' in rule) return []
    const message = problemOf(rule, others) ?? contradiction(rule, known.get(answeredName(rule)))
    known.set(answeredName(rule), strategyOf(rule))
    return message === null ? [] : [{ path, message }]
  })
}

type Giving = Exclude<ResponseRule, { readonly remove: string }>

/** Returns the name of the header in answers, in lower case. */
export function answeredName(rule: Giving): string {
  return ('set' in rule ? rule.set : (rule.rename ?? rule.propagate)).toLowerCase()
}

function strategyOf(rule: Giving): string {
  return 'set' in rule ? 'set' : rule.strategy
}

function problemOf(rule: Giving, taken: ReadonlySet<string>): string | null {
  const name = answeredName(rule)
  if (taken.has(name)) return `the header ${name} has a meaning of the router's own: expected another one`
  if ('set' in rule)
    return name === SET_COOKIE
      ? 'one cookie for all clients would be no secret of any: expected another header'
      : null
  const isRenamed = rule.rename !== undefined && rule.rename.toLowerCase() !== rule.propagate.toLowerCase()
  if (isRenamed && [rule.propagate, rule.rename].some((each) => each?.toLowerCase() === SET_COOKIE))
    return 'cookies are handed on under their own name: expected no rename'
  return name === SET_COOKIE && rule.default !== undefined
    ? 'one cookie for all clients would be no secret of any: expected no default'
    : null
}

function contradiction(rule: Giving, known: string | undefined): string | null {
  const strategy = strategyOf(rule)
  if (known === undefined || (known === strategy && strategy !== 'set')) return null
  return known === 'set' || strategy === 'set'
    ? `another rule gives the header ${answeredName(rule)}, too: expected one that sets it, or rules that propagate it`
    : `another rule for the header ${answeredName(rule)} has the strategy ${known}: expected the same`
}

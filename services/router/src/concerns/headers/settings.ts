/**
 * The section `headers`: which headers subgraphs see of a request, and which headers clients see of the
 * answers of subgraphs.
 */
import { z } from 'zod'
import { ClaimPathSetting } from '../../settings/claim-path.ts'
import { ForwardedName, HeaderName, HeaderValue } from '../../headers/header-values.ts'
import { FlagResponseRules, ResponseRules, SubgraphResponseRules } from './response-settings.ts'
import { SECRET } from '../../settings/secret-setting.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

const NamePattern = z
  .string()
  .regex(
    /^[!#$%&'+.^_`|~0-9A-Za-z-]*\*[!#$%&'*+.^_`|~0-9A-Za-z-]*$/,
    'expected the name of an HTTP header with * for any characters, such as x-tenant-*',
  )

/** A fact about a request that is in none of its headers. */
const RequestFact = z.enum(
  ['feature_flag', 'operation_name', 'operation_type'],
  'expected feature_flag, operation_name or operation_type',
)
export type RequestFact = z.infer<typeof RequestFact>

const Propagate = z.strictObject({
  propagate: ForwardedName,
  rename: ForwardedName.optional(),
  default: HeaderValue.optional().meta(SECRET),
})
const PropagateMatching = z.strictObject({
  propagate_matching: NamePattern,
  except: z.array(HeaderName).default([]),
})
const SetValue = z.strictObject({ set: ForwardedName, value: HeaderValue.meta(SECRET) })
const SetFact = z.strictObject({ set: ForwardedName, from: RequestFact })

const SetClaim = z.strictObject({
  set: ForwardedName,
  from_claim: ClaimPathSetting,
  default: HeaderValue.optional().meta(SECRET),
  /** How lists and objects are written. */
  format: z.enum(['text', 'json'], 'expected text or json').default('text'),
})
const Remove = z.strictObject({ remove: HeaderName })

const RULE_FORMS =
  'expected {propagate: name, rename?, default?}, {propagate_matching: pattern, except?}, {set: name, value}, {set: name, from}, {set: name, from_claim, default?, format?} or {remove: name}'

/**
 * One rule. A problem with one member has a message of its own; this message is for rules that have none of
 * the forms.
 */
const HeaderRule = z.union([Propagate, PropagateMatching, SetValue, SetFact, SetClaim, Remove], RULE_FORMS)
export type HeaderRule = z.infer<typeof HeaderRule>

const HeaderRules = z.array(HeaderRule).default([])

/** Rules for headers that subgraphs see of requests, and that clients see of answers. */
export const HeadersSection = section({
  request: setting(HeaderRules, {
    says: 'header rules for all subgraphs, see [below](#headers-for-subgraphs)',
  }),
  response: setting(ResponseRules, {
    says: 'rules for [headers of answers](#headers-of-answers), from all subgraphs',
  }),
  subgraphs: setting(
    z
      .record(z.string(), z.strictObject({ request: HeaderRules, response: SubgraphResponseRules }))
      .default({}),
    { says: 'by name: `request` and `response`, header rules for one subgraph, applied after those for all' },
  ),
  flags: setting(
    z.record(z.string(), z.strictObject({ request: HeaderRules, response: FlagResponseRules })).default({}),
    {
      says: 'by name: `request` and `response`, header rules for requests that the composition of one feature flag answers; see [below](#headers-for-one-feature-flag), applied after all others',
    },
  ),
  previews: section({
    request: setting(HeaderRules, {
      says: 'header rules for the subgraphs of [previews](previews.md). No other rules apply to these, so that without any they see no header and no claim of a client',
    }),
  }),
})

export type HeadersConfig = ReturnType<typeof headersConfigOf>

/** Returns the rules by subgraph and flag. No pattern of a rule forwards the headers `never`. */
export function headersConfigOf(headers: z.output<typeof HeadersSection>, never: readonly string[]) {
  const complete = (rules: readonly HeaderRule[]): readonly HeaderRule[] =>
    rules.map((rule) =>
      'propagate_matching' in rule ? { ...rule, except: [...rule.except, ...never] } : rule,
    )
  const bySubgraph = Object.entries(headers.subgraphs)
  const byFlag = Object.entries(headers.flags)
  return {
    all: complete(headers.request),
    /** Rules for subgraphs of previews, to which no others apply. */
    previews: complete(headers.previews.request),
    bySubgraph: new Map(bySubgraph.map(([name, { request }]) => [name, complete(request)])),
    response: {
      all: headers.response,
      bySubgraph: new Map(bySubgraph.map(([name, { response }]) => [name, response])),
    },
    /** Rules that are applied after all others. */
    byFlag: new Map(
      byFlag.map(([name, { request, response }]) => [name, { request: complete(request), response }]),
    ),
  } as const
}

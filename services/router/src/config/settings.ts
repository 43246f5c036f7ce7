/**
 * The router's settings as the YAML file spells them. Strict everywhere: a setting that nothing reads is an
 * error, so that nobody believes in a protection that a typing mistake has switched off.
 */
import { booleanVariable, integerVariable } from '@switchyard/service-kit'
import { z } from 'zod'
import { traceNames } from '../headers/trace-names.ts'
import { duration, optionalSize, size } from '../settings/quantities.ts'
import { authenticationProblems } from '../authentication/setting-rules.ts'
import { AuthenticationSection } from '../authentication/settings.ts'
import { AuthorizationSection } from '../authorization/settings.ts'
import { BatchingSection } from './sections/batching-section.ts'
import { CorsSection, CsrfSection } from '../http/browser-settings.ts'
import { CostsSection, uselessClientLimits } from '../costs/settings.ts'
import { ClientIdentificationSection } from '../clients/settings.ts'
import { DocumentsSection, uselessManifestClients } from '../documents/settings.ts'
import { EngineSection } from './sections/engine-section.ts'
import { TracingSection } from '../tracing/settings.ts'
import { PlanningSection } from '../planning/settings.ts'
import { CompressionSection } from '../http/compression/settings.ts'
import { HeaderValue } from '../headers/header-values.ts'
import { type HeaderRule, HeadersSection, RequestIdSection } from '../headers/settings.ts'
import { RateLimitsSection, rateRuleProblems } from '../rates/settings.ts'
import { type PlacedRules, problemsOfResponseRules } from '../headers/response-settings.ts'
import { section } from '../settings/section.ts'
import { problemIf, refusing } from '../settings/setting-problems.ts'
import { setting } from '../settings/setting.ts'
import { SubgraphErrorsSection, SubgraphsSection } from '../subgraph/settings.ts'
import { TlsSection } from '../listen/tls-settings.ts'
import { LimitsSection, TrafficSection } from '../listen/traffic-settings.ts'

/** https://specs.apollo.dev/federation/v2.7: a letter, then letters, digits and `_-:./`. */
const OverrideLabel = z
  .string()
  .refine((label) => !label.startsWith('percent('), {
    error:
      'labels such as percent(10) are drawn for every request and cannot be named here; change the percentage in the schema',
    abort: true,
  })
  .regex(
    /^[A-Za-z][\w\-:./]*$/,
    'expected a label of @override(label:): a letter, then letters, digits and _ - : . /',
  )

const WORKERS_RULE = 'expected auto, or a whole number from 1 to 256'
const WorkerCount = z.int().min(1).max(256)
/** The number of workers, as an environment variable. */
const WorkersVariable = z.union(
  [z.literal('auto'), z.string().regex(/^\d+$/).transform(Number).pipe(WorkerCount)],
  WORKERS_RULE,
)

/** Whether the header is made from what the subgraphs say. */
export function isComputed(cacheControl: string): boolean {
  return cacheControl.trim().toLowerCase() === 'computed'
}
const NOT_COMPUTED =
  'it is for answers whose Cache-Control is computed: expected response.cache_control computed'

export const RouterSettings = section({
  host: setting(z.string().min(1).default('0.0.0.0'), {
    needsRestart: true,
    variable: { name: 'SWITCHYARD_HOST', type: z.string() },
  }),
  port: setting(z.int().min(0).max(65_535).default(4000), {
    needsRestart: true,
    variable: { name: 'SWITCHYARD_PORT', type: integerVariable(0, { min: 0, max: 65_535 }) },
  }),
  /** Number of processes that serve behind one port. 1 means only this process. */
  workers: setting(z.union([z.literal('auto'), WorkerCount], WORKERS_RULE).default(1), {
    needsRestart: true,
    variable: { name: 'SWITCHYARD_WORKERS', type: WorkersVariable },
  }),
  /** Path before `/graphql`. */
  base_path: setting(
    z
      .string()
      .regex(/^(?:\/[0-9A-Za-z._~-]+)*\/?$/, 'expected a path such as /api')
      .default('')
      .transform((path) => path.replace(/\/$/, '')),
    { needsRestart: true },
  ),
  /** Development mode, in which the parts that show the inside of the router need no token. */
  dev_mode: setting(z.boolean().default(false), {
    variable: { name: 'DEV_MODE', type: booleanVariable(false) },
  }),
  tls: TlsSection,
  introspection: section({
    enabled: z
      .union([z.boolean(), z.literal('authenticated')], 'expected true, false or authenticated')
      .default(true),
  }),
  /** A page on which people try operations, at the base path. */
  playground: section({
    enabled: z
      .union([z.boolean(), z.literal('dev_mode')], 'expected true, false or dev_mode')
      .default('dev_mode'),
  }),
  authentication: AuthenticationSection,
  authorization: AuthorizationSection,
  engine: EngineSection,
  tracing: TracingSection,
  flags: section({
    /** Whether the cookie `feature_flag` selects a composition. */
    cookie: z.boolean().default(true),
    /** Memory that compiled compositions of flags may take together, roughly. */
    max_built_size: optionalSize('1'),
    /** Whether compositions are compiled before anybody asks for them. */
    build_ahead: z.boolean().default(true),
    /** Longest time for which a starting router is not ready while no flag in use gets compiled. */
    ready_wait: duration('2m'),
  }),
  cors: CorsSection,
  csrf: CsrfSection,
  limits: LimitsSection,
  traffic: TrafficSection,
  costs: CostsSection,
  rate_limits: RateLimitsSection,
  planning: PlanningSection,
  progressive_override: section({
    active_labels: z.array(OverrideLabel).default([]),
  }),
  cache: section({ operations: size('128MiB') }),
  response: section({
    /** A value of the header, or `computed`: from what the subgraphs say. */
    cache_control: HeaderValue.default('no-store'),
    /** Maximum age of an answer if ages are computed and a schema with `@cacheControl` names none. */
    default_max_age: duration('0s'),
  }).superRefine(
    refusing(({ cache_control: value, default_max_age: age }) =>
      problemIf(!isComputed(value) && age !== 0, ['default_max_age'], NOT_COMPUTED),
    ),
  ),
  compression: CompressionSection,
  headers: HeadersSection,
  subgraphs: SubgraphsSection,
  subgraph_errors: SubgraphErrorsSection,
  config: section({
    poll_interval: setting(duration('10s'), { needsRestart: true }),
    /** Whether a config of the store is taken without a valid head that says that it is the newest. */
    accept_unconfirmed: setting(z.boolean().default(false), { needsRestart: true }),
    flag_build_wait: duration('30s'),
  }),
  request_id: RequestIdSection,
  documents: DocumentsSection,
  batching: BatchingSection,
  client_identification: ClientIdentificationSection,
  access_log: section({ enabled: z.boolean().default(true) }),
  /** Interval at which this file is read again. */
  settings: setting(
    section({
      reload_interval: duration('10s').refine((interval) => interval > 0, 'expected at least 1ms'),
    }),
    { needsRestart: true },
  ),
  shutdown: section({
    /**
     * Time for load balancers to notice that the router is not ready any more, before it refuses requests.
     */
    pre_stop_delay: duration('0s'),
    drain_timeout: duration('30s'),
  }),
}).superRefine((settings, context) => {
  const problems = [
    ...authenticationProblems(settings),
    ...rateRuleProblems(settings),
    ...uselessClientLimits(settings),
    ...uselessManifestClients(settings),
  ]
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path: [...path], message })
  const { headers, tracing, request_id: requestId } = settings
  const { tokenHeader, tokenHeaderKey } = traceNames(tracing.vendor)
  if (
    Object.values(traceNames(tracing.vendor)).some(
      (name) => name.toLowerCase() === requestId.header.toLowerCase(),
    )
  ) {
    const message = `the header ${requestId.header} belongs to traces: expected another one`
    context.addIssue({ code: 'custom', path: ['request_id', 'header'], message })
  }
  const refuseToken = (rules: readonly HeaderRule[], path: readonly string[]) => {
    for (const [index, rule] of rules.entries()) {
      if (!namesOf(rule).some((name) => name.toLowerCase() === tokenHeaderKey)) continue
      const message = `the header ${tokenHeader} is never forwarded: whoever has it gets traces of this router`
      context.addIssue({ code: 'custom', path: [...path, index], message })
    }
  }
  refuseToken(headers.request, ['headers', 'request'])
  for (const [name, { request }] of Object.entries(headers.subgraphs))
    refuseToken(request, ['headers', 'subgraphs', name, 'request'])
  for (const [name, { request }] of Object.entries(headers.flags))
    refuseToken(request, ['headers', 'flags', name, 'request'])
  for (const lists of responseRulesOf(headers)) {
    for (const problem of problemsOfResponseRules(lists, [requestId.header, tokenHeader]))
      context.addIssue({ code: 'custom', ...problem, path: [...problem.path] })
  }
})
/** Those that may meet in one answer. Rules of a flag replace others, so that each flag is by itself. */
function responseRulesOf(headers: z.infer<typeof HeadersSection>): readonly PlacedRules[] {
  const placed = (section: 'subgraphs' | 'flags') =>
    Object.entries(headers[section]).map(([name, { response: rules }]) => ({
      path: ['headers', section, name, 'response'],
      rules,
    }))
  const general = [{ path: ['headers', 'response'], rules: headers.response }, ...placed('subgraphs')]
  return [general, ...placed('flags').map((list) => [list])]
}

/** Headers that a rule names, of the client's request and of those to subgraphs. */
function namesOf(rule: HeaderRule): readonly string[] {
  if ('propagate' in rule) return [rule.propagate, ...(rule.rename === undefined ? [] : [rule.rename])]
  return 'set' in rule ? [rule.set] : []
}

export type RouterSettings = z.infer<typeof RouterSettings>

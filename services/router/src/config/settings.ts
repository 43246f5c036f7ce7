/**
 * The router's settings as the YAML file spells them. Strict everywhere: a setting that nothing reads is an
 * error, so that nobody believes in a protection that a typing mistake has switched off.
 */
import { booleanVariable, integerVariable } from '@switchyard/service-kit'
import { z } from 'zod'
import { duration, optionalSize, size } from '../settings/quantities.ts'
import { CONCERN_SECTIONS, concernProblems } from '../concerns/index.ts'
import { ProgressiveOverrideSection } from '../concerns/override-labels/settings.ts'
import { PROBE_SETTINGS } from '../concerns/probe/settings.ts'
import { DEFER_SETTINGS } from '../incremental/settings.ts'
import { TRACE_SWITCHES, TracingSection } from '../tracing/settings.ts'
import { PlanningSection } from '../planning/settings.ts'
import { requestIdProblems, RequestIdSection } from '../http/request-id-settings.ts'
import { section } from '../settings/section.ts'
import { refusing } from '../settings/setting-problems.ts'
import { setting } from '../settings/setting.ts'
import { SubgraphErrorsSection, SubgraphsSection } from '../call/settings.ts'
import { TlsSection } from '../listen/tls-settings.ts'
import { LimitsSection, TrafficSection } from '../listen/traffic-settings.ts'

const WORKERS_RULE = 'expected auto, or a whole number from 1 to 256'
const WorkerCount = z.int().min(1).max(256)
/** The number of workers, as an environment variable. */
const WorkersVariable = z.union(
  [z.literal('auto'), z.string().regex(/^\d+$/).transform(Number).pipe(WorkerCount)],
  WORKERS_RULE,
)

export const RouterSettings = section({
  host: setting(z.string().min(1).default('0.0.0.0'), {
    says: 'address to listen on',
    needsRestart: true,
    variable: { name: 'SWITCHYARD_HOST', type: z.string() },
  }),
  port: setting(z.int().min(0).max(65_535).default(4000), {
    says: '0: any free one',
    needsRestart: true,
    variable: { name: 'SWITCHYARD_PORT', type: integerVariable(0, { min: 0, max: 65_535 }) },
  }),
  workers: setting(z.union([z.literal('auto'), WorkerCount], WORKERS_RULE).default(1), {
    says: 'processes that serve, behind one port: 1 to 256, or `auto`, one for each processor that the router may use. See [several workers](#several-workers)',
    needsRestart: true,
    variable: { name: 'SWITCHYARD_WORKERS', type: WorkersVariable },
  }),
  base_path: setting(
    z
      .string()
      .regex(/^(?:\/[0-9A-Za-z._~-]+)*\/?$/, 'expected a path such as /api')
      .default('')
      .transform((path) => path.replace(/\/$/, '')),
    { says: 'path in front of `/graphql`, such as `/api`', needsRestart: true },
  ),
  dev_mode: setting(z.boolean().default(false), {
    says: 'true: for development. Everybody who reaches the router may then use what shows its internals, such as traces or the probe of deferred answers, without a token; a warning at the start says so',
    variable: { name: 'DEV_MODE', type: booleanVariable(false) },
  }),
  tls: TlsSection,
  engine: section({ ...DEFER_SETTINGS, ...PROBE_SETTINGS, ...TRACE_SWITCHES }),
  tracing: TracingSection,
  ...CONCERN_SECTIONS,
  flags: section({
    cookie: setting(z.boolean().default(true), {
      says: 'whether the cookie `feature_flag` selects a composition, like the header `X-Feature-Flag`',
    }),
    max_built_size: setting(optionalSize('1'), {
      fallback: 'half of the heap that the process may have, or of its share of the memory if that is less',
      says: 'memory that compiled compositions of flags may use together, beside the base, by estimate; the least recently used ones are removed, and the most recently used one always stays. If not all fit, `flags.memory-too-small` in the log says what would suffice, see [below](#when-flags-are-compiled)',
    }),
    build_ahead: setting(z.boolean().default(true), {
      says: 'false: compositions of flags that are not in use are compiled by the first request that names them, and not before. Takes less memory, and these requests take longer',
    }),
    ready_wait: setting(duration('2m'), {
      says: 'how long a starting router stays not ready while none of the flags in use gets compiled',
    }),
  }),
  limits: LimitsSection,
  traffic: TrafficSection,
  planning: PlanningSection,
  progressive_override: ProgressiveOverrideSection,
  cache: section({
    operations: setting(size('128MiB'), {
      says: 'memory for validated documents, their plans and introspections, of all compositions together; an estimate that is right within a third, see [how much memory a router takes](#how-much-memory-a-router-takes)',
    }),
  }),
  subgraphs: SubgraphsSection,
  subgraph_errors: SubgraphErrorsSection,
  config: section({
    poll_interval: setting(duration('10s'), {
      says: 'between looks at the config store, beside notices',
      needsRestart: true,
    }),
    accept_unconfirmed: setting(z.boolean().default(false), {
      says: 'true: a router that knows nothing newer takes what the config store has, although no valid head says [that it is the newest](architecture.md#which-manifest-is-the-newest). For the time in which config-distribution cannot run: **whoever can write the store can bring back an old composition and retired trace keys**',
      needsRestart: true,
    }),
    flag_build_wait: setting(duration('30s'), {
      says: 'how long a request waits for the composition of its flag, if that is not compiled yet; then it gets 503 with `FLAG_NOT_BUILT_YET`',
    }),
  }),
  request_id: RequestIdSection,
  access_log: section({
    enabled: setting(z.boolean().default(true), {
      says: 'one log line per request, written [together with others](log-events.md) within a tenth of a second',
    }),
  }),
  /** Interval at which this file is read again. */
  settings: setting(
    section({
      reload_interval: setting(
        duration('10s').refine((interval) => interval > 0, 'expected at least 1ms'),
        {
          says: 'how often this file is checked: a changed file is used [without a restart](#settings-that-change-while-a-router-runs)',
        },
      ),
    }),
    { needsRestart: true },
  ),
  shutdown: section({
    pre_stop_delay: setting(duration('0s'), {
      says: 'how long a stopping router still answers requests while `/health/ready` already says that it is not ready, so that load balancers stop using it first; see [below](#stopping-and-signals)',
    }),
    drain_timeout: setting(duration('30s'), {
      says: 'time for requests in progress to finish when the router stops, after that delay',
    }),
  }),
}).superRefine(refusing((settings) => [...concernProblems(settings), ...requestIdProblems(settings)]))
export type RouterSettings = z.infer<typeof RouterSettings>

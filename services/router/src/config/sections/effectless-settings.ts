/** Settings that fit no others, so that they would have no effect. Whoever wrote them believes in them. */
import { CLIENT_NAMES_UNKNOWN, NO_TOKENS } from '../../settings/rule-messages.ts'

type Path = readonly (string | number)[]
type Problem = { readonly path: Path; readonly message: string }

/** Limits in milliseconds. There is no such limit if one is absent. */
type CallTimes = {
  readonly timeout?: number | undefined
  readonly first_byte_timeout?: number | undefined
  readonly idle_timeout?: number | undefined
}
type Backoff = { readonly backoff?: number | undefined; readonly max_backoff?: number | undefined }
type Hedge = { readonly enabled?: boolean | undefined; readonly after?: number | undefined }
type OneSubgraph = CallTimes & {
  readonly hedge?: Hedge | undefined
  readonly retry?: Backoff | undefined
  readonly max_calls?: number | undefined
  readonly max_waiting_calls?: number | undefined
  readonly max_rate?: number | undefined
  readonly urls?: readonly string[] | undefined
}

type Settings = {
  readonly authentication: { readonly jwt: { readonly providers: readonly object[] } }
  readonly client_identification: {
    readonly name_headers: readonly string[]
    readonly counted_names: readonly string[]
  }
  readonly cors: {
    readonly origins: readonly string[]
    readonly credentials: boolean
    readonly allow_headers: readonly string[]
  }
  readonly costs: {
    readonly mode: string
    readonly max?: number | undefined
    readonly subgraphs: Readonly<Record<string, object>>
    readonly clients: Readonly<Record<string, object>>
  }
  readonly documents: { readonly manifests: readonly { readonly clients?: readonly string[] | undefined }[] }
  readonly rate_limits: {
    readonly redis?: object | undefined
    readonly rules: readonly { readonly key: readonly (string | object)[] }[]
  }
  readonly response: { readonly cache_control: string; readonly default_max_age: number }
  readonly subgraphs: CallTimes & {
    readonly timeout: number
    readonly hedge: Required<Hedge>
    readonly retry: Backoff
    readonly max_calls?: number | undefined
    readonly health_check: { readonly enabled: boolean }
    readonly overrides: Readonly<Record<string, OneSubgraph>>
  }
}

/** Names the settings that would have no effect. */
export function effectlessSettings(settings: Settings): readonly Problem[] {
  return [
    ...callTimes(settings),
    ...hedges(settings),
    ...healthChecks(settings),
    ...backoffs(settings),
    ...lines(settings),
    ...lifetimes(settings),
    ...limits(settings),
    ...ofOrigins(settings),
    ...(settings.authentication.jwt.providers.length === 0 ? ofClaims(settings) : []),
    ...(settings.client_identification.name_headers.length === 0 ? ofClientNames(settings) : []),
  ]
}

function callTimes({ subgraphs }: Settings): readonly Problem[] {
  const among = (times: CallTimes, timeout: number, path: Path): readonly Problem[] =>
    (['first_byte_timeout', 'idle_timeout'] as const).flatMap((name) => {
      const message = `expected less than the time limit of the whole call, which is ${timeout}ms`
      const limit = times[name]
      return limit === undefined || limit < timeout ? [] : [{ path: [...path, name], message }]
    })
  return [
    ...among(subgraphs, subgraphs.timeout, ['subgraphs']),
    ...Object.entries(subgraphs.overrides).flatMap(([name, own]) =>
      among(own, own.timeout ?? subgraphs.timeout, ['subgraphs', 'overrides', name]),
    ),
  ]
}

/**
 * Finds hedged requests that never happen because calls end first. A subgraph of its own is checked only
 * where the settings name hedged requests for it.
 */
function hedges({ subgraphs }: Settings): readonly Problem[] {
  const among = ({ enabled, after }: Required<Hedge>, times: Required<CallTimes>, path: Path) => {
    const { timeout = 0, first_byte_timeout: firstByte = timeout } = times
    const least = Math.min(timeout, firstByte)
    if (enabled !== true || (after ?? 0) < least) return []
    const message = `calls end after ${least}ms, so a second one would never be made: expected less than that`
    return [{ path: [...path, 'hedge', 'after'], message }]
  }
  const { timeout, first_byte_timeout, idle_timeout, hedge } = subgraphs
  const times = { timeout, first_byte_timeout, idle_timeout }
  return [
    ...among(hedge, times, ['subgraphs']),
    ...Object.entries(subgraphs.overrides).flatMap(([name, own]) => {
      if (own.hedge === undefined) return []
      const { enabled = hedge.enabled, after = hedge.after } = own.hedge
      const ownTimes = {
        timeout: own.timeout ?? timeout,
        first_byte_timeout: own.first_byte_timeout ?? first_byte_timeout,
        idle_timeout,
      }
      return among({ enabled, after }, ownTimes, ['subgraphs', 'overrides', name])
    }),
  ]
}

function healthChecks({ subgraphs: { health_check: check, overrides } }: Settings): readonly Problem[] {
  if (!check.enabled || Object.values(overrides).some(({ urls = [] }) => urls.length > 1)) return []
  const message =
    'only subgraphs with several addresses are asked if they are well: expected some in subgraphs.overrides.<name>.urls'
  return [{ path: ['subgraphs', 'health_check', 'enabled'], message }]
}

function backoffs({ subgraphs: { retry, overrides } }: Settings): readonly Problem[] {
  const among = ({ backoff = 0, max_backoff: most = 0 }: Backoff, path: Path): readonly Problem[] => {
    const message = `expected at most max_backoff, which is ${most}ms: no time between retries is longer`
    return backoff <= most ? [] : [{ path: [...path, 'retry', 'backoff'], message }]
  }
  return [
    ...among(retry, ['subgraphs']),
    ...Object.entries(overrides).flatMap(([name, { retry: own }]) => {
      if (own === undefined) return []
      const { backoff = retry.backoff, max_backoff = retry.max_backoff } = own
      return among({ backoff, max_backoff }, ['subgraphs', 'overrides', name])
    }),
  ]
}

/** Names the lengths of lines in which no call would wait. */
function lines({ subgraphs: { max_calls: all, overrides } }: Settings): readonly Problem[] {
  const message = 'calls wait only where their number is limited: expected max_calls or max_rate'
  return Object.entries(overrides).flatMap(([name, own]) =>
    own.max_waiting_calls === undefined || (own.max_calls ?? all ?? own.max_rate) !== undefined
      ? []
      : [{ path: ['subgraphs', 'overrides', name, 'max_waiting_calls'], message }],
  )
}

function limits({ costs, rate_limits: { redis, rules } }: Settings): readonly Problem[] {
  const { mode, max, subgraphs, clients } = costs
  const isLimited = max !== undefined || Object.keys({ ...subgraphs, ...clients }).length > 0
  const unenforced = 'it is off, so these limits limit nothing: expected measure or enforce, or no limits'
  const unused = 'there is nothing to count in it: expected a rule in rate_limits.rules'
  return [
    ...(mode === 'off' && isLimited ? [{ path: ['costs', 'mode'], message: unenforced }] : []),
    ...(redis !== undefined && rules.length === 0
      ? [{ path: ['rate_limits', 'redis'], message: unused }]
      : []),
  ]
}

function ofOrigins({ cors }: Settings): readonly Problem[] {
  if (cors.origins.length > 0) return []
  const message = 'no page of another origin may call the router: expected some in cors.origins'
  return [
    ...(cors.credentials ? [{ path: ['cors', 'credentials'], message }] : []),
    ...(cors.allow_headers.length > 0 ? [{ path: ['cors', 'allow_headers'], message }] : []),
  ]
}

function lifetimes({ response }: Settings): readonly Problem[] {
  const isComputed = response.cache_control.trim().toLowerCase() === 'computed'
  if (isComputed || response.default_max_age === 0) return []
  const message =
    'it is for answers whose Cache-Control is computed: expected response.cache_control computed'
  return [{ path: ['response', 'default_max_age'], message }]
}

function ofClaims({ rate_limits: { rules } }: Settings): readonly Problem[] {
  const isClaim = (part: string | object) => typeof part === 'object' && 'claim' in part
  return rules.flatMap(({ key }, index) =>
    key.some(isClaim) ? [{ path: ['rate_limits', 'rules', index, 'key'], message: NO_TOKENS }] : [],
  )
}

function ofClientNames({
  client_identification: clients,
  costs,
  documents,
  rate_limits: { rules },
}: Settings): readonly Problem[] {
  const paths: Path[] = [
    ...(clients.counted_names.length > 0 ? [['client_identification', 'counted_names']] : []),
    ...Object.keys(costs.clients).map((name) => ['costs', 'clients', name]),
    ...documents.manifests.flatMap(({ clients: names }, index) =>
      names === undefined ? [] : [['documents', 'manifests', index, 'clients']],
    ),
    ...rules.flatMap(({ key }, index) =>
      key.includes('client') ? [['rate_limits', 'rules', index, 'key']] : [],
    ),
  ]
  return paths.map((path) => ({ path, message: CLIENT_NAMES_UNKNOWN }))
}

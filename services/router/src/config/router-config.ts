/**
 * What a router is told, as typed values: defaults, then the YAML settings file, then the environment.
 *
 * Where manifests come from is not part of it: that is handed to `startRouter` as sources.
 */
import { dirname, resolve } from 'node:path'
import type { Environment } from '@switchyard/service-kit'
import { camelCased } from '../settings/camel-cased.ts'
import { type EffectiveSettings, effectiveSettings, type SettingsInput } from './effective-settings.ts'
import type { SettingsFile } from './read-settings.ts'
import { Secret } from '../settings/secret.ts'
import type { HeaderRule } from '../headers/settings.ts'
import type { RedisSettings } from '../settings/redis-settings.ts'
import type { ResponseRule } from '../headers/response-settings.ts'
import { headerKey } from '../headers/header-key.ts'
import { traceNames } from '../headers/trace-names.ts'
import { SERVICE_NETWORKS } from '../addresses/allowed-networks.ts'

export { RouterConfigError } from '../settings/config-error.ts'
export type { SettingsFile } from './read-settings.ts'
export type { HeaderRule, ResponseRule }
export { LOCAL_NETWORKS } from '../addresses/allowed-networks.ts'

/** Times in milliseconds, sizes in bytes. What each setting means is said where settings.ts declares it. */
export type RouterConfig = ReturnType<typeof routerConfigOf>

/** Files of the certificate that clients are shown, as paths from the working directory. */
export type TlsConfig = NonNullable<RouterConfig['tls']>
/** Traces of single requests, for whoever may ask for one. Names of headers are in lower case. */
export type TracingConfig = RouterConfig['tracing']
export type RequestIdConfig = RouterConfig['requestId']
/** How often who may ask. */
export type RateLimitsConfig = RouterConfig['rateLimits']
/** What operations may cost. */
export type CostsConfig = RouterConfig['costs']
/** Whose tokens are taken. Names of headers are as Node.js keys them. */
export type AuthenticationConfig = NonNullable<RouterConfig['authentication']>
/** One that issues tokens. */
export type ProviderConfig = AuthenticationConfig['providers'][number]
export type PlanningConfig = RouterConfig['planning']
/**
 * Which GET requests must show that no page of another origin caused them. Names of headers are in lower
 * case.
 */
export type CsrfConfig = RouterConfig['csrf']
/** Which documents the router knows. Files are paths from the working directory. */
export type DocumentsConfig = RouterConfig['documents']
/** Answers to clients that take them compressed. */
export type CompressionConfig = NonNullable<RouterConfig['compression']>
export type SubgraphsConfig = RouterConfig['subgraphs']
/** Who may see what, by claims. Policies by name. */
export type AuthorizationConfig = RouterConfig['authorization']
/** Which failed calls of a subgraph are made again. */
export type RetryConfig = SubgraphsConfig['retry']

export type HedgeConfig = SubgraphsConfig['hedge']
/** When a subgraph is not called for a while. */
export type CircuitBreakerConfig = SubgraphsConfig['circuitBreaker']
/** With what connections to a subgraph are secured. Files are paths from the working directory. */
export type ClientTlsConfig = NonNullable<SubgraphsConfig['tls']>
/** What clients learn of the errors in answers of subgraphs. */
export type ErrorRules = SubgraphsConfig['errors']

export type RouterConfigInput = {
  readonly env?: Environment
  readonly file?: SettingsFile | null
  /** Addresses that may be called when nobody says it. Absent: public ones. */
  readonly defaultNetworks?: readonly string[]
}

/** Throws RouterConfigError for the file and EnvironmentError for the environment. */
export function loadRouterConfig(input: RouterConfigInput = {}): RouterConfig {
  const { settings } = effectiveSettings(settingsInput(input))
  return routerConfigOf(settings, input.file ?? null)
}

/** With what is taken where nothing is said. */
export function settingsInput({
  env = {},
  file = null,
  defaultNetworks = SERVICE_NETWORKS,
}: RouterConfigInput): SettingsInput {
  return { env, file, defaultNetworks }
}

/** `file`: paths of files are relative to it. */
export function routerConfigOf(settings: EffectiveSettings, file: SettingsFile | null) {
  const { engine } = settings
  return {
    host: settings.host,
    /** 0: the system chooses. */
    port: settings.port,
    workers: settings.workers,
    /** `''` or `/…` without a slash at the end. */
    basePath: settings.base_path,
    devMode: settings.dev_mode,
    /** null: without TLS. */
    tls: tlsOf(settings, file),
    introspection: settings.introspection.enabled,
    playground: settings.playground,
    /** null: nobody is asked who they are. */
    authentication: authenticationOf(settings, file),
    authorization: authorizationOf(settings),
    enableDefer: engine.enable_defer,
    deferPending: engine.defer_pending,
    deferPendingByClient: new Map(Object.entries(engine.defer_pending_by_client)),
    /** null: nobody has one. */
    deferProbeToken: engine.defer_probe_token === '' ? null : new Secret(engine.defer_probe_token),
    tracing: {
      ...camelCased(settings.tracing),
      enabled: engine.enable_request_tracing,
      forceUnauthenticated: engine.force_unauthenticated_request_tracing,
      allowedHeaders: lowerCase(settings.tracing.allowed_headers),
      requestIdHeader: settings.request_id.header.toLowerCase(),
      tokenHeaders: tokenHeadersOf(settings),
    },
    flags: { ...camelCased(settings.flags), buildWait: settings.config.flag_build_wait },
    cors: camelCased(settings.cors),
    csrf: csrfOf(settings),
    limits: limitsOf(settings),
    traffic: trafficOf(settings),
    costs: costsOf(settings),
    rateLimits: rateLimitsOf(settings, file),
    planning: camelCased(settings.planning),
    activeOverrideLabels: new Set(settings.progressive_override.active_labels),
    operationCacheSize: settings.cache.operations,
    cacheControl: cacheControlOf(settings),
    /** null: answers are sent as they are. */
    compression: compressionOf(settings),
    headers: headersOf(settings),
    subgraphs: subgraphsOf(settings, file),
    pollInterval: settings.config.poll_interval,
    acceptUnconfirmed: settings.config.accept_unconfirmed,
    warmUpOperations: settings.config.warm_up_operations,
    requestId: camelCased(settings.request_id),
    batching: camelCased(settings.batching),
    documents: documentsOf(settings, file),
    clientIdentification: camelCased(settings.client_identification),
    accessLog: settings.access_log.enabled,
    settingsReloadInterval: settings.settings.reload_interval,
    preStopDelay: settings.shutdown.pre_stop_delay,
    drainTimeout: settings.shutdown.drain_timeout,
  } as const
}

/** Paths of files are relative to the settings file. */
function authenticationOf({ authentication }: EffectiveSettings, file: SettingsFile | null) {
  const { require, jwt } = authentication
  const { providers, ...limits } = camelCased(jwt)
  if (providers.length === 0) return null
  const folder = dirname(file?.path ?? '')
  return {
    require,
    ...limits,
    providers: providers.map(({ jwks, audiences, headers, ...provider }) => ({
      ...camelCased(provider),
      jwks: jwks.map((source) =>
        'url' in source
          ? ({ kind: 'url', url: source.url } as const)
          : ({ kind: 'file', path: resolve(folder, source.file) } as const),
      ),
      /** null: any. */
      audiences: audiences === 'any' ? null : audiences,
      headers: headers.map(({ name, prefix }) => ({ name, key: headerKey(name), prefix })),
    })),
  } as const
}

/** Headers in which tokens are, in lower case. */
function tokenHeadersOf({ authentication }: EffectiveSettings): ReadonlySet<string> {
  const names = authentication.jwt.providers.flatMap(({ headers, cookies }) => [
    ...headers.map(({ name }) => name),
    ...(cookies.length > 0 ? ['cookie'] : []),
  ])
  return lowerCase(names)
}

function authorizationOf({ authorization }: EffectiveSettings) {
  return { ...camelCased(authorization), policies: new Map(Object.entries(authorization.policies)) } as const
}

function cacheControlOf({ response }: EffectiveSettings) {
  const { cache_control: value, default_max_age: defaultMaxAge } = response
  return value.trim().toLowerCase() === 'computed'
    ? ({ kind: 'computed', defaultMaxAge: defaultMaxAge / 1000 } as const)
    : ({ kind: 'set', value } as const)
}

function compressionOf({ compression }: EffectiveSettings) {
  const { enabled, ...rules } = camelCased(compression)
  return enabled ? rules : null
}

function csrfOf({ csrf }: EffectiveSettings) {
  const { guard, accepted_headers: accepted, credential_headers: credentials } = csrf
  return {
    guard,
    acceptedHeaders: accepted === 'any' ? accepted : lowerCase(accepted),
    credentialHeaders: lowerCase(credentials),
  } as const
}

/** Under the names that the engine gives them, where they are its limits. */
function limitsOf({ limits }: EffectiveSettings) {
  return {
    bodySize: limits.max_body_size,
    headerSize: limits.max_header_size,
    length: limits.max_document_length,
    tokens: limits.max_tokens,
    depth: limits.max_depth,
    aliases: limits.max_aliases,
    rootFields: limits.max_root_fields,
    fields: limits.max_fields,
    introspectionSize: limits.max_introspection_size,
    variableValues: limits.max_variable_values,
    executionSteps: limits.max_execution_steps,
  } as const
}

function rateLimitsOf({ rate_limits: limits }: EffectiveSettings, file: SettingsFile | null) {
  return {
    rules: limits.rules.map((rule) => camelCased(rule)),
    maxKeys: limits.max_keys,
    timeout: limits.timeout,
    onFailure: limits.on_failure,
    /** null: each process counts for itself. */
    redis: redisOf(limits.redis, file),
  } as const
}

/** null: there is none. */
function redisOf(redis: RedisSettings, file: SettingsFile | null) {
  if (redis === undefined) return null
  const fileAt = (path: string | undefined) => (path === undefined ? undefined : fromSettings(path, file))
  const { url, prefix, ca_file: ca, cert_file: cert, key_file: key, password_file: password } = redis
  const tls = { caFile: fileAt(ca), certFile: fileAt(cert), keyFile: fileAt(key) }
  return { prefix, settings: { url, tls, passwordFile: fileAt(password) } } as const
}

function costsOf({ costs, subgraph_errors: { show_subgraph_names: showSubgraphNames } }: EffectiveSettings) {
  const maxima = (limits: Readonly<Record<string, { readonly max: number }>>): ReadonlyMap<string, number> =>
    new Map(Object.entries(limits).map(([name, { max }]) => [name, max]))
  return {
    mode: costs.mode,
    /** null: unlimited. */
    max: costs.max ?? null,
    listSize: costs.list_size,
    refusesNullSlicing: costs.null_slicing === 'refuse',
    mutation: costs.mutation,
    maxBySubgraph: maxima(costs.subgraphs),
    maxByClient: maxima(costs.clients),
    showSubgraphNames,
  } as const
}

function trafficOf({ traffic }: EffectiveSettings) {
  const {
    maxUnansweredSize,
    maxUnansweredSizePerClient,
    maxUnsentSize,
    maxUnsentSizePerClient,
    ...asDeclared
  } = camelCased(traffic)
  return {
    ...asDeclared,
    unansweredSize: { total: maxUnansweredSize, perClient: maxUnansweredSizePerClient },
    unsentSize: { total: maxUnsentSize, perClient: maxUnsentSizePerClient },
  } as const
}

/** Among the exceptions of each pattern is what none may hand on: trace tokens, and ids of requests. */
function headersOf({ headers, tracing, request_id: requestId }: EffectiveSettings) {
  const never = [traceNames(tracing.vendor).tokenHeader, requestId.header]
  const complete = (rules: readonly HeaderRule[]): readonly HeaderRule[] =>
    rules.map((rule) =>
      'propagate_matching' in rule ? { ...rule, except: [...rule.except, ...never] } : rule,
    )
  const bySubgraph = Object.entries(headers.subgraphs).map(
    ([name, { request }]) => [name, complete(request)] as const,
  )
  const response = {
    all: headers.response,
    bySubgraph: new Map(
      Object.entries(headers.subgraphs).map(([name, { response: rules }]) => [name, rules] as const),
    ),
  } as const
  const byFlag = Object.entries(headers.flags).map(
    ([name, rules]) => [name, { request: complete(rules.request), response: rules.response }] as const,
  )
  return {
    all: complete(headers.request),
    bySubgraph: new Map(bySubgraph),
    response,
    /** Applied after all others. */
    byFlag: new Map(byFlag),
  } as const
}

function subgraphsOf({ subgraphs, subgraph_errors: errors }: EffectiveSettings, file: SettingsFile | null) {
  const {
    overrides,
    maxCalls,
    maxWaitingCalls,
    retry,
    hedge,
    circuitBreaker,
    tls,
    maxReceivingSize,
    allowedHosts,
    firstByteTimeout,
    idleTimeout,
    ...asDeclared
  } = camelCased(subgraphs)
  const phases = { firstByte: firstByteTimeout, idle: idleTimeout }
  const single = Object.entries(overrides)
  return {
    ...asDeclared,
    timeoutBySubgraph: new Map(
      single.flatMap(([name, { timeout }]) => (timeout === undefined ? [] : [[name, timeout]])),
    ),
    /** In place of the URL of the composition. */
    urlsBySubgraph: new Map<string, readonly string[]>(
      single.flatMap(([name, { urls }]) => (urls === undefined ? [] : [[name, urls]])),
    ),
    /** null: the phases of a call have no limits of their own. */
    phases: phasesOf(phases),
    phasesBySubgraph: new Map(
      single.map(([name, own]) => [
        name,
        phasesOf({
          firstByte: own.first_byte_timeout ?? phases.firstByte,
          idle: own.idle_timeout ?? phases.idle,
        }),
      ]),
    ),
    places: { maxCalls: maxCalls ?? null, maxWaiting: maxWaitingCalls },
    placesBySubgraph: new Map(
      single.map(([name, own]) => [
        name,
        {
          maxCalls: own.max_calls ?? maxCalls ?? null,
          maxWaiting: own.max_waiting_calls ?? maxWaitingCalls,
        },
      ]),
    ),
    retry: retryOf(retry),
    retryBySubgraph: new Map(single.map(([name, { retry: own }]) => [name, retryOf(retry, own)])),
    hedge,
    hedgeBySubgraph: new Map(single.map(([name, { hedge: own }]) => [name, hedgeOf(hedge, own)])),
    circuitBreaker: circuitBreakerOf(circuitBreaker),
    circuitBreakerBySubgraph: new Map(
      single.map(([name, { circuit_breaker: own }]) => [name, circuitBreakerOf(circuitBreaker, own)]),
    ),
    /** Unix sockets that are connected to in place of the host of the URL. */
    socketPathBySubgraph: new Map(
      single.flatMap(([name, { socket_path: path }]) => (path === undefined ? [] : [[name, path]])),
    ),
    http2BySubgraph: new Map(
      single.flatMap(([name, { http2 }]) => (http2 === undefined ? [] : [[name, http2]])),
    ),
    acceptEncodingsBySubgraph: new Map(
      single.flatMap(([name, { accept_encodings: own }]) => (own === undefined ? [] : [[name, own]])),
    ),
    tls: clientTlsOf('subgraphs.tls', tls, file),
    tlsBySubgraph: new Map(
      single.flatMap(([name, { tls: own }]) =>
        own === undefined ? [] : [[name, clientTlsOf(`subgraphs.overrides.${name}.tls`, own, file)]],
      ),
    ),
    tlsReloadInterval: tls.reload_interval,
    receivingSize: maxReceivingSize,
    /** null: hosts of any name. */
    allowedHosts: allowedHosts ?? null,
    errors: { ...camelCased(errors), allowedExtensions: new Set(errors.allowed_extensions) },
  } as const
}

/** Milliseconds; null: nothing is limited. */
function phasesOf({ firstByte, idle }: { firstByte: number | undefined; idle: number | undefined }) {
  if (firstByte === undefined && idle === undefined) return null
  return { firstByte: firstByte ?? null, idle: idle ?? null } as const
}

type RetrySettings = EffectiveSettings['subgraphs']['retry']

/** `own`: of one subgraph. */
function retryOf(
  all: RetrySettings,
  own: { readonly [Key in keyof RetrySettings]?: RetrySettings[Key] | undefined } = {},
) {
  return {
    maxRetries: own.max_retries ?? all.max_retries,
    statuses: new Set(own.statuses ?? all.statuses),
    backoff: own.backoff ?? all.backoff,
    maxBackoff: own.max_backoff ?? all.max_backoff,
    budget: own.budget ?? all.budget,
  } as const
}

type HedgeSettings = EffectiveSettings['subgraphs']['hedge']

/** `own`: of one subgraph. */
function hedgeOf(
  all: HedgeSettings,
  own: { readonly [Key in keyof HedgeSettings]?: HedgeSettings[Key] | undefined } = {},
): HedgeSettings {
  return {
    enabled: own.enabled ?? all.enabled,
    after: own.after ?? all.after,
    budget: own.budget ?? all.budget,
  }
}

type CircuitBreakerSettings = EffectiveSettings['subgraphs']['circuit_breaker']

/** `own`: of one subgraph. */
function circuitBreakerOf(
  all: CircuitBreakerSettings,
  own: { readonly [Key in keyof CircuitBreakerSettings]?: CircuitBreakerSettings[Key] | undefined } = {},
) {
  return {
    enabled: own.enabled ?? all.enabled,
    failureRate: own.failure_rate ?? all.failure_rate,
    minCalls: own.min_calls ?? all.min_calls,
    window: own.window ?? all.window,
    openFor: own.open_for ?? all.open_for,
    probes: own.probes ?? all.probes,
  } as const
}

type ClientTlsSettings = Partial<EffectiveSettings['subgraphs']['tls']>

/**
 * `section`: where they stand in the settings. Null: connections are secured as Node.js does it by itself.
 */
function clientTlsOf(section: string, settings: ClientTlsSettings, file: SettingsFile | null) {
  const { ca_file: caFile, server_name: serverName = null } = settings
  const keyPair = keyPairOf(camelCased(settings), file)
  if (caFile === undefined && keyPair === null && serverName === null) return null
  return {
    section,
    /** null: the authorities that Node.js knows. */
    caFile: caFile === undefined ? null : fromSettings(caFile, file),
    /** null: the router does not say who it is. */
    keyPair,
    /** null: the host of the URL. */
    serverName,
  } as const
}

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

function documentsOf({ documents }: EffectiveSettings, file: SettingsFile | null) {
  const { manifests, apq, ...asDeclared } = camelCased(documents)
  return {
    ...asDeclared,
    apq: {
      enabled: apq.enabled,
      maxSize: apq.max_size,
      timeout: apq.timeout,
      keptFor: apq.kept_for,
      /** null: each process knows those that it was sent. */
      redis: redisOf(apq.redis, file),
    },
    manifests: manifests.map((manifest) => ({ ...manifest, file: fromSettings(manifest.file, file) })),
    /** Who asks decides what the answer is. */
    isByClient: documents.published || manifests.some(({ clients }) => clients !== undefined),
  } as const
}

function tlsOf({ tls }: EffectiveSettings, file: SettingsFile | null) {
  const { reloadInterval, ...files } = camelCased(tls)
  const keyPair = keyPairOf(files, file)
  return keyPair === null ? null : ({ ...keyPair, reloadInterval } as const)
}

function keyPairOf(
  { certFile, keyFile }: { readonly certFile?: string | undefined; readonly keyFile?: string | undefined },
  file: SettingsFile | null,
) {
  if (certFile === undefined || keyFile === undefined) return null
  return { certFile: fromSettings(certFile, file), keyFile: fromSettings(keyFile, file) } as const
}

/** Paths of files are relative to the settings file. */
function fromSettings(path: string, file: SettingsFile | null): string {
  return resolve(dirname(file?.path ?? ''), path)
}

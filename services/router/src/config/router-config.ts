/**
 * What a router is told, as typed values: defaults, then the YAML settings file, then the environment.
 *
 * Where manifests come from is not part of it: that is handed to `startRouter` as sources.
 */
import { dirname, resolve } from 'node:path'
import { booleanVariable, type Environment, integerVariable, parseEnvironment } from '@switchyard/service-kit'
import { ProbeToken } from '@switchyard/contracts'
import { z } from 'zod'
import { availableProcessors } from './available-processors.ts'
import { camelCased } from './camel-cased.ts'
import { processMemory } from './process-memory.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import { Secret } from './secret.ts'
import {
  AllowedNetworksSetting,
  CsrfGuard,
  DeferPending,
  type RouterSettings,
  TrustedProxyList,
  Workers,
} from './settings.ts'
import type { ByteLimits } from '../clients/byte-shares.ts'
import { SERVICE_NETWORKS } from '../addresses/allowed-networks.ts'

export { RouterConfigError } from './config-error.ts'
export type { SettingsFile } from './read-settings.ts'
export type { HeaderRule } from './settings.ts'
export { LOCAL_NETWORKS } from '../addresses/allowed-networks.ts'

const DEFAULT_HELD_SIZE = 256 * 1024 * 1024

/** Times in milliseconds, sizes in bytes. What each setting means is said where settings.ts declares it. */
export type RouterConfig = ReturnType<typeof loadRouterConfig>

/** Files of the certificate that clients are shown, as paths from the working directory. */
export type TlsConfig = NonNullable<RouterConfig['tls']>
/** Traces of single requests, for whoever may ask for one. Names of headers are in lower case. */
export type TracingConfig = RouterConfig['tracing']
export type RequestIdConfig = RouterConfig['requestId']
export type PlanningConfig = RouterConfig['planning']
/**
 * Which GET requests must show that no page of another origin caused them. Names of headers are in lower
 * case.
 */
export type CsrfConfig = RouterConfig['csrf']
export type SubgraphsConfig = RouterConfig['subgraphs']
/** What clients learn of the errors in answers of subgraphs. */
export type ErrorRules = SubgraphsConfig['errors']

export type RouterConfigInput = {
  readonly env?: Environment
  readonly file?: SettingsFile | null
  /** Addresses that may be called when nobody says it. Absent: public ones. */
  readonly defaultNetworks?: readonly string[]
}

/** Throws RouterConfigError for the file and EnvironmentError for the environment. */
export function loadRouterConfig({
  env = {},
  file = null,
  defaultNetworks = SERVICE_NETWORKS,
}: RouterConfigInput = {}) {
  const settings = readSettings(file)
  const variables = parseEnvironment(environmentOver(settings), env)
  const { SWITCHYARD_HOST, SWITCHYARD_PORT } = variables
  const probeToken = variables.ENGINE_DEFER_PROBE_TOKEN ?? settings.engine.defer_probe_token
  return {
    host: SWITCHYARD_HOST ?? settings.host,
    /** 0: the system chooses. */
    port: SWITCHYARD_PORT === UNSET ? settings.port : SWITCHYARD_PORT,
    workers: workersOf(variables.SWITCHYARD_WORKERS ?? settings.workers),
    /** `''` or `/…` without a slash at the end. */
    basePath: settings.base_path,
    devMode: variables.DEV_MODE,
    /** null: without TLS. */
    tls: tlsOf(settings, file),
    introspection: settings.introspection.enabled,
    allowUnenforcedAuthorization: settings.authorization.allow_unenforced,
    enableDefer: variables.ENGINE_ENABLE_DEFER,
    deferPending: variables.ENGINE_DEFER_PENDING ?? settings.engine.defer_pending,
    /** null: nobody has one. */
    deferProbeToken: probeToken === '' ? null : new Secret(probeToken),
    tracing: {
      ...camelCased(settings.tracing),
      enabled: variables.ENGINE_ENABLE_REQUEST_TRACING,
      forceUnauthenticated: variables.ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING,
      allowedHeaders: lowerCase(settings.tracing.allowed_headers),
      requestIdHeader: settings.request_id.header.toLowerCase(),
    },
    flags: { ...camelCased(settings.flags), buildWait: settings.config.flag_build_wait },
    cors: camelCased(settings.cors),
    csrf: csrfOf(settings, variables.CSRF_GUARD),
    limits: limitsOf(settings),
    traffic: trafficOf(settings, variables.SWITCHYARD_TRUSTED_PROXIES),
    planning: camelCased(settings.planning),
    activeOverrideLabels: new Set(settings.progressive_override.active_labels),
    operationCacheSize: settings.cache.operations,
    cacheControl: settings.response.cache_control,
    headers: headersOf(settings),
    subgraphs: subgraphsOf(settings, variables.SUBGRAPHS_ALLOWED_NETWORKS, defaultNetworks),
    pollInterval: settings.config.poll_interval,
    acceptUnconfirmed: settings.config.accept_unconfirmed,
    warmUpOperations: settings.config.warm_up_operations,
    requestId: camelCased(settings.request_id),
    accessLog: settings.access_log.enabled,
    preStopDelay: settings.shutdown.pre_stop_delay,
    drainTimeout: settings.shutdown.drain_timeout,
  } as const
}

function csrfOf({ csrf }: RouterSettings, guard: CsrfGuard) {
  const { accepted_headers: accepted, credential_headers: credentials } = csrf
  return {
    guard,
    acceptedHeaders: accepted === 'any' ? accepted : lowerCase(accepted),
    credentialHeaders: lowerCase(credentials),
  } as const
}

/** Under the names that the engine gives them, where they are its limits. */
function limitsOf({ limits }: RouterSettings) {
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

function trafficOf({ traffic }: RouterSettings, trustedProxies = traffic.trusted_proxies) {
  const {
    maxUnansweredSize,
    maxUnansweredSizePerClient,
    maxUnsentSize,
    maxUnsentSizePerClient,
    ...asDeclared
  } = camelCased(traffic)
  return {
    ...asDeclared,
    trustedProxies,
    unansweredSize: byteLimits(maxUnansweredSize, maxUnansweredSizePerClient),
    unsentSize: byteLimits(maxUnsentSize, maxUnsentSizePerClient),
  } as const
}

function headersOf({ headers }: RouterSettings) {
  const bySubgraph = Object.entries(headers.subgraphs).map(([name, { request }]) => [name, request] as const)
  return { all: headers.request, bySubgraph: new Map(bySubgraph) } as const
}

function subgraphsOf(
  { subgraphs, subgraph_errors: errors }: RouterSettings,
  networks: readonly string[] | undefined,
  defaultNetworks: readonly string[],
) {
  const { overrides, maxReceivingSize, allowedNetworks, allowedHosts, ...asDeclared } = camelCased(subgraphs)
  return {
    ...asDeclared,
    timeoutBySubgraph: new Map(Object.entries(overrides).map(([name, { timeout }]) => [name, timeout])),
    receivingSize: maxReceivingSize ?? Math.floor(byteLimits(undefined, undefined).total / 4),
    allowedNetworks: networks ?? allowedNetworks ?? defaultNetworks,
    /** null: hosts of any name. */
    allowedHosts: allowedHosts ?? null,
    errors: { ...camelCased(errors), allowedExtensions: new Set(errors.allowed_extensions) },
  } as const
}

/**
 * By default no more than an eighth of the memory that the process may have, and half of that for one client.
 */
function byteLimits(total: number | undefined, perClient: number | undefined): ByteLimits {
  const all = total ?? Math.min(DEFAULT_HELD_SIZE, Math.floor(processMemory() / 8))
  return { total: all, perClient: perClient ?? Math.floor(all / 2) }
}

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

/** Paths of files are relative to the settings file. */
function tlsOf({ tls }: RouterSettings, file: SettingsFile | null) {
  const { certFile, keyFile, reloadInterval } = camelCased(tls)
  if (certFile === undefined || keyFile === undefined) return null
  const folder = dirname(file?.path ?? '')
  return {
    certFile: resolve(folder, certFile),
    keyFile: resolve(folder, keyFile),
    reloadInterval,
  } as const
}

function workersOf(workers: number | 'auto'): number {
  return workers === 'auto' ? availableProcessors() : workers
}

const UNSET = -1

function environmentOver(settings: RouterSettings) {
  return z.object({
    SWITCHYARD_HOST: z.string().optional(),
    SWITCHYARD_PORT: integerVariable(UNSET, { min: 0, max: 65_535 }),
    SWITCHYARD_WORKERS: Workers.optional(),
    DEV_MODE: booleanVariable(settings.dev_mode),
    CSRF_GUARD: CsrfGuard.default(settings.csrf.guard),
    ENGINE_ENABLE_DEFER: booleanVariable(settings.engine.enable_defer),
    ENGINE_DEFER_PENDING: DeferPending.optional(),
    ENGINE_DEFER_PROBE_TOKEN: ProbeToken.optional(),
    ENGINE_ENABLE_REQUEST_TRACING: booleanVariable(settings.engine.enable_request_tracing),
    ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: booleanVariable(
      settings.engine.force_unauthenticated_request_tracing,
    ),
    SUBGRAPHS_ALLOWED_NETWORKS: AllowedNetworksSetting.optional(),
    SWITCHYARD_TRUSTED_PROXIES: TrustedProxyList.optional(),
  })
}

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
import { processMemory } from './process-memory.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import { Secret } from './secret.ts'
import {
  AllowedNetworks,
  CsrfGuard,
  DeferPending,
  type HeaderRule,
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

/** Times in milliseconds, sizes in bytes. */
export type RouterConfig = {
  readonly host: string
  /** 0: the system chooses. */
  readonly port: number
  /** Processes that serve; with 1 it is the one that was started. */
  readonly workers: number
  /** `''` or `/…` without a slash at the end. */
  readonly basePath: string
  /** What shows the inside of the router needs no token. */
  readonly devMode: boolean
  /** null: without TLS. */
  readonly tls: TlsConfig | null
  readonly introspection: boolean
  /** Files with directives that say who may see a field are served, although nobody enforces them. */
  readonly allowUnenforcedAuthorization: boolean
  /** Whether fragments with `@defer` are delivered later. */
  readonly enableDefer: boolean
  /** What one announcement of an answer in parts stands for. */
  readonly deferPending: DeferPending
  /** With it anybody may probe how deferred answers arrive. */
  readonly deferProbeToken: Secret | null
  readonly tracing: TracingConfig
  readonly flags: {
    readonly cookie: boolean
    readonly maxBuilt: number
    readonly maxBuiltSize: number
    readonly buildWait: number
  }
  readonly cors: CorsConfig
  readonly csrf: CsrfConfig
  readonly limits: {
    readonly bodySize: number
    readonly headerSize: number
    readonly length: number
    readonly tokens: number
    readonly depth: number
    readonly aliases: number
    readonly rootFields: number
    readonly fields: number
    readonly introspectionSize: number
    readonly variableValues: number
    readonly executionSteps: number
  }
  readonly traffic: {
    /** Addresses and networks whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: readonly string[]
    readonly maxConcurrentRequests: number
    readonly maxConnections: number
    readonly maxConnectionsPerClient: number
    readonly maxUnreadRequests: number
    readonly maxUnreadRequestsPerClient: number
    /** Of answers that clients have not read. */
    readonly unsentSize: ByteLimits
    /** Of bodies and subgraphs' answers of requests that are not answered. */
    readonly unansweredSize: ByteLimits
    readonly headersTimeout: number
    readonly requestTimeout: number
    readonly keepAliveTimeout: number
    readonly writeTimeout: number
  }
  readonly planning: PlanningConfig
  /** Labels of progressive overrides that are active for every request. */
  readonly activeOverrideLabels: ReadonlySet<string>
  readonly operationCacheSize: number
  readonly cacheControl: string
  readonly headers: {
    readonly all: readonly HeaderRule[]
    readonly bySubgraph: ReadonlyMap<string, readonly HeaderRule[]>
  }
  readonly subgraphs: SubgraphsConfig
  readonly pollInterval: number
  /** A config of the store is served although nothing says that it is the newest. */
  readonly acceptUnconfirmed: boolean
  readonly warmUpOperations: number
  readonly requestId: RequestIdConfig
  readonly accessLog: boolean
  /** For which requests are still answered when the router is not ready any more. */
  readonly preStopDelay: number
  readonly drainTimeout: number
}

export type TlsConfig = {
  readonly certFile: string
  readonly keyFile: string
  readonly reloadInterval: number
}

/** Traces of single requests, for whoever may ask for one. */
export type TracingConfig = {
  readonly enabled: boolean
  /** Nobody needs a token. */
  readonly forceUnauthenticated: boolean
  readonly vendor: string
  /** In lower case; `*`: all. */
  readonly allowedHeaders: ReadonlySet<string>
  readonly sensitiveNames: readonly string[]
  readonly maxSize: number
  /** In lower case: what differs from request to request. */
  readonly requestIdHeader: string
}

export type RequestIdConfig = {
  /** As it is spelt in answers. */
  readonly header: string
  /** A client's own id is taken. */
  readonly trustClients: boolean
}

export type PlanningConfig = {
  readonly mainThreadSteps: number
  readonly maxSteps: number
  readonly threads: number
  readonly timeLimit: number
  /** Milliseconds per second. */
  readonly budget: number
}

export type CorsConfig = {
  /** Empty: CORS is off. */
  readonly origins: readonly string[]
  readonly credentials: boolean
  /** Seconds. */
  readonly maxAge: number
  readonly allowHeaders: readonly string[]
}

/** Which GET requests must show that no page of another origin caused them. */
export type CsrfConfig = {
  /** `credentials`: those with credentials that browsers add by themselves. */
  readonly guard: CsrfGuard
  /** In lower case. `any`: every header that only code sends. */
  readonly acceptedHeaders: 'any' | ReadonlySet<string>
  /** In lower case; signs of credentials beside those that are known. */
  readonly credentialHeaders: ReadonlySet<string>
}

export type SubgraphsConfig = {
  readonly timeout: number
  readonly timeoutBySubgraph: ReadonlyMap<string, number>
  readonly connectTimeout: number
  readonly maxConnections: number
  readonly maxResponseSize: number
  /** Of all answers that are being received. */
  readonly receivingSize: number
  /** `public`, `private`, `loopback`, addresses and networks: what may be connected to. */
  readonly allowedNetworks: readonly string[]
  /** Host names, `*.domain`, addresses and networks. null: hosts of any name. */
  readonly allowedHosts: readonly string[] | null
  readonly errors: ErrorRules
}

/** What clients learn of the errors in answers of subgraphs. */
export type ErrorRules = {
  /** Extensions that clients may see. */
  readonly allowedExtensions: ReadonlySet<string>
  /** So many errors of one answer reach the client, and one more that says how many were left out. */
  readonly maxPerAnswer: number
  /** Characters of a message. */
  readonly maxMessageLength: number
  /** Characters of JSON of one extension. */
  readonly maxExtensionSize: number
}

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
}: RouterConfigInput = {}): RouterConfig {
  const settings = readSettings(file)
  const variables = parseEnvironment(environmentOver(settings), env)
  const { SWITCHYARD_HOST, SWITCHYARD_PORT } = variables
  const probeToken = variables.ENGINE_DEFER_PROBE_TOKEN ?? settings.engine.defer_probe_token
  const { limits, traffic, subgraphs } = settings
  return {
    host: SWITCHYARD_HOST ?? settings.host,
    port: SWITCHYARD_PORT === UNSET ? settings.port : SWITCHYARD_PORT,
    workers: workersOf(variables.SWITCHYARD_WORKERS ?? settings.workers),
    basePath: settings.base_path,
    devMode: variables.DEV_MODE,
    tls: tlsOf(settings, file),
    introspection: settings.introspection.enabled,
    allowUnenforcedAuthorization: settings.authorization.allow_unenforced,
    enableDefer: variables.ENGINE_ENABLE_DEFER,
    deferPending: variables.ENGINE_DEFER_PENDING ?? settings.engine.defer_pending,
    deferProbeToken: probeToken === '' ? null : new Secret(probeToken),
    tracing: {
      enabled: variables.ENGINE_ENABLE_REQUEST_TRACING,
      forceUnauthenticated: variables.ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING,
      vendor: settings.tracing.vendor,
      allowedHeaders: lowerCase(settings.tracing.allowed_headers),
      sensitiveNames: settings.tracing.sensitive_names,
      maxSize: settings.tracing.max_size,
      requestIdHeader: settings.request_id.header.toLowerCase(),
    },
    flags: {
      cookie: settings.flags.cookie,
      maxBuilt: settings.flags.max_built,
      maxBuiltSize: settings.flags.max_built_size,
      buildWait: settings.config.flag_build_wait,
    },
    cors: {
      origins: settings.cors.origins,
      credentials: settings.cors.credentials,
      maxAge: settings.cors.max_age,
      allowHeaders: settings.cors.allow_headers,
    },
    csrf: {
      guard: variables.CSRF_GUARD,
      acceptedHeaders:
        settings.csrf.accepted_headers === 'any' ? 'any' : lowerCase(settings.csrf.accepted_headers),
      credentialHeaders: lowerCase(settings.csrf.credential_headers),
    },
    limits: {
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
    },
    traffic: {
      trustedProxies: variables.SWITCHYARD_TRUSTED_PROXIES ?? traffic.trusted_proxies,
      maxConcurrentRequests: traffic.max_concurrent_requests,
      maxConnections: traffic.max_connections,
      maxConnectionsPerClient: traffic.max_connections_per_client,
      maxUnreadRequests: traffic.max_unread_requests,
      maxUnreadRequestsPerClient: traffic.max_unread_requests_per_client,
      unansweredSize: byteLimits(traffic.max_unanswered_size, traffic.max_unanswered_size_per_client),
      unsentSize: byteLimits(traffic.max_unsent_size, traffic.max_unsent_size_per_client),
      headersTimeout: traffic.headers_timeout,
      requestTimeout: traffic.request_timeout,
      keepAliveTimeout: traffic.keep_alive_timeout,
      writeTimeout: traffic.write_timeout,
    },
    planning: {
      mainThreadSteps: settings.planning.main_thread_steps,
      maxSteps: settings.planning.max_steps,
      threads: settings.planning.threads,
      timeLimit: settings.planning.time_limit,
      budget: settings.planning.budget,
    },
    activeOverrideLabels: new Set(settings.progressive_override.active_labels),
    operationCacheSize: settings.cache.operations,
    cacheControl: settings.response.cache_control,
    headers: {
      all: settings.headers.request,
      bySubgraph: new Map(
        Object.entries(settings.headers.subgraphs).map(([name, { request }]) => [name, request]),
      ),
    },
    subgraphs: {
      timeout: subgraphs.timeout,
      timeoutBySubgraph: new Map(
        Object.entries(subgraphs.overrides).map(([name, { timeout }]) => [name, timeout]),
      ),
      connectTimeout: subgraphs.connect_timeout,
      maxConnections: subgraphs.max_connections,
      maxResponseSize: subgraphs.max_response_size,
      receivingSize: subgraphs.max_receiving_size ?? Math.floor(byteLimits(undefined, undefined).total / 4),
      allowedNetworks: variables.SUBGRAPHS_ALLOWED_NETWORKS ?? subgraphs.allowed_networks ?? defaultNetworks,
      allowedHosts: subgraphs.allowed_hosts ?? null,
      errors: {
        allowedExtensions: new Set(settings.subgraph_errors.allowed_extensions),
        maxPerAnswer: settings.subgraph_errors.max_per_answer,
        maxMessageLength: settings.subgraph_errors.max_message_length,
        maxExtensionSize: settings.subgraph_errors.max_extension_size,
      },
    },
    pollInterval: settings.config.poll_interval,
    acceptUnconfirmed: settings.config.accept_unconfirmed,
    warmUpOperations: settings.config.warm_up_operations,
    requestId: { header: settings.request_id.header, trustClients: settings.request_id.trust_clients },
    accessLog: settings.access_log.enabled,
    preStopDelay: settings.shutdown.pre_stop_delay,
    drainTimeout: settings.shutdown.drain_timeout,
  }
}

/** By default no more than an eighth of the memory that the process may have, and half of that for one client. */
function byteLimits(total: number | undefined, perClient: number | undefined): ByteLimits {
  const all = total ?? Math.min(DEFAULT_HELD_SIZE, Math.floor(processMemory() / 8))
  return { total: all, perClient: perClient ?? Math.floor(all / 2) }
}

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

function tlsOf({ tls }: RouterSettings, file: SettingsFile | null): TlsConfig | null {
  if (tls.cert_file === undefined || tls.key_file === undefined) return null
  const folder = dirname(file?.path ?? '')
  return {
    certFile: resolve(folder, tls.cert_file),
    keyFile: resolve(folder, tls.key_file),
    reloadInterval: tls.reload_interval,
  }
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
    SUBGRAPHS_ALLOWED_NETWORKS: AllowedNetworks.optional(),
    SWITCHYARD_TRUSTED_PROXIES: TrustedProxyList.optional(),
  })
}

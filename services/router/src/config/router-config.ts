/**
 * The configuration of a router as typed values: defaults, then the YAML settings file, then the environment.
 *
 * The sources of manifests are not part of it: they are handed to `startRouter`.
 */
import { dirname } from 'node:path'
import type { Environment } from '@switchyard/service-kit'
import { SERVICE_NETWORKS } from '../addresses/allowed-networks.ts'
import { refuseControlPlane } from '../brokers/control-plane.ts'
import { brokersConfigOf } from '../brokers/settings.ts'
import { authenticationConfigOf, tokenHeadersOf } from '../concerns/authentication/settings.ts'
import { authorizationConfigOf } from '../concerns/authorization/settings.ts'
import { clientIdentificationConfigOf } from '../concerns/client-names/settings.ts'
import { costsConfigOf } from '../concerns/costs/settings.ts'
import { shadowConfigOf } from '../concerns/shadows/settings.ts'
import { documentsConfigOf } from '../concerns/documents/settings.ts'
import { headersConfigOf } from '../concerns/headers/settings.ts'
import { requestIdConfigOf } from '../http/request-id-settings.ts'
import { keptTraceHeaders } from '../headers/trace-names.ts'
import { corsConfigOf } from '../concerns/cors/settings.ts'
import { csrfConfigOf } from '../concerns/csrf/settings.ts'
import { cacheControlOf } from '../concerns/caching/settings.ts'
import { compressionConfigOf } from '../concerns/compression/settings.ts'
import { tlsConfigOf } from '../listen/tls-settings.ts'
import { limitsConfigOf, trafficConfigOf } from '../listen/traffic-settings.ts'
import { overrideLabelsConfigOf } from '../concerns/override-labels/settings.ts'
import { planningConfigOf } from '../planning/settings.ts'
import { rolloutsConfigOf } from '../concerns/rollouts/settings.ts'
import { rateLimitsConfigOf } from '../concerns/rates/settings.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { Secret } from '../settings/secret.ts'
import { uploadsConfigOf } from '../concerns/uploads/settings.ts'
import { subscriptionsConfigOf } from '../subscriptions/settings.ts'
import { subgraphsConfigOf } from '../call/settings.ts'
import { tracingConfigOf } from '../tracing/settings.ts'
import { type EffectiveSettings, effectiveSettings, type SettingsInput } from './effective-settings.ts'
import type { SettingsFile } from './read-settings.ts'
import type { RetiredUse } from './retired-settings.ts'

export { LOCAL_NETWORKS } from '../addresses/allowed-networks.ts'
export { RouterConfigError } from '../settings/config-error.ts'
export type { SettingsFile } from './read-settings.ts'

/** Times in milliseconds, sizes in bytes. What each setting means is said where settings.ts declares it. */
export type RouterConfig = ReturnType<typeof routerConfigOf>

export type RouterConfigInput = {
  readonly env?: Environment
  readonly file?: SettingsFile | null
  /** Networks whose addresses may be called if no setting names any. Without them: public ones. */
  readonly defaultNetworks?: readonly string[]
  /** Origins of pages that may call the router in addition to those of `cors.origins`. */
  readonly ownOrigins?: readonly string[]
}

/** Throws RouterConfigError for the file and EnvironmentError for the environment. */
export function loadRouterConfig(input: RouterConfigInput = {}): RouterConfig {
  return loadWithSettings(input).config
}

/** Returns the settings as the file spells them as well. Throws as `loadRouterConfig` does. */
export function loadWithSettings(input: RouterConfigInput) {
  const { settings, retired } = effectiveSettings(settingsInput(input))
  const config = routerConfigOf(settings, input.file ?? null, { retired, ownOrigins: input.ownOrigins })
  refuseControlPlane(config.brokers, input.env ?? {})
  return { settings, config } as const
}

/** Fills in the defaults. */
export function settingsInput({
  env = {},
  file = null,
  defaultNetworks = SERVICE_NETWORKS,
}: RouterConfigInput): SettingsInput {
  return { env, file, defaultNetworks }
}

/** Facts that stand beside the settings. */
type Beside = {
  /** Settings of earlier versions that the file still has. */
  readonly retired: readonly RetiredUse[]
  /** Origins of pages that may call the router, whatever the settings say. */
  readonly ownOrigins: readonly string[] | undefined
}

/** Paths of files are relative to the folder of `file`, or to the working directory without one. */
export function routerConfigOf(settings: EffectiveSettings, file: SettingsFile | null, beside: Beside) {
  const { authentication, engine, headers, request_id: requestId, tracing } = settings
  const folder = dirname(file?.path ?? '')
  return {
    host: settings.host,
    /** 0 lets the system choose. */
    port: settings.port,
    workers: settings.workers,
    /** `''` or `/…` without a slash at the end. */
    basePath: settings.base_path,
    devMode: settings.dev_mode,
    /** Null if the port is without TLS. */
    tls: tlsConfigOf(settings.tls, folder),
    introspection: settings.introspection.enabled,
    playground: settings.playground,
    /** Null if nobody is asked who they are. */
    authentication: authenticationConfigOf(authentication, folder),
    authorization: authorizationConfigOf(settings.authorization),
    enableDefer: engine.enable_defer,
    deferPending: engine.defer_pending,
    deferPendingByClient: new Map(Object.entries(engine.defer_pending_by_client)),
    /** Null if nobody has one. */
    deferProbeToken: engine.defer_probe_token === '' ? null : new Secret(engine.defer_probe_token),
    tracing: tracingConfigOf(tracing, {
      enabled: engine.enable_request_tracing,
      forceUnauthenticated: engine.force_unauthenticated_request_tracing,
      requestIdHeader: requestId.header,
      tokenHeaders: tokenHeadersOf(authentication),
    }),
    flags: { ...camelCased(settings.flags), buildWait: settings.config.flag_build_wait },
    cors: corsConfigOf(settings.cors, beside.ownOrigins),
    csrf: csrfConfigOf(settings.csrf),
    limits: limitsConfigOf(settings.limits),
    traffic: trafficConfigOf(settings.traffic),
    shadow: shadowConfigOf(settings.shadow),
    costs: costsConfigOf(settings.costs, settings.subgraph_errors.show_subgraph_names),
    rateLimits: rateLimitsConfigOf(settings.rate_limits, folder),
    planning: planningConfigOf(settings.planning),
    overrideLabels: overrideLabelsConfigOf(settings.progressive_override),
    operationCacheSize: settings.cache.operations,
    cacheControl: cacheControlOf(settings.response),
    /** Null if answers are sent as they are. */
    compression: compressionConfigOf(settings.compression),
    /** Codings in which clients may compress the bodies of their requests. */
    requestEncodings: settings.compression.request_encodings,
    // No pattern forwards what is for traces alone, or ids of requests, which have rules of their own.
    headers: headersConfigOf(headers, [...keptTraceHeaders(tracing.vendor), requestId.header]),
    subgraphs: subgraphsConfigOf(settings, folder),
    pollInterval: settings.config.poll_interval,
    acceptUnconfirmed: settings.config.accept_unconfirmed,
    requestId: requestIdConfigOf(requestId),
    batching: camelCased(settings.batching),
    subscriptions: subscriptionsConfigOf(settings.subscriptions),
    /** Providers of events by their names. */
    brokers: brokersConfigOf(settings.events, folder),
    /** Null if requests may have no files. */
    uploads: uploadsConfigOf(settings.uploads),
    documents: documentsConfigOf(settings.documents, folder),
    rollouts: rolloutsConfigOf(settings.rollouts),
    clientIdentification: clientIdentificationConfigOf(settings.client_identification),
    ofrep: settings.ofrep,
    previews: settings.previews,
    usage: settings.usage,
    accessLog: settings.access_log.enabled,
    settingsReloadInterval: settings.settings.reload_interval,
    preStopDelay: settings.shutdown.pre_stop_delay,
    drainTimeout: settings.shutdown.drain_timeout,
    /** Settings of earlier versions that are ignored. */
    retired: beside.retired,
  } as const
}

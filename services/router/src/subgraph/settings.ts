/** The sections `subgraphs` and `subgraph_errors`: calls of subgraphs, and what is shown of failures. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { problemOfNetwork } from '../addresses/allowed-networks.ts'
import { duration, optionalSize, requiredDuration, size } from '../settings/quantities.ts'
import { AllowedNetwork } from '../settings/allowed-networks.ts'
import {
  type CircuitBreakerConfig,
  CircuitBreakerOverride,
  CircuitBreakerSettings,
} from './circuit/settings.ts'
import {
  type ClientTlsConfig,
  clientTlsConfigOf,
  ClientTlsOverride,
  ClientTlsSettings,
} from './tls/settings.ts'
import { ContentCodings } from '../settings/content-codings.ts'
import { type HedgeConfig, HedgeOverride, HedgeSettings } from './hedge/settings.ts'
import { type RetryConfig, retryConfigOf, RetryOverride, RetrySettings } from './retry/settings.ts'
import { section } from '../settings/section.ts'
import { urlError } from '../settings/url-error.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { overridden } from '../settings/overrides.ts'

const HOST_NAME = /^(?:\*\.)?[0-9A-Za-z_.-]+$/
/** A host name, `*.` and a domain, an address, or a network. */
const AllowedHost = z
  .string()
  .refine(
    (text) => (isIP(text) === 0 && HOST_NAME.test(text)) || problemOfNetwork(text) === null,
    'expected a host, *.domain, an address or a network such as 10.0.0.0/8',
  )
/** `public,10.0.0.0/8`, as an environment variable. */
export const AllowedNetworksSetting = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(AllowedNetwork))

/** Bytes of the path of a Unix socket that Linux takes: `sun_path` without the NUL at its end. */
const MAX_SOCKET_PATH = 107
/** Not relative: sockets stand in the folders of the system, and not beside the settings. */
const SocketPath = z
  .string()
  .regex(/^\/.*[^/]$/, 'expected the absolute path of a Unix socket, such as /run/products.sock')
  .refine((path) => !path.includes('\0'), 'expected a path without NUL')
  .refine(
    (path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH,
    `expected at most ${MAX_SOCKET_PATH} bytes, which is what the system takes as path of a socket`,
  )

const CallCount = z.int().min(1).max(100_000)

const URL_RULE = 'expected a URL such as http://products:4001/graphql, without a name and password'
const SubgraphUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isHttp && url.username === '' && url.password === '' && url.hash === ''
}, urlError(URL_RULE))
/** At which a subgraph is called. */
const SubgraphUrls = z
  .array(SubgraphUrl)
  .min(1)
  .max(32)
  .refine(
    (urls) => new Set(urls.map((text) => URL.parse(text)?.href)).size === urls.length,
    'expected each URL once',
  )

/** What holds for one subgraph in place of what holds for all. */
const SubgraphOverride = z
  .strictObject({
    urls: SubgraphUrls.optional(),
    /** Connections are made to this Unix socket, and not to the host of the routing URL. */
    socket_path: SocketPath.optional(),
    http2: z.boolean().optional(),
    timeout: requiredDuration().optional(),
    first_byte_timeout: requiredDuration().optional(),
    idle_timeout: requiredDuration().optional(),
    max_calls: CallCount.optional(),
    max_waiting_calls: z.int().min(0).max(1_000_000).optional(),
    retry: RetryOverride.optional(),
    hedge: HedgeOverride.optional(),
    circuit_breaker: CircuitBreakerOverride.optional(),
    tls: ClientTlsOverride.optional(),
    accept_encodings: ContentCodings.optional(),
  })
  .refine(
    ({ socket_path: socketPath, urls = [] }) => socketPath === undefined || urls.length < 2,
    'socket_path is where the only address of a subgraph is: expected at most one of urls beside it',
  )
  .superRefine((override, context) => {
    if (Object.values(override).some((value) => value !== undefined)) return
    const message = 'expected a duration such as 500ms, 30s or 10m'
    context.addIssue({ code: 'custom', path: ['timeout'], message })
  })

/** Calls of subgraphs. */
export const SubgraphsSection = section({
  timeout: duration('30s'),
  connect_timeout: duration('5s'),
  /** From when a request is sent until its answer begins; absent: as long as the call may take. */
  first_byte_timeout: requiredDuration().optional(),
  /** Between two pieces of an answer; absent: as long as the call may take. */
  idle_timeout: requiredDuration().optional(),
  /** What calls subgraphs without TLS: our own client, or undici, which calls all others. */
  http_client: z.enum(['lean', 'undici']).default('lean'),
  /** With TLS agreed on by ALPN, without it by prior knowledge. */
  http2: z.boolean().default(false),
  /** Whether equal fetches of queries in flight are one call; not without `traffic.share_inflight`. */
  share_inflight: z.boolean().default(true),
  max_connections: z.int().min(1).default(64),
  /** Calls of one subgraph at a time, of one process; absent: as many as there are connections. */
  max_calls: CallCount.optional(),
  /** Further calls that wait then; beyond them they fail. */
  max_waiting_calls: z.int().min(0).max(1_000_000).default(1000),
  max_response_size: size('64MiB'),
  /** Of all answers that are being received; beyond it large ones wait. */
  max_receiving_size: optionalSize('1'),
  /**
   * `public`, `private`, `loopback`, addresses and networks. Absent: what the service that reads it thinks
   * fit.
   */
  allowed_networks: z.array(AllowedNetwork).optional(),
  /** Host names, `*.domain`, addresses and networks. Absent: hosts of any name. */
  allowed_hosts: z.array(AllowedHost).optional(),
  retry: RetrySettings,
  hedge: HedgeSettings,
  circuit_breaker: CircuitBreakerSettings,
  /** Of subgraphs with several addresses. */
  health_check: section({
    enabled: z.boolean().default(false),
    interval: duration('10s').refine((milliseconds) => milliseconds >= 100, 'expected 100ms at least'),
    timeout: duration('2s'),
  }),
  tls: ClientTlsSettings,
  /** Empty: they are not asked to compress them, and must not. */
  accept_encodings: ContentCodings.default([]),
  overrides: z.record(z.string(), SubgraphOverride).default({}),
})

/** What clients see of the errors in answers of subgraphs. */
export const SubgraphErrorsSection = section({
  /** Whether they are shown one by one, together in one error of the router, or only counted. */
  mode: z
    .enum(['pass_through', 'wrapped', 'redacted'], 'expected pass_through, wrapped or redacted')
    .default('pass_through'),
  /** Whether clients learn from errors which subgraphs there are. */
  show_subgraph_names: z.boolean().default(true),
  allowed_extensions: z.array(z.string()).default(['code']),
  max_per_answer: z.int().min(1).default(100),
  max_message_length: z.int().min(1).default(1000),
  /** Of one extension. */
  max_extension_size: size('8KiB', '1'),
})

/** How one subgraph is called. Times in milliseconds. */
export type SubgraphConfig = {
  /** Null for the URL of the composition. */
  readonly urls: readonly string[] | null
  /** The Unix socket that is connected to in place of the host of the URL, or null. */
  readonly socketPath: string | null
  readonly http2: boolean
  readonly timeout: number
  /** Limits of the phases of a call, each null if there is none. Null if no phase has one. */
  readonly phases: { readonly firstByte: number | null; readonly idle: number | null } | null
  /** `maxCalls` is null if connections alone limit the calls. */
  readonly places: { readonly maxCalls: number | null; readonly maxWaiting: number }
  readonly retry: RetryConfig
  readonly hedge: HedgeConfig
  readonly circuitBreaker: CircuitBreakerConfig
  /** Null if connections are secured as Node.js does it by itself. */
  readonly tls: ClientTlsConfig | null
  readonly acceptEncodings: z.output<typeof ContentCodings>
}

/** How all subgraphs are called, and which ones differ. */
export type SubgraphsConfig = ReturnType<typeof subgraphsConfigOf>
/** What clients learn of the errors in answers of subgraphs. */
export type ErrorRules = SubgraphsConfig['errors']

type Settings = {
  readonly subgraphs: Omit<z.output<typeof SubgraphsSection>, 'allowed_networks' | 'max_receiving_size'> & {
    readonly allowed_networks: readonly string[]
    readonly max_receiving_size: number
  }
  readonly subgraph_errors: z.output<typeof SubgraphErrorsSection>
}

/** The settings under the names that code uses. `folder` is the one that paths in them start from. */
export function subgraphsConfigOf({ subgraphs, subgraph_errors: errors }: Settings, folder: string) {
  const { overrides, tls } = subgraphs
  const bySubgraph = Object.entries(overrides).map(
    ([name, own]) => [name, overriddenConfig(subgraphs, name, own, folder)] as const,
  )
  return {
    maxConnections: subgraphs.max_connections,
    connectTimeout: subgraphs.connect_timeout,
    httpClient: subgraphs.http_client,
    shareInflight: subgraphs.share_inflight,
    maxResponseSize: subgraphs.max_response_size,
    receivingSize: subgraphs.max_receiving_size,
    allowedNetworks: subgraphs.allowed_networks,
    /** Null if hosts may have any name. */
    allowedHosts: subgraphs.allowed_hosts ?? null,
    healthCheck: subgraphs.health_check,
    tlsReloadInterval: tls.reload_interval,
    errors: { ...camelCased(errors), allowedExtensions: new Set(errors.allowed_extensions) },
    /** What holds for every subgraph that has no settings of its own. */
    all: overriddenConfig(subgraphs, null, {}, folder),
    bySubgraph: new Map<string, SubgraphConfig>(bySubgraph),
  } as const
}

/** Returns how the subgraph of this name is called. */
export function subgraphConfigOf<Config>(
  { all, bySubgraph }: { readonly all: Config; readonly bySubgraph: ReadonlyMap<string, Config> },
  name: string,
): Config {
  return bySubgraph.get(name) ?? all
}

/** The time limit of the subgraph with the shortest one, in milliseconds. */
export function shortestTimeoutOf({ all, bySubgraph }: Pick<SubgraphsConfig, 'all' | 'bySubgraph'>): number {
  return Math.min(...[all, ...bySubgraph.values()].map(({ timeout }) => timeout))
}

/** `name` is null for the settings of all subgraphs. */
function overriddenConfig(
  all: Settings['subgraphs'],
  name: string | null,
  own: z.output<typeof SubgraphOverride>,
  folder: string,
): SubgraphConfig {
  const tls =
    name === null || own.tls === undefined
      ? clientTlsConfigOf('subgraphs.tls', all.tls, folder)
      : clientTlsConfigOf(`subgraphs.overrides.${name}.tls`, own.tls, folder)
  return {
    urls: own.urls ?? null,
    socketPath: own.socket_path ?? null,
    http2: own.http2 ?? all.http2,
    timeout: own.timeout ?? all.timeout,
    phases: phasesOf(
      own.first_byte_timeout ?? all.first_byte_timeout ?? null,
      own.idle_timeout ?? all.idle_timeout ?? null,
    ),
    places: {
      maxCalls: own.max_calls ?? all.max_calls ?? null,
      maxWaiting: own.max_waiting_calls ?? all.max_waiting_calls,
    },
    retry: retryConfigOf(overridden(all.retry, own.retry)),
    hedge: overridden(all.hedge, own.hedge),
    circuitBreaker: camelCased(overridden(all.circuit_breaker, own.circuit_breaker)),
    tls,
    acceptEncodings: own.accept_encodings ?? all.accept_encodings,
  }
}

function phasesOf(firstByte: number | null, idle: number | null): SubgraphConfig['phases'] {
  return firstByte === null && idle === null ? null : { firstByte, idle }
}

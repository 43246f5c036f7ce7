/** The sections `subgraphs` and `subgraph_errors`: calls of subgraphs, and what clients see of failures. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { problemOfNetwork } from '../addresses/allowed-networks.ts'
import { duration, optionalSize, requiredDuration, size } from '../settings/quantities.ts'
import { AllowedNetwork } from '../settings/allowed-networks.ts'
import {
  type CircuitBreakerConfig,
  CircuitBreakerOverride,
  CircuitBreakerSettings,
} from './policies/circuit/settings.ts'
import {
  type ClientTlsConfig,
  clientTlsConfigOf,
  ClientTlsOverride,
  ClientTlsSettings,
} from '../transport/tls/settings.ts'
import { ContentCodings } from '../settings/content-codings.ts'
import { type HedgeConfig, HedgeOverride, HedgeSettings, uselessHedge } from './policies/hedge/settings.ts'
import {
  type RetryConfig,
  retryConfigOf,
  RetryOverride,
  RetrySettings,
  uselessBackoff,
} from './policies/retry/settings.ts'
import {
  type SubgraphSubscriptions,
  subgraphSubscriptionsOf,
  SubscriptionsOverride,
} from './subscription-settings.ts'
import type { SlotsConfig } from './policies/slots/settings.ts'
import { section } from '../settings/section.ts'
import { problemIf, problemsAt, refusing, type SettingProblem } from '../settings/setting-problems.ts'
import { setting } from '../settings/setting.ts'
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
/** A list such as `public,10.0.0.0/8`, as an environment variable. */
const AllowedNetworksVariable = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(AllowedNetwork))

/** Bytes of the path of a Unix socket that Linux takes: `sun_path` without the NUL at its end. */
const MAX_SOCKET_PATH = 107
/** The path is absolute, because sockets are in folders of the system, and not next to the settings. */
const SocketPath = z
  .string()
  .regex(/^\/.*[^/]$/, 'expected the absolute path of a Unix socket, such as /run/products.sock')
  .refine((path) => !path.includes('\0'), 'expected a path without NUL')
  .refine(
    (path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH,
    `expected at most ${MAX_SOCKET_PATH} bytes, which is what the system takes as path of a socket`,
  )

const CallCount = z.int().min(1).max(100_000)
const RATE_RULE = 'expected a number of calls a second, from 0.1 to 1000000'
const CallRate = z.number(RATE_RULE).min(0.1, RATE_RULE).max(1_000_000, RATE_RULE)

const URL_RULE = 'expected a URL such as http://products:4001/graphql, without a name and password'
const SubgraphUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isHttp && url.username === '' && url.password === '' && url.hash === ''
}, urlError(URL_RULE))
/** The URLs at which a subgraph is called. */
const SubgraphUrls = z
  .array(SubgraphUrl)
  .min(1)
  .max(32)
  .refine(
    (urls) => new Set(urls.map((text) => URL.parse(text)?.href)).size === urls.length,
    'expected each URL once',
  )

/** The settings of one subgraph, which replace those of all subgraphs. */
const SubgraphOverride = z
  .strictObject({
    urls: SubgraphUrls.optional(),
    /** The Unix socket to connect to, instead of the host of the routing URL. */
    socket_path: SocketPath.optional(),
    http2: z.boolean().optional(),
    timeout: requiredDuration().optional(),
    first_byte_timeout: requiredDuration().optional(),
    idle_timeout: requiredDuration().optional(),
    max_calls: CallCount.optional(),
    max_waiting_calls: z.int().min(0).max(1_000_000).optional(),
    /** Calls of the subgraph that a process begins in a second, with retries and hedged attempts. */
    max_rate: CallRate.optional(),
    retry: RetryOverride.optional(),
    hedge: HedgeOverride.optional(),
    circuit_breaker: CircuitBreakerOverride.optional(),
    tls: ClientTlsOverride.optional(),
    accept_encodings: ContentCodings.optional(),
    subscriptions: SubscriptionsOverride.optional(),
  })
  .refine(
    ({ socket_path: socketPath, urls = [] }) => socketPath === undefined || urls.length < 2,
    'socket_path is where the only address of a subgraph is: expected at most one of urls beside it',
  )
  .superRefine((override, context) => {
    if (Object.values(override).some((value) => value !== undefined)) return
    const message = 'it changes nothing for this subgraph: expected a setting such as timeout: 10s'
    context.addIssue({ code: 'custom', message })
  })

/** Calls of subgraphs. */
export const SubgraphsSection = section({
  timeout: setting(duration('30s'), {
    says: 'time limit for a subgraph call, from its start to the last byte of the answer',
  }),
  connect_timeout: setting(duration('5s'), { says: 'time limit for connecting to a subgraph' }),
  first_byte_timeout: setting(requiredDuration().optional(), {
    says: 'time limit from sending a request until the answer begins; see [phases of a call](#phases-of-a-call)',
  }),
  idle_timeout: setting(requiredDuration().optional(), {
    says: 'time limit between two pieces of an answer',
  }),
  http2: setting(z.boolean().default(false), {
    says: 'true: subgraphs are [called over HTTP/2](#subgraphs-over-http2), by prior knowledge where their URL begins with `http:`',
  }),
  share_inflight: setting(z.boolean().default(true), {
    says: 'whether fetches of queries that differ are one call of a subgraph where the same would be sent, [while it is in flight](#fetches-in-flight-at-the-same-time); not without `traffic.share_inflight`',
  }),
  max_connections: setting(z.int().min(1).default(64), { says: 'connections per subgraph origin' }),
  max_calls: setting(CallCount.optional(), {
    says: 'calls of one subgraph that a process makes at the same time; without this setting, as many as there are connections ([below](#subgraphs-that-can-do-only-so-much))',
  }),
  max_waiting_calls: setting(z.int().min(0).max(1_000_000).default(1000), {
    says: 'calls that may wait for one of these; if there are more, one fails with `SUBGRAPH_BUSY`',
  }),
  max_response_size: setting(size('64MiB'), { says: "size of a subgraph's answer" }),
  max_receiving_size: setting(optionalSize('1'), {
    fallback: '`64MiB`, or a 32nd of the memory of the machine or container, if that is less',
    says: "bytes of subgraphs' answers that are being received, of all calls together. Beyond it the router stops reading answers of more than 64 KiB until others have ended, but for one of each subgraph; their time limits go on",
  }),
  allowed_networks: setting(z.array(AllowedNetwork).optional(), {
    fallback:
      '`[public]` on a config store; `[public, private, loopback]` for `switchyard up` and a router that serves a file',
    says: 'addresses that may be called: `public`, `private`, `loopback`, addresses and networks, see [below](#which-addresses-subgraphs-may-have)',
    variable: { name: 'SUBGRAPHS_ALLOWED_NETWORKS', type: AllowedNetworksVariable },
  }),
  allowed_hosts: setting(z.array(AllowedHost).optional(), {
    fallback: 'all hosts',
    says: 'host names, `*.domain`, addresses and networks: the only hosts that may be called. A name does not allow an address that `subgraphs.allowed_networks` does not hold; addresses and networks listed here need not be listed there',
  }),
  retry: RetrySettings,
  hedge: HedgeSettings,
  circuit_breaker: CircuitBreakerSettings,
  /** Health checks of subgraphs with several addresses. */
  health_check: section({
    enabled: setting(z.boolean().default(false), {
      says: 'whether the router tests each address of subgraphs with [several addresses](#several-addresses-of-a-subgraph) at intervals',
    }),
    interval: setting(
      duration('10s').refine((milliseconds) => milliseconds >= 100, 'expected 100ms at least'),
      { says: 'time between two tests, at random up to a fifth less; at least 100 ms' },
    ),
    timeout: setting(duration('2s'), { says: 'time limit for the answer' }),
  }),
  tls: ClientTlsSettings,
  accept_encodings: setting(ContentCodings.default([]), {
    says: 'encodings with which subgraphs may [compress their answers](#compressed-answers-of-subgraphs): some of `zstd`, `br` and `gzip`. `[]`: answers must not be compressed',
  }),
  overrides: setting(z.record(z.string(), SubgraphOverride).default({}), {
    says: 'settings of single subgraphs, by their names. `urls` are the [addresses of one subgraph](#several-addresses-of-a-subgraph). `timeout`, `first_byte_timeout` and `idle_timeout` are the time limits of one subgraph, instead of the general ones. `max_calls`, `max_waiting_calls` and `accept_encodings` replace the general settings of these names. So do the members of `retry`, `hedge` and `circuit_breaker`, each by itself. `max_rate` limits the [calls a second](#subgraphs-that-can-do-only-so-much). `tls`, with `ca_file`, `cert_file`, `key_file` and `server_name`, is used in place of all that `subgraphs.tls` says. `socket_path` is the [Unix socket](#subgraphs-on-unix-sockets) on which the subgraph listens. `http2` is used in place of `subgraphs.http2`. `subscriptions`, with `protocol` (`graphql-transport-ws`, the default, or `sse`) and `url`, says how the router [subscribes](subscriptions.md#between-router-and-subgraph) at it',
  }),
}).superRefine(refusing((subgraphs) => uselessSettings(subgraphs)))

type Subgraphs = z.output<typeof SubgraphsSection>

/** Names the settings of all subgraphs, and of single ones, that have no effect beside the others. */
function uselessSettings(all: Subgraphs): readonly SettingProblem[] {
  const overrides = Object.entries(all.overrides)
  const hasSeveralUrls = overrides.some(([, { urls = [] }]) => urls.length > 1)
  return [
    ...uselessTimes(all, all.timeout),
    ...uselessHedge(all.hedge, all),
    ...problemIf(all.health_check.enabled && !hasSeveralUrls, ['health_check', 'enabled'], ONE_ADDRESS),
    ...uselessBackoff(all.retry),
    ...overrides.flatMap(([name, own]) => problemsAt(['overrides', name], uselessOverrides(all, own))),
  ]
}

/** A rule between two settings is applied where the settings of the subgraph name one of them. */
function uselessOverrides(all: Subgraphs, own: z.output<typeof SubgraphOverride>): readonly SettingProblem[] {
  const { timeout = all.timeout, first_byte_timeout = all.first_byte_timeout, hedge, retry } = own
  const isLimited = (own.max_calls ?? all.max_calls ?? own.max_rate) !== undefined
  return [
    ...uselessTimes(own, timeout),
    ...(hedge === undefined
      ? []
      : uselessHedge(overridden(all.hedge, hedge), { timeout, first_byte_timeout })),
    ...(retry === undefined ? [] : uselessBackoff(overridden(all.retry, retry))),
    ...problemIf(own.max_waiting_calls !== undefined && !isLimited, ['max_waiting_calls'], NEVER_WAITS),
  ]
}

/** Names the limits of phases of a call that are no shorter than the limit of the whole call. */
function uselessTimes(
  times: { readonly first_byte_timeout?: number | undefined; readonly idle_timeout?: number | undefined },
  timeout: number,
): readonly SettingProblem[] {
  const message = `expected less than the time limit of the whole call, which is ${timeout}ms`
  return (['first_byte_timeout', 'idle_timeout'] as const).flatMap((name) => {
    const limit = times[name]
    return problemIf(limit !== undefined && limit >= timeout, [name], message)
  })
}

const ONE_ADDRESS =
  'only subgraphs with several addresses are asked if they are well: expected some in subgraphs.overrides.<name>.urls'
const NEVER_WAITS = 'calls wait only where their number is limited: expected max_calls or max_rate'

/** Settings for the errors of subgraphs that clients see. */
export const SubgraphErrorsSection = section({
  mode: setting(
    z
      .enum(['pass_through', 'wrapped', 'redacted'], 'expected pass_through, wrapped or redacted')
      .default('pass_through'),
    {
      says: "how clients see the errors of subgraphs. `pass_through`: each error at its path, with its message. `wrapped`: one error of the router for each subgraph answer, `SUBGRAPH_ERRORS`, with the subgraph's errors in its extension `errors`. `redacted`: each error at its path, with its code (if `code` is an allowed extension), and nothing else that the subgraph wrote",
    },
  ),
  show_subgraph_names: setting(z.boolean().default(true), {
    says: 'false: no error that clients see names a subgraph, neither in its message nor as `serviceName`. Logs, metrics and traces still do',
  }),
  allowed_extensions: setting(z.array(z.string()).default(['code']), {
    says: 'extensions of subgraph errors that clients may see',
  }),
  max_per_answer: setting(z.int().min(1).default(100), {
    says: 'errors of one subgraph answer that clients may see; `SUBGRAPH_ERRORS_OMITTED` says how many more there were. However many are allowed, they are taken over about a hundred at a time, with other requests in between; an error that stands at 50 places of the response counts for 50. Of a call that fails as a whole, or an error about an entity, 50 places of the response are told',
  }),
  max_message_length: setting(z.int().min(1).default(1000), {
    says: "characters of a subgraph's error message that clients may see; a longer message is cut",
  }),
  max_extension_size: setting(size('8KiB', '1'), {
    says: 'JSON of one allowed extension; of a longer text clients see the beginning, and of anything else that it was left out, as they do of what nests deeper than 100 levels',
  }),
})

/** The settings for calls of one subgraph; times are in milliseconds. */
export type SubgraphConfig = {
  /** Null if the URL of the composition is used. */
  readonly urls: readonly string[] | null
  /** The Unix socket to connect to, instead of the host of the URL. Null if there is none. */
  readonly socketPath: string | null
  readonly http2: boolean
  readonly timeout: number
  /** Limits of the phases of a call, each null if there is none. Null if no phase has one. */
  readonly phases: { readonly firstByte: number | null; readonly idle: number | null } | null
  readonly slots: SlotsConfig
  readonly retry: RetryConfig
  readonly hedge: HedgeConfig
  readonly circuitBreaker: CircuitBreakerConfig
  /** Null if Node.js' defaults secure the connections. */
  readonly tls: ClientTlsConfig | null
  readonly acceptEncodings: z.output<typeof ContentCodings>
  readonly subscriptions: SubgraphSubscriptions
}

/** The settings for calls of all subgraphs, and of those that differ. */
export type SubgraphsConfig = ReturnType<typeof subgraphsConfigOf>
/** The rules for the errors of subgraphs that clients see. */
export type ErrorRules = SubgraphsConfig['errors']

type Settings = {
  readonly subgraphs: Omit<z.output<typeof SubgraphsSection>, 'allowed_networks' | 'max_receiving_size'> & {
    readonly allowed_networks: readonly string[]
    readonly max_receiving_size: number
  }
  readonly subgraph_errors: z.output<typeof SubgraphErrorsSection>
}

/** Returns the settings under the names that code uses. `folder` is the one that paths in them start from. */
export function subgraphsConfigOf({ subgraphs, subgraph_errors: errors }: Settings, folder: string) {
  const { overrides, tls } = subgraphs
  const bySubgraph = Object.entries(overrides).map(
    ([name, own]) => [name, overriddenConfig(subgraphs, name, own, folder)] as const,
  )
  return {
    maxConnections: subgraphs.max_connections,
    connectTimeout: subgraphs.connect_timeout,
    shareInflight: subgraphs.share_inflight,
    maxResponseSize: subgraphs.max_response_size,
    receivingSize: subgraphs.max_receiving_size,
    allowedNetworks: subgraphs.allowed_networks,
    /** Null if hosts may have any name. */
    allowedHosts: subgraphs.allowed_hosts ?? null,
    healthCheck: subgraphs.health_check,
    tlsReloadInterval: tls.reload_interval,
    errors: { ...camelCased(errors), allowedExtensions: new Set(errors.allowed_extensions) },
    /** The settings of every subgraph that has none of its own. */
    all: overriddenConfig(subgraphs, null, {}, folder),
    bySubgraph: new Map<string, SubgraphConfig>(bySubgraph),
  } as const
}

/** Returns the time limit of the subgraph with the shortest one, in milliseconds. */
export function shortestTimeoutOf({ all, bySubgraph }: Pick<SubgraphsConfig, 'all' | 'bySubgraph'>): number {
  return Math.min(...[all, ...bySubgraph.values()].map(({ timeout }) => timeout))
}

/** Returns the settings of one subgraph. `name` is null for the settings of all subgraphs. */
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
    slots: {
      maxCalls: own.max_calls ?? all.max_calls ?? null,
      maxWaiting: own.max_waiting_calls ?? all.max_waiting_calls,
      maxRate: own.max_rate ?? null,
    },
    retry: retryConfigOf(overridden(all.retry, own.retry)),
    hedge: overridden(all.hedge, own.hedge),
    circuitBreaker: camelCased(overridden(all.circuit_breaker, own.circuit_breaker)),
    tls,
    acceptEncodings: own.accept_encodings ?? all.accept_encodings,
    subscriptions: subgraphSubscriptionsOf(own.subscriptions),
  }
}

function phasesOf(firstByte: number | null, idle: number | null): SubgraphConfig['phases'] {
  return firstByte === null && idle === null ? null : { firstByte, idle }
}

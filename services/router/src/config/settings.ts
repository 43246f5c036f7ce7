/**
 * The router's settings as the YAML file spells them. Strict everywhere: a setting that nothing reads is an
 * error, so that nobody believes in a protection that a typing mistake has switched off.
 */
import { PROBE_TOKEN_RULE, ProbeToken } from '@switchyard/contracts'
import { isNetwork } from '@switchyard/service-kit'
import { isIP } from 'node:net'
import { z } from 'zod'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import { headerOrigin } from '../headers/header-origins.ts'
import { TRACE_VENDOR, traceNames } from '../headers/trace-names.ts'
import { duration, optionalSize, requiredDuration, size } from './quantities.ts'
import { problemOfNetwork } from '../addresses/allowed-networks.ts'
import { isForwardable } from '../headers/forwardable.ts'

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What HTTP allows in a value: visible ASCII, space, tab and the upper half of latin1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const HeaderName = z.string().regex(HEADER_NAME, 'expected the name of an HTTP header')
const HeaderValue = z.string().regex(HEADER_VALUE, 'expected the value of an HTTP header')
const ForwardedName = HeaderName.refine(
  isForwardable,
  'this header belongs to one connection or one body (hop-by-hop, host, content-*, accept-encoding, trace context): the router sets it itself and never forwards it',
)

const TAKEN_HEADERS = /^x-(?:feature-flag|forwarded-.*|real-ip|switchyard-.*)$/i
/** Anything else a client, a browser or a cache may understand as something else. */
const RequestIdHeader = HeaderName.refine(
  (name) => /^x-.|-id$/i.test(name) && !TAKEN_HEADERS.test(name) && isForwardable(name),
  'expected a header for ids of requests, such as x-request-id, request-id or x-correlation-id',
)

const HeaderRule = z.union(
  [
    z.strictObject({
      propagate: ForwardedName,
      rename: ForwardedName.optional(),
      default: HeaderValue.optional(),
    }),
    z.strictObject({ set: ForwardedName, value: HeaderValue }),
  ],
  {
    error: (issue) => {
      const input = issue.input
      const name =
        typeof input === 'object' && input !== null
          ? Object.values(input).find((value) => typeof value === 'string' && !isForwardable(value))
          : undefined
      return name === undefined
        ? 'expected {propagate: name, rename?, default?} or {set: name, value}'
        : `the header ${String(name)} is never forwarded: it belongs to one connection or one body`
    },
  },
)
export type HeaderRule = z.infer<typeof HeaderRule>

const HeaderRules = z.array(HeaderRule).default([])

/** What one announcement of an answer in parts stands for. */
export const DeferPending = z.enum(['fragment', 'item'], 'expected fragment or item')
export type DeferPending = z.infer<typeof DeferPending>

const Network = z
  .string()
  .refine(isNetwork, 'expected an address or a network, such as 192.0.2.7 or 10.0.0.0/8')

const ORIGIN = /^(?:\*|https?:\/\/[^/?#@\s]+)$/i
const HOST_NAME = /^(?:\*\.)?[0-9A-Za-z_.-]+$/
/** A host name, `*.` and a domain, an address, or a network. */
const AllowedHost = z
  .string()
  .refine(
    (text) => (isIP(text) === 0 && HOST_NAME.test(text)) || problemOfNetwork(text) === null,
    'expected a host, *.domain, an address or a network such as 10.0.0.0/8',
  )
const AllowedNetwork = z.string().superRefine((text, context) => {
  const message = problemOfNetwork(text)
  if (message !== null) context.addIssue({ code: 'custom', message })
})
/** `public,10.0.0.0/8`, as an environment variable. */
export const AllowedNetworksSetting = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(AllowedNetwork))

export const TrustedProxyList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(Network))

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

const TRACED_HEADERS = [
  'content-type',
  'accept',
  'content-length',
  'user-agent',
  'cache-control',
  'x-request-id',
  FLAG_HEADER.toLowerCase(),
]
const SENSITIVE_NAMES = ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn']

const CSRF_GUARDS = ['credentials', 'always', 'never'] as const
export const CsrfGuard = z.enum(CSRF_GUARDS, { error: () => `expected one of ${CSRF_GUARDS.join(', ')}` })
export type CsrfGuard = z.infer<typeof CsrfGuard>

/** A header that arrives without the client's doing would switch the guard off. */
const CountedHeaders = z
  .union([z.literal('any'), z.array(HeaderName)], 'expected any, or a list of header names')
  .superRefine((names, context) => {
    if (names === 'any') return
    for (const [index, name] of names.entries()) {
      const origin = headerOrigin(name.toLowerCase())
      if (origin !== 'browser' && origin !== 'proxy') continue
      const adders = origin === 'browser' ? 'browsers add' : 'proxies add'
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `${adders} the header ${name} by themselves, so it shows nothing: expected a header that only your clients send`,
      })
    }
  })

const section = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const object = z.strictObject(shape)
  return z.preprocess((value) => value ?? {}, object)
}

/**
 * Whoever writes a section for TLS wants it: without files in it, that is no wish for a port that everybody
 * can read.
 */
const NO_CERTIFICATE =
  'the section names no certificate: expected cert_file and key_file in it, or no section for a port without TLS'

const namesNone = (section: unknown, keys: readonly string[]): boolean =>
  typeof section === 'object' && keys.every((key) => !(key in (section ?? {})))

const WORKERS_RULE = 'expected auto, or a whole number from 1 to 256'
const WorkerCount = z.int().min(1).max(256)
/** As a variable. */
export const Workers = z.union(
  [z.literal('auto'), z.string().regex(/^\d+$/).transform(Number).pipe(WorkerCount)],
  WORKERS_RULE,
)

export const RouterSettings = section({
  host: z.string().min(1).default('0.0.0.0'),
  port: z.int().min(0).max(65_535).default(4000),
  /** Processes that serve, behind one port. 1: this one. */
  workers: z.union([z.literal('auto'), WorkerCount], WORKERS_RULE).default(1),
  /** In front of `/graphql`. */
  base_path: z
    .string()
    .regex(/^(?:\/[0-9A-Za-z._~-]+)*\/?$/, 'expected a path such as /api')
    .default('')
    .transform((path) => path.replace(/\/$/, '')),
  /** For development: what shows the inside of the router needs no token. */
  dev_mode: z.boolean().default(false),
  /** With a certificate, the port speaks TLS. Files are named as seen from the settings file. */
  tls: z.preprocess(
    (value, context) => {
      if (namesNone(value, ['cert_file', 'key_file'])) context.addIssue(NO_CERTIFICATE)
      return value
    },
    section({
      cert_file: z.string().min(1).optional(),
      key_file: z.string().min(1).optional(),
      /** How often the files are looked at for others. */
      reload_interval: duration('30s').refine((interval) => interval > 0, 'expected at least 1ms'),
    }).refine(
      ({ cert_file, key_file }) => (cert_file === undefined) === (key_file === undefined),
      'cert_file and key_file belong together: expected both',
    ),
  ),
  introspection: section({ enabled: z.boolean().default(true) }),
  /** Of files: what a config store offers was judged when it was composed. */
  authorization: section({ allow_unenforced: z.boolean().default(false) }),
  engine: section({
    /** Off: fragments with `@defer` are ordinary ones. */
    enable_defer: z.boolean().default(false),
    /** Whether each fragment is announced once, or once for each object it is on. */
    defer_pending: DeferPending.default('fragment'),
    /** Lets its owner probe how deferred answers arrive. Empty: nobody, but in dev mode. */
    defer_probe_token: z.union([z.literal(''), ProbeToken], PROBE_TOKEN_RULE).default(''),
    /** Off: no trace of a request, whoever asks. */
    enable_request_tracing: z.boolean().default(true),
    /** Whoever reaches the router gets traces, without a token. */
    force_unauthenticated_request_tracing: z.boolean().default(false),
  }),
  tracing: section({
    /** Part of the names of the trace and token headers and of the query parameter. */
    vendor: z
      .string()
      .regex(TRACE_VENDOR, 'expected a letter, then up to 30 letters, digits and -')
      .default('VENDOR'),
    /** Headers that traces show; `*`: all. */
    allowed_headers: z.array(HeaderName).default(TRACED_HEADERS),
    /** Variables and members whose values traces do not show. */
    sensitive_names: z.array(z.string().min(1)).default(SENSITIVE_NAMES),
    // The skeleton of a trace with a few fetches must fit, or nothing is left to see.
    max_size: size('1MiB', '16KiB'),
  }),
  flags: section({
    /** Whether the cookie `feature_flag` selects a composition. */
    cookie: z.boolean().default(true),
    /** Flag compositions kept compiled at a time. */
    max_built: z.int().min(1).max(10_000).default(128),
    /** Memory that they may take together, roughly. */
    max_built_size: size('512MiB'),
  }),
  cors: section({
    origins: z
      .array(z.string().regex(ORIGIN, 'expected an origin such as https://example.com, or *'))
      .default([]),
    credentials: z.boolean().default(false),
    max_age: z.int().min(0).default(600),
    allow_headers: z.array(HeaderName).default([]),
  }).refine(
    ({ origins, credentials }) => !(credentials && origins.includes('*')),
    'credentials cannot be combined with the origin *: browsers refuse it; name the origins',
  ),
  /** Which GET requests must show that no page of another origin caused them. */
  csrf: section({
    guard: CsrfGuard.default('credentials'),
    /** Headers that show it, beside those made for it. */
    accepted_headers: CountedHeaders.default('any'),
    /**
     * Headers that show credentials which the browser or a proxy has added, beside those that the router
     * knows.
     */
    credential_headers: z.array(HeaderName).default([]),
  }),
  limits: section({
    max_body_size: size('5MiB'),
    max_header_size: size('32KiB'),
    /** Characters of a document. */
    max_document_length: z.int().min(1).default(1_000_000),
    max_tokens: z.int().min(1).default(20_000),
    max_depth: z.int().min(1).default(64),
    max_aliases: z.int().min(0).default(1000),
    max_root_fields: z.int().min(1).default(500),
    max_fields: z.int().min(1).default(20_000),
    /** In the variables of one request, list items and fields of objects included. */
    max_variable_values: z.int().min(1).default(1_000_000),
    /** What may be done with the answers of subgraphs to one request: a step for each value that is read. */
    max_execution_steps: z.int().min(1).default(20_000_000),
    /** Of the answer to `__schema` and `__type`. */
    max_introspection_size: size('16MiB', '1'),
  }),
  traffic: section({
    /** Whose `X-Forwarded-For` tells the client of a request. */
    trusted_proxies: z.array(Network).default([]),
    /** Of clients. When one more comes, one is closed on which nothing is in progress. */
    max_connections: z.int().min(1).default(20_000),
    max_connections_per_client: z.int().min(1).default(10_000),
    /** GraphQL requests in progress; the next ones get 503. */
    max_concurrent_requests: z.int().min(1).default(10_000),
    /**
     * GraphQL requests whose bodies are on their way; when one more comes, the one that has waited longest
     * gets 503.
     */
    max_unread_requests: z.int().min(1).default(4000),
    max_unread_requests_per_client: z.int().min(1).default(1000),
    /**
     * Bytes of answers that clients have not read yet. Beyond it the one that has waited longest is given up.
     */
    max_unsent_size: optionalSize('1'),
    max_unsent_size_per_client: optionalSize('1'),
    /** Bytes of bodies and of subgraphs' answers that requests hold until they are answered. */
    max_unanswered_size: optionalSize('1'),
    max_unanswered_size_per_client: optionalSize('1'),
    /** Whether queries are executed once that would be answered alike and are in flight at the same time. */
    share_inflight: z.boolean().default(true),
    /** For the request line, the headers and the body of a client to arrive. */
    headers_timeout: duration('15s'),
    request_timeout: duration('60s'),
    keep_alive_timeout: duration('75s'),
    /** For a client to go on reading its answer. */
    write_timeout: duration('60s').refine((limit) => limit > 0, 'expected at least 1ms'),
  }),
  /** Plans that were never made before. */
  planning: section({
    /** What one may take on the thread that serves requests; what needs more goes to a planning thread. */
    main_thread_steps: z.int().min(0).default(2500),
    max_steps: z.int().min(1).default(200_000),
    threads: z.int().min(1).max(64).default(2),
    /** For one operation in a planning thread, should its steps take unusually long. */
    time_limit: duration('500ms').refine((limit) => limit > 0, 'expected at least 1ms'),
    /** Planning time per second and process. */
    budget: duration('200ms').refine(
      (budget) => budget > 0,
      'expected at least 1ms: without any time nothing could be planned',
    ),
  }),
  progressive_override: section({
    active_labels: z.array(OverrideLabel).default([]),
  }),
  cache: section({ operations: size('128MiB') }),
  response: section({ cache_control: HeaderValue.default('no-store') }),
  headers: section({
    request: HeaderRules,
    subgraphs: z.record(z.string(), z.strictObject({ request: HeaderRules })).default({}),
  }),
  subgraphs: section({
    timeout: duration('30s'),
    connect_timeout: duration('5s'),
    /** What calls subgraphs without TLS: our own client, or undici, which calls all others. */
    http_client: z.enum(['lean', 'undici']).default('lean'),
    /** Whether equal fetches of queries in flight are one call; not without `traffic.share_inflight`. */
    share_inflight: z.boolean().default(true),
    max_connections: z.int().min(1).default(64),
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
    overrides: z.record(z.string(), z.strictObject({ timeout: requiredDuration() })).default({}),
  }),
  subgraph_errors: section({
    allowed_extensions: z.array(z.string()).default(['code']),
    max_per_answer: z.int().min(1).default(100),
    max_message_length: z.int().min(1).default(1000),
    /** Of one extension. */
    max_extension_size: size('8KiB', '1'),
  }),
  config: section({
    poll_interval: duration('10s'),
    /** Whether a config of the store is taken without a valid head that says that it is the newest. */
    accept_unconfirmed: z.boolean().default(false),
    /** Operations of a replaced composition that are planned again before the new one serves. */
    warm_up_operations: z.int().min(0).default(100),
    flag_build_wait: duration('5s'),
  }),
  /** Ids by which requests are found again, in answers, logs, spans and subgraphs. */
  request_id: section({
    header: RequestIdHeader.default('X-Request-Id'),
    /** Whether a client's own id is taken, if it is one. */
    trust_clients: z.boolean().default(true),
  }),
  access_log: section({ enabled: z.boolean().default(true) }),
  shutdown: section({
    /** For load balancers to notice that the router is not ready any more, before it refuses requests. */
    pre_stop_delay: duration('0s'),
    drain_timeout: duration('30s'),
  }),
}).superRefine(({ headers, tracing, request_id: requestId }, context) => {
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
      const names = Object.entries(rule).filter(([member]) => member !== 'value' && member !== 'default')
      if (!names.some(([, name]) => name?.toLowerCase() === tokenHeaderKey)) continue
      const message = `the header ${tokenHeader} is never forwarded: whoever has it gets traces of this router`
      context.addIssue({ code: 'custom', path: [...path, index], message })
    }
  }
  refuseToken(headers.request, ['headers', 'request'])
  for (const [name, { request }] of Object.entries(headers.subgraphs))
    refuseToken(request, ['headers', 'subgraphs', name, 'request'])
})
export type RouterSettings = z.infer<typeof RouterSettings>

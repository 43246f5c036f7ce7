/** The sections `limits` and `traffic`: how much one request, one client and all clients may take. */
import { isNetwork, NETWORK_PATTERN } from '@switchyard/service-kit'
import { z } from 'zod'
import { duration, optionalSize, requiredDuration, size } from '../settings/quantities.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'
import { camelCased } from '../settings/camel-cased.ts'

const Network = z
  .string()
  .refine(isNetwork, 'expected an address or a network, such as 192.0.2.7 or 10.0.0.0/8')
  .meta({ pattern: `^(?:${NETWORK_PATTERN})$` })

/** A list such as `10.0.0.0/8,192.0.2.7`, as an environment variable. */
const TrustedProxyList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(Network))

/** The limits of one request. */
export const LimitsSection = section({
  max_body_size: setting(size('5MiB'), {
    says: 'size of a request body; a [compressed](#compressed-requests) one counts unpacked',
  }),
  max_header_size: setting(size('32KiB'), {
    says: "size of a request's headers; over HTTP/2 headers beyond twice as much are not answered, but their stream is reset",
    needsRestart: true,
  }),
  max_document_length: setting(z.int().min(1).default(1_000_000), {
    says: 'characters of a document. Large values belong in variables. Those of arguments and aliases count wherever fragments are spread; together they may be as many, or 50 for each field of `limits.max_fields` if that is more',
  }),
  max_tokens: setting(z.int().min(1).default(20_000), { says: 'lexical tokens of a document' }),
  max_depth: setting(z.int().min(1).default(64), { says: 'levels of nested fields' }),
  max_aliases: setting(z.int().min(0).default(1000), {
    says: 'fields with an alias; fragments count wherever they are used',
  }),
  max_root_fields: setting(z.int().min(1).default(500), { says: 'root fields' }),
  max_fields: setting(z.int().min(1).default(20_000), {
    says: 'fields, after each fragment has been expanded wherever it is used',
  }),
  max_variable_values: setting(z.int().min(1).default(1_000_000), {
    says: 'values in the variables of a request, including list items and fields of objects; default values do not count',
  }),
  max_execution_steps: setting(z.int().min(1).default(20_000_000), {
    says: 'the work that may be done with the answers of subgraphs to one request, in steps. A step is taken for each value that is read from a large answer, for each value that is put together, and for each value that is shown. Sixteen characters of a large answer take a step, too',
  }),
  max_introspection_size: setting(size('16MiB', '1'), {
    says: 'size of an answer to `__schema` and `__type`, which can be many times as large as the schema. The introspection query of tools takes 4 to 16 MiB for a schema with 2000 types',
  }),
})

/** The limits of connections and requests, of one client and of all clients. */
export const TrafficSection = section({
  trusted_proxies: setting(z.array(Network).default([]), {
    says: 'addresses and networks (`[10.0.0.0/8, 192.0.2.7]`) of proxies and load balancers in front of the router. Their `X-Forwarded-For` says which client sent the request, and their connections are not limited by client. If your proxies are not in the list, all clients count as one. From any other sender the header is ignored',
    variable: { name: 'SWITCHYARD_TRUSTED_PROXIES', type: TrustedProxyList },
  }),
  max_connections: setting(z.int().min(1).default(20_000), {
    says: 'connections of clients; fewer where the system allows fewer open files (`ulimit -n`; a fifth of them is left for subgraphs and stores), which the log tells at the start. When one more comes, one is closed on which nothing is in progress: of the client address with most of them the one that has waited longest. The new one is closed only where all are busy',
  }),
  max_connections_per_client: setting(z.int().min(1).default(10_000), {
    says: 'the same of one client address (an IPv6 client counts by its /64). A load balancer is one address: with HTTP/1 it needs as many connections as requests are to be in progress. Those of `traffic.trusted_proxies` are not limited. Where clients connect directly, some hundred are enough',
  }),
  max_concurrent_requests: setting(z.int().min(1).default(10_000), {
    says: 'requests in progress, counted after their bodies have been read; further requests get 503',
  }),
  max_event_loop_delay: setting(
    requiredDuration()
      .refine((delay) => delay > 0, 'expected at least 1ms')
      .optional(),
    {
      says: 'overload protection: if the delay of the event loop is longer, a part of the requests gets 503 `OVERLOADED`. The part grows while the delay stays above the limit, and shrinks when it is below ([overload](security.md#what-strangers-can-make-a-router-do)). `200ms` suits most routers',
    },
  ),
  max_unread_requests: setting(z.int().min(1).default(4000), {
    says: 'requests whose bodies are still on their way, apart from those in progress. When one more comes, one is refused with 503: of the client address with most of them the one that has waited longest',
  }),
  max_unread_requests_per_client: setting(z.int().min(1).default(1000), {
    says: 'the same of one client address (an IPv6 client counts by its /64). Behind a load balancer that is not one of `traffic.trusted_proxies`, all clients have its address. Bodies that are sent at once get through all the same, because the request that has waited longest is refused and not the one that comes',
  }),
  max_unsent_size: setting(optionalSize('1'), {
    fallback: '`256MiB`, or an eighth of the memory of the machine or container, if that is less',
    says: 'bytes of answers that clients have not read yet, whole ones and parts, of all connections together. Beyond it an answer is given up: of the client with most of them the one that has waited longest among those that are at least its average. Its connection is closed (HTTP/2: its stream reset) and logged with `stalled`. An answer that waits alone may be larger',
  }),
  max_unsent_size_per_client: setting(optionalSize('1'), {
    fallback: 'half of `traffic.max_unsent_size`',
    says: 'the same of one client address',
  }),
  max_unanswered_size: setting(optionalSize('1'), {
    fallback: 'as `traffic.max_unsent_size`',
    says: 'bytes that requests hold until they are answered, of all together: what has arrived of their bodies, and what subgraphs have answered, also for a stream that its client does not read. Compressed bodies count unpacked, and 64 KiB more until they are complete; those of Brotli count as they were sent until then. Beyond it a request gets 503 (a stream its end): of the client with most bytes the one that has held some for longest among those that hold at least its average. Requests that hold less than 8 KiB are not counted',
  }),
  max_unanswered_size_per_client: setting(optionalSize('1'), {
    fallback: 'half of `traffic.max_unanswered_size`',
    says: 'the same of one client address',
  }),
  share_inflight: setting(z.boolean().default(true), {
    says: 'whether equal queries that are in flight at the same time share one execution: [below](#queries-in-flight-at-the-same-time). `false`: fetches are not shared either',
  }),
  headers_timeout: setting(duration('15s'), {
    says: 'time limit for receiving the headers of a request',
    needsRestart: true,
  }),
  request_timeout: setting(duration('60s'), {
    says: 'time limit for receiving the whole request; at least `headers_timeout`',
  }),
  keep_alive_timeout: setting(duration('75s'), {
    says: 'how long an idle client connection is kept; with HTTP/2, one without a request in progress',
  }),
  write_timeout: setting(
    duration('60s').refine((limit) => limit > 0, 'expected at least 1ms'),
    {
      says: 'how long a client may read nothing of an answer that is ready, before its connection is closed (HTTP/2: its stream is reset) and its request is cancelled',
    },
  ),
})

/** Limits of one request, under the names that the engine gives them where they are its limits. */
export type LimitsConfig = ReturnType<typeof limitsConfigOf>
/** Limits of connections and requests. Times in milliseconds, sizes in bytes. */
export type TrafficConfig = ReturnType<typeof trafficConfigOf>

type Traffic = Omit<z.output<typeof TrafficSection>, SizeName> & { readonly [Name in SizeName]: number }
type SizeName =
  | 'max_unsent_size'
  | 'max_unsent_size_per_client'
  | 'max_unanswered_size'
  | 'max_unanswered_size_per_client'

/** Returns the settings under the names that code uses. */
export function limitsConfigOf(limits: z.output<typeof LimitsSection>) {
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

/**
 * Returns the settings under the names that code uses, with limits for all clients and for one client in
 * pairs.
 */
export function trafficConfigOf(traffic: Traffic) {
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

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
  max_body_size: size('5MiB'),
  max_header_size: setting(size('32KiB'), { needsRestart: true }),
  /** Characters of a document. */
  max_document_length: z.int().min(1).default(1_000_000),
  max_tokens: z.int().min(1).default(20_000),
  max_depth: z.int().min(1).default(64),
  max_aliases: z.int().min(0).default(1000),
  max_root_fields: z.int().min(1).default(500),
  max_fields: z.int().min(1).default(20_000),
  /** Values in the variables of one request, including list items and fields of objects. */
  max_variable_values: z.int().min(1).default(1_000_000),
  /** Steps of work with the answers of subgraphs to one request: one for each value that is read. */
  max_execution_steps: z.int().min(1).default(20_000_000),
  /** The size of the answer to `__schema` and `__type`. */
  max_introspection_size: size('16MiB', '1'),
})

/** The limits of connections and requests, of one client and of all clients. */
export const TrafficSection = section({
  /** Proxies whose `X-Forwarded-For` names the client of a request. */
  trusted_proxies: setting(z.array(Network).default([]), {
    variable: { name: 'SWITCHYARD_TRUSTED_PROXIES', type: TrustedProxyList },
  }),
  /** Connections of clients. When one more comes, an idle one is closed. */
  max_connections: z.int().min(1).default(20_000),
  max_connections_per_client: z.int().min(1).default(10_000),
  /** GraphQL requests in progress; the next ones get 503. */
  max_concurrent_requests: z.int().min(1).default(10_000),
  /**
   * How late timers may be before a part of the requests gets 503. If it is absent, no lateness has that
   * effect.
   */
  max_event_loop_delay: requiredDuration()
    .refine((delay) => delay > 0, 'expected at least 1ms')
    .optional(),
  /**
   * GraphQL requests whose bodies are on their way. When one more comes, the one that has waited longest gets
   * 503.
   */
  max_unread_requests: z.int().min(1).default(4000),
  max_unread_requests_per_client: z.int().min(1).default(1000),
  /**
   * Bytes of answers that clients have not read yet. Beyond them, the answer that has waited longest is given
   * up.
   */
  max_unsent_size: optionalSize('1'),
  max_unsent_size_per_client: optionalSize('1'),
  /** Bytes of bodies and of subgraphs' answers that requests hold until they are answered. */
  max_unanswered_size: optionalSize('1'),
  max_unanswered_size_per_client: optionalSize('1'),
  /** True if queries that would be answered alike, and are in flight at the same time, are executed once. */
  share_inflight: z.boolean().default(true),
  /** The times in which the request line and headers, and the whole request of a client have to arrive. */
  headers_timeout: setting(duration('15s'), { needsRestart: true }),
  request_timeout: duration('60s'),
  keep_alive_timeout: duration('75s'),
  /** How long a client may read nothing of its answer. */
  write_timeout: duration('60s').refine((limit) => limit > 0, 'expected at least 1ms'),
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

/** The sections `limits`, `traffic` and `planning`: how much one request, one client and all may take. */
import { isNetwork, NETWORK_PATTERN } from '@switchyard/service-kit'
import { z } from 'zod'
import { duration, optionalSize, requiredDuration, size } from '../settings/quantities.ts'
import { section } from '../settings/section.ts'

const Network = z
  .string()
  .refine(isNetwork, 'expected an address or a network, such as 192.0.2.7 or 10.0.0.0/8')
  .meta({ pattern: `^(?:${NETWORK_PATTERN})$` })

export const TrustedProxyList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(Network))

/** Of one request. */
export const LimitsSection = section({
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
})

/** Of connections and requests, of one client and of all. */
export const TrafficSection = section({
  /** Whose `X-Forwarded-For` tells the client of a request. */
  trusted_proxies: z.array(Network).default([]),
  /** Of clients. When one more comes, one is closed on which nothing is in progress. */
  max_connections: z.int().min(1).default(20_000),
  max_connections_per_client: z.int().min(1).default(10_000),
  /** GraphQL requests in progress; the next ones get 503. */
  max_concurrent_requests: z.int().min(1).default(10_000),
  /** How late timers may be before a part of the requests gets 503; absent: any time. */
  max_event_loop_delay: requiredDuration()
    .refine((delay) => delay > 0, 'expected at least 1ms')
    .optional(),
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
})

/** Plans that were never made before. */
export const PlanningSection = section({
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
})

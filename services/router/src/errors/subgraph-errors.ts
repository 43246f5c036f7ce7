/** The codes of errors inside an answer, at the places of fields whose values are missing. */
import type { ErrorFacts } from './error-facts.ts'

/** The rows of docs/errors.md, also for codes that the engine gives to answers that do not fit. */
export const SUBGRAPH_ERRORS = {
  ENTITY_COUNT_MISMATCH: {
    happened: '`_entities` has another length than the representations sent',
    remedy: "The subgraph's entity resolver drops or adds entries; it must return null for unknown ones.",
  },
  EVENT_PROVIDER_MISSING: {
    happened:
      'The field is connected to events, and `events.providers` of the router does not have their provider',
    remedy:
      'Add the provider to the settings, under the `providerId` of the directive: [events.md](events.md#providers).',
  },
  EVENT_SOURCE_NOT_SERVED: {
    happened:
      'Of a router: the events of the field come from Kafka or Redis, which no router reads. Of a composition, it is the hint that this will be so',
    remedy: 'Send these events by NATS, or serve the field from a subgraph: [events.md](events.md).',
  },
  SHAPE_MISMATCH: {
    happened: 'Two subgraphs sent lists of different lengths for one `@shareable` field',
    remedy: 'They must resolve the field alike; what one lacks is null.',
  },
  SUBGRAPH_ADDRESS_NOT_ALLOWED: {
    happened: 'The host or the address it resolves to may not be called',
    remedy:
      'The log line `subgraph.failed` says which address it was and what to set: `subgraphs.allowed_networks`, or `subgraphs.allowed_hosts` where that is set. Private and loopback addresses have to be named, except for `switchyard up` and routers that serve a file: [configuration.md](configuration.md#which-addresses-subgraphs-may-have).',
  },
  SUBGRAPH_BUSY: {
    happened:
      'The subgraph was not called, because more calls than `subgraphs.max_waiting_calls` wait for a slot',
    remedy:
      'Raise `subgraphs.max_calls` if the subgraph can handle more; otherwise find out which clients send so many requests: [configuration.md](configuration.md#subgraphs-that-can-do-only-so-much).',
  },
  SUBGRAPH_CALL_FAILED: {
    happened: 'The router failed while it made the call',
    remedy: 'The log line `request.failed` of the same trace has the cause. Report it.',
  },
  SUBGRAPH_CANCELLED: {
    happened: 'The router cancelled the call',
    remedy: 'The client disconnected, or the router is stopping; seen in traces rather than in answers.',
  },
  SUBGRAPH_CIRCUIT_OPEN: {
    happened:
      'The circuit breaker is open: the subgraph was not called, or not subscribed at, because too many of its recent calls have failed',
    remedy:
      'The router tries it again by itself: [configuration.md](configuration.md#subgraphs-that-are-not-called-for-a-while). The log line `subgraph.circuit-opened` says since when, and `subgraph.failed` before it why.',
  },
  SUBGRAPH_ERRORS: {
    happened:
      'With `subgraph_errors.mode: wrapped`, a subgraph reported errors, which the extension `errors` holds; with `redacted`, it reported one that has no code of its own to be shown',
    remedy: "The subgraph's own log has all, and so has a [trace](tracing.md) of the request.",
  },
  SUBGRAPH_ERRORS_OMITTED: {
    happened:
      'A subgraph answered with more errors than `subgraph_errors.max_per_answer`, and the message says how many were left out. Or errors belong to so many places of the response that their copies would be more than 1,048,576 characters. Or more than 20,000 values do not fit the schema',
    remedy:
      "The data is complete. The first errors usually say what is wrong; the subgraph's own log has all.",
  },
  SUBGRAPH_HTTP_ERROR: {
    happened: 'The answer has a status from 400 on and no GraphQL body',
    remedy: 'Often a proxy or an authentication layer in front of the subgraph.',
  },
  SUBGRAPH_INVALID_RESPONSE: {
    happened:
      'The answer is not JSON or not UTF-8, is empty, has neither data nor errors, is a redirect, or was broken off. Or it is [compressed](configuration.md#compressed-answers-of-subgraphs) although the router did not ask for that, or its compressed data are damaged or unpack to more than 8 MiB and 500 times their size',
    remedy: 'The routing URL may not point at a GraphQL endpoint; redirects are not followed.',
  },
  SUBGRAPH_INVALID_VALUE: {
    happened:
      'A value does not fit the schema. It is a leaf of another type, an object where a list is expected or the other way round, null where that is not allowed, or an unknown enum value or type of an object',
    remedy:
      'The message says what was expected and found, `serviceName` who sent it. That subgraph does not keep to its own schema, or was changed without being published.',
  },
  SUBGRAPH_REQUEST_INVALID: {
    happened: 'What the subgraph needs to know nests too deeply to be written, or is more than 16 MiB',
    remedy:
      'Another subgraph sent a value of extreme depth or size as an input of `@key` or `@requires`, or very many objects.',
  },
  SUBGRAPH_RESPONSE_TOO_LARGE: {
    happened:
      'The answer is over `subgraphs.max_response_size`, or has more values than one request may hold (`limits.max_execution_steps`), of which clients get `EXECUTION_LIMIT_EXCEEDED`',
    remedy: 'Ask for less, or raise the limit.',
  },
  SUBGRAPH_TIMEOUT: {
    happened:
      'The subgraph gave no complete answer within the time limit, or a [phase](configuration.md#phases-of-a-call) of the call took too long; the message says which',
    remedy:
      '`subgraphs.timeout`, `subgraphs.first_byte_timeout` or `subgraphs.idle_timeout`, or those of one subgraph in `subgraphs.overrides`. Where the log line `subgraph.failed` has the detail `never sent`, the call waited for a connection all the time: raise `subgraphs.max_connections`, or find what keeps them.',
  },
  SUBGRAPH_UNREACHABLE: {
    happened:
      'There is no connection, or it broke before an answer began, or what came is no HTTP, or breaks its limits: more than 16 KiB or 250 fields of headers, more than 10 interim answers',
    remedy:
      'The log has the reason (refused, DNS, connect time-out); check the routing URL. A subgraph that is away for moments only: [retries](configuration.md#calls-that-are-made-again).',
  },
  UNAUTHORIZED_FIELD_OR_TYPE: {
    happened:
      'The request may not see the field or its type: it does not fulfil `@authenticated`, `@requiresScopes` or `@policy`. No subgraph was asked for it. With `authorization.reject_unauthorized` it is the answer to the whole operation, with 403',
    remedy:
      'Ask with a token that has what is demanded, or ask for less: [authorization.md](authorization.md).',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>

/** A code of an error that stands inside a GraphQL answer. */
export type SubgraphErrorCode = keyof typeof SUBGRAPH_ERRORS

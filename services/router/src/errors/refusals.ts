/** The codes of requests that are refused: each is an answer of its own. */
import type { ErrorFacts } from './error-facts.ts'

/** The HTTP status of an answer that carries only this error, and its row of docs/errors.md. */
export const REFUSALS = {
  AUTHENTICATION_REQUIRED: {
    status: 401,
    happened:
      'The answer has `WWW-Authenticate`. The request has no token, and `authentication.require` is true; or it asks for `__schema` or `__type`, and `introspection.enabled` is `authenticated`',
    remedy:
      'Send a token where the settings say: [authentication.md](authentication.md#what-happens-to-a-request).',
  },
  AUTHENTICATION_UNAVAILABLE: {
    status: 503,
    happened: 'The router could not fetch the keys yet that it needs to verify the token',
    remedy: 'Try again in a moment. The log line `authentication.keys-missing` of the router has the reason.',
  },
  BAD_REQUEST: {
    status: 400,
    happened:
      'The request is not valid HTTP, or has more than one `Host`, `Content-Type` or `Authorization` header. Or it is not UTF-8, is not JSON, has no `query`, or has a member of the wrong type. Or it is compressed, and its body is cut off, damaged, or goes on after its end. Or its body comes in more than 8192 pieces (chunks, frames or packets) of less than 32 bytes on average',
    remedy: 'The client sends something that is no GraphQL request; the message names the part.',
  },
  BATCHING_NOT_SUPPORTED: {
    status: 400,
    happened: 'The body is a list, and `batching.enabled` is false; or an item of a list is one',
    remedy:
      'Send one operation per request, or switch [batching](configuration.md#several-operations-in-one-request) on.',
  },
  BATCH_LIMIT_EXCEEDED: {
    status: 422,
    happened: 'The body is a list of more operations than `batching.max_operations` allows',
    remedy: 'Send fewer in one request, or raise the limit.',
  },
  COST_ESTIMATED_TOO_EXPENSIVE: {
    status: 400,
    happened:
      'The estimated [cost](costs.md) of the operation is higher than `costs.max`, `costs.clients` or `costs.subgraphs` allows; no subgraph was called',
    remedy: 'Ask for fewer fields or shorter lists; the message says the cost and the limit.',
  },
  COST_INVALID_SLICING_ARGUMENTS: {
    status: 400,
    happened:
      'A field with `@listSize(slicingArguments:)` is given none of these arguments, or several, and costs are enforced; or it is given `null` or a negative number, and `costs.null_slicing` is `refuse`',
    remedy: 'Give exactly one, such as `first`, and a number of zero or more.',
  },
  CSRF_PREVENTED: {
    status: 403,
    happened:
      "A GET request carries a cookie or other credentials that browsers add by themselves, and nothing that only a client's own code adds: any web page could have caused it. Or a request with [files](uploads.md) has no header that only code adds. Or a page of an origin that may not [opens a WebSocket](subscriptions.md#pages-of-other-origins)",
    remedy:
      'Send `Apollo-Require-Preflight: true` (`X-Apollo-Operation-Name`, `X-Requested-With` and `GraphQL-Require-Preflight` serve as well) or `Content-Type: application/json`, or send the operation by POST. A header of your own counts when `csrf.accepted_headers` names it. See [security.md](security.md#requests-that-foreign-web-pages-cause).',
  },
  DEFER_PROBE_LIMIT: {
    status: 503,
    happened: 'Eight probes of deferred answers are in progress on this router',
    remedy: 'Somebody else runs `switchyard defer doctor`: try again in a moment.',
  },
  DEFER_PROBE_NOT_ALLOWED: {
    status: 403,
    happened: 'A probe of deferred answers without the token of this router, which is not in dev mode',
    remedy:
      'Give `switchyard defer doctor` the token of `engine.defer_probe_token`, or set one. See [defer.md](defer.md#is-something-in-between-holding-parts-back).',
  },
  DRAINING: {
    status: 503,
    happened: 'This router is stopping. In a stream: it stopped before this fragment was delivered',
    remedy: 'Try again; another router answers.',
  },
  FLAG_NOT_AVAILABLE: {
    status: 503,
    happened:
      "The flag's artifact is damaged or missing in the config store, or in the last-known-good copy that the router started from",
    remedy:
      'Try again later: the router reads it again by itself. `config.damaged` in its log names the artifact, and config-distribution writes it again once a router has said for 30 s that it lacks it.',
  },
  FLAG_NOT_BUILT_YET: {
    status: 503,
    happened: "The flag's composition was not compiled within `config.flag_build_wait`",
    remedy:
      'Try again in a moment. If it happens again and again, not all flags fit into memory: see `flags.memory-too-small` in the log and [configuration.md](configuration.md#when-flags-are-compiled).',
  },
  FLAG_NOT_FOUND: {
    status: 404,
    happened:
      'A client asks by [OFREP](ofrep.md) for a feature flag that is not in `ofrep.flags`, whether there is such a flag or not',
    remedy: 'If clients may know of the flag, add its name to `ofrep.flags`.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    happened: 'The headers are over `limits.max_header_size`',
    remedy: 'Often cookies are too large. Send less, or raise the limit.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    happened: 'The request failed because of a defect of the router',
    remedy: 'The log line `request.failed` of the same trace has the cause. Report it.',
  },
  INVALID_CONTEXT: {
    status: 400,
    happened:
      'The `context` of a request by [OFREP](ofrep.md) is no JSON object, or what stands in for claims and headers has another form',
    remedy: 'The message names the member.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    happened:
      'The answer has `Allow`. The method is neither POST nor GET, or the request is a mutation by GET. Flags are asked for by POST alone',
    remedy: 'Use POST.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    happened: '`Accept` names no type the router answers with',
    remedy: 'Accept `application/graphql-response+json` or `application/json`.',
  },
  NOT_FOUND: {
    status: 404,
    happened: 'Nothing is served at this path',
    remedy: 'GraphQL is at `{base_path}/graphql`, health at `/health/live` and `/health/ready`.',
  },
  NOT_READY: {
    status: 503,
    happened: 'No configuration is served yet',
    remedy: 'The message says what is waited for: a graph, its first composition, the config store.',
  },
  OVERLOADED: {
    status: 503,
    happened:
      'One of these limits is exceeded. More than `traffic.max_concurrent_requests` are in progress. Or the event loop is later than `traffic.max_event_loop_delay`. Or unanswered requests hold more bytes than `traffic.max_unanswered_size` or `traffic.max_unanswered_size_per_client`, and this one was chosen to be refused. Or more than `traffic.max_unread_requests` wait for their bodies, and this one has waited longest. Or more than 32 introspections wait, and this is the oldest one of the client that has most of them. Or more than 1000 tokens wait to be verified, and this client has most of them. Or there are as many [WebSockets](subscriptions.md#limits), or operations on one, as may be',
    remedy:
      'The message says which. Add routers, find what makes requests slow, or who sends headers without bodies.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    happened:
      'The body is over `limits.max_body_size`, or over 16 KiB for [OFREP](ofrep.md); a compressed one counts unpacked. Or it is compressed, and unpacks to more than 64 KiB and 20 times its size. Or a request with [files](uploads.md) is beyond `uploads.max_size`, `max_file_size` or `max_files`, or its fields before the files are over 256 KiB',
    remedy: 'Send less, or raise the limit; the message says which. Send what packs so well uncompressed.',
  },
  PERSISTED_QUERY_HASH_MISMATCH: {
    status: 400,
    happened:
      "The request has a document's identifier and a text, and the text is not the one of this identifier",
    remedy: 'The client hashes another text than it sends, or its manifest belongs to another build.',
  },
  PERSISTED_QUERY_ID_REQUIRED: {
    status: 400,
    happened: '`documents.mode` is `ids_only`, and the request has a text and no identifier',
    remedy: 'Send `documentId`, of a document in a manifest.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 200,
    happened:
      'With `documents.apq`: the request has only the hash of a document, and the router does not know this hash, or has forgotten it',
    remedy:
      'The client sends the hash with the text, and the router keeps it; clients such as Apollo Client do that by themselves.',
  },
  PERSISTED_QUERY_NOT_IN_LIST: {
    status: 404,
    happened: 'The router knows no document with this identifier for this client',
    remedy:
      "Add the client's manifest to the router before you release the client. If the manifest is for some clients only (`clients`), check that the client sends its name.",
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 200,
    happened:
      'The request has the hash of an operation in `extensions.persistedQuery` and no `query`, and the router knows no documents (`documents`)',
    remedy:
      'Clients with automatic persisted queries, such as Apollo Client, know this answer and send the whole operation from then on: nothing is to be done. With a `query`, the hash is ignored. See [persisted-documents.md](persisted-documents.md).',
  },
  PLANNING_FAILED: {
    status: 500,
    happened: 'The thread that planned the operation ended before it was done',
    remedy:
      'A new thread takes over: try again. The log line `planning.thread-lost` has the reason, for example lack of memory, and the operation.',
  },
  PLANNING_OVERLOADED: {
    status: 503,
    happened: 'The operation has no plan yet, and its client has used up its share of `planning.budget`',
    remedy:
      'The client sends many operations that were never seen before. Those with a plan are answered. `planning.long` and `planning.refused` in the log name the expensive ones.',
  },
  QUERY_NOT_IN_SAFELIST: {
    status: 403,
    happened: '`documents.mode` is `safelist`, and the text is in no manifest for this client',
    remedy:
      "Add the client's manifest to the router before you release the client. If the manifest is for some clients only (`clients`), check that the client sends its name.",
  },
  RATE_LIMITED: {
    status: 429,
    happened:
      'The client has sent more requests, or requests with a higher cost, than a rule of [`rate_limits`](rate-limits.md) allows',
    remedy:
      'Wait for the seconds in `Retry-After`. If this header is missing, the operation costs more than the limit ever allows at once.',
  },
  RATE_LIMITS_UNAVAILABLE: {
    status: 503,
    happened:
      'The Redis of [`rate_limits`](rate-limits.md) does not answer, and `rate_limits.on_failure` is `deny`',
    remedy: 'Try again; `rate-limits.away` in the log says what is wrong.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    happened: 'Headers, body or [files](uploads.md) took too long to arrive',
    remedy:
      'The client is slow or stuck. The limits are `traffic.headers_timeout` and `traffic.request_timeout`; for files `uploads.timeout`, also for what precedes them in the plan, and `uploads.idle_timeout`.',
  },
  SUBSCRIPTION_BAD_HEADER: {
    status: 406,
    happened: 'The operation is a subscription, and `Accept` names no form of events that the router writes',
    remedy:
      'Send `Accept: text/event-stream` or `Accept: multipart/mixed;subscriptionSpec="1.0"`, or subscribe over a WebSocket: [subscriptions.md](subscriptions.md).',
  },
  TOKEN_INVALID: {
    status: 401,
    happened:
      'The answer has `WWW-Authenticate: Bearer error="invalid_token"`. The token of the request is invalid: expired, for another audience, or with a key or an issuer that is not accepted',
    remedy:
      'The message has the reason. Renew the token, or compare it with the provider in the settings: [authentication.md](authentication.md#what-happens-to-a-request).',
  },
  TRACE_STAND_IN_INVALID: {
    status: 400,
    happened:
      'The header `X-VENDOR-Trace-As` says who [stands in](tracing.md#as-another-user) for a traced request, and has another form or is too long',
    remedy: 'The message names the member.',
  },
  TRACE_TOKEN_INVALID: {
    status: 401,
    happened: 'The trace token of the request is invalid, or the router has no key to verify it',
    remedy:
      'The message has the reason. Get a new one with `switchyard router trace-token`, or leave the trace header out. See [trace-tokens.md](trace-tokens.md).',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    happened:
      'A form with [files](uploads.md) is compressed, or `uploads.enabled` is false. Or the request is a POST without a JSON content type, with another charset than UTF-8, or with a `Content-Encoding` that [`compression.request_encodings`](configuration.md#compressed-requests) does not name, or several',
    remedy:
      'Send `Content-Type: application/json`, uncompressed or in one of the encodings that `Accept-Encoding` of the answer names.',
  },
  UPLOAD_INVALID: {
    status: 400,
    happened:
      'A request with [files](uploads.md) has not the form of the GraphQL multipart request specification. A field is missing or not in its place. Or `map` has another form, or names a place that is not null. Or a file is missing, not named, or sent twice',
    remedy:
      'The message names the field or the file, and what was expected. Clients that know the specification send no such requests.',
  },
  UPLOAD_NOT_ROUTABLE: {
    status: 400,
    happened:
      'The operation needs a [file](uploads.md#which-operations) in more than one call of subgraphs, or is a subscription. A file is passed on once, as it arrives',
    remedy: 'Send the files in a request of their own, with one field that takes them.',
  },
  WEBSOCKETS_NOT_SUPPORTED: {
    status: 400,
    happened: 'A client opens a WebSocket, and `subscriptions.enabled` is false',
    remedy:
      'Switch [WebSockets](subscriptions.md#websockets) on, which come with subscriptions, or send queries and mutations by POST.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts & { readonly status: number }>>

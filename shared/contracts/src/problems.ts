/** The problems of the management API by their codes, with their rows of docs/errors.md. */
export const PROBLEMS = {
  ALREADY_EXISTS: {
    status: 409,
    title: 'A resource of this name exists already',
    happened: 'The name is taken',
    remedy: 'Subgraphs and feature subgraphs share their names within a namespace.',
  },
  ANSWER_TOO_EXPENSIVE: {
    status: 422,
    title: 'The answer takes too much',
    happened: 'A schema, a comparison or a check takes the registry more time or memory than it may',
    remedy:
      'Ask for less: a check of a smaller schema, or a comparison by `switchyard config diff` and `switchyard subgraph check`, which work on your machine.',
  },
  API_KEY_SHOWN_ONCE: {
    status: 409,
    title: 'An API key is shown once',
    happened: 'The creation of an API key was repeated with the same `Idempotency-Key`',
    remedy:
      'The first answer had the key, and it is kept nowhere. If that answer was lost, delete the key that the message names and create another.',
  },
  BASE_SUBGRAPH_NOT_FOUND: {
    status: 404,
    title: 'The base subgraph does not exist',
    happened: 'A feature subgraph names a base that does not exist or is itself a feature subgraph',
    remedy: 'Create the base first, or name it.',
  },
  CSRF_TOKEN_WRONG: {
    status: 403,
    title: 'The write does not prove that it comes from a page of this registry',
    happened:
      'A write by a [session](sign-in.md) came without the header `x-switchyard-csrf`, or with another value than that of the session',
    remedy:
      'Send `csrf` of `GET /v1/session`. After a new sign-in the value is another one: load the page again.',
  },
  DESIRED_STATE_INVALID: {
    status: 422,
    title: 'The desired state cannot be reached',
    happened: 'A desired state (`switchyard apply`) cannot be reached',
    remedy:
      '`problems` lists everything that is wrong with it, for example two things of one name, or a new subgraph without a routing URL.',
  },
  DOCUMENTS_INVALID: {
    status: 422,
    title: 'The manifest of documents was refused',
    happened:
      'A [manifest of documents](persisted-documents.md#manifests-that-are-published) was refused: it cannot be read, contradicts another one, or has documents that fit the graph nowhere (with `--strict`: not everywhere)',
    remedy:
      '`problems` lists the first ten. Put the documents right, or publish the schema first that they need.',
  },
  FEATURE_FLAG_INVALID: {
    status: 422,
    title: 'The feature flag was refused',
    happened: 'The flag breaks at least one rule',
    remedy: '`problems` lists all of them, for example two replacements of one subgraph.',
  },
  FEATURE_SUBGRAPH_EXPECTED: {
    status: 409,
    title: 'It is no such feature subgraph',
    happened:
      'A publish that names a base meets a subgraph, or a feature subgraph of another base. The command line says the same of `fs` commands',
    remedy: 'Use the `subgraph` command, or correct `--subgraph`.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'The API key may not do this',
    happened: 'The key lacks a scope',
    remedy:
      'The message names the scope that is needed. Scopes of a key cannot be changed: create a key with the scope. [Trace tokens](trace-tokens.md#getting-a-token) need `trace:<namespace>`; `deploy:<namespace>` does not include it.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The headers are too large',
    happened: 'The path and the headers are over 16 KiB',
    remedy: 'Often cookies or an endless name are too large. Send less.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The idempotency key belongs to another command',
    happened: 'The key was used for another command within 24 h',
    remedy: 'A key belongs to one command; make a new one.',
  },
  IMPORT_INCOMPLETE: {
    status: 500,
    title: 'The import stopped in the middle',
    happened: 'A part of the data was written, then the log failed or something else wrote to it',
    remedy:
      'The registry refuses to work on half an import: empty its storage and import the same file again, see [security.md](security.md).',
  },
  IMPORT_INVALID: {
    status: 422,
    title: 'The export cannot be imported',
    happened:
      'A line of the file is no line of an export: damaged, cut off, out of order, or of a newer version',
    remedy: 'The message names the line. Nothing was imported.',
  },
  IMPORT_NOT_POSSIBLE: {
    status: 503,
    title: 'The registry cannot write what an import writes',
    happened: 'The registry may not write one of the logs, or it is not there; asked before the first write',
    remedy:
      'The message names the subject and why. Nothing was imported. If NATS was only away for a moment, import again. Otherwise give the user on NATS what is missing ([rights](nats-and-redis.md#rights-on-nats)), and import again.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    title: 'Internal error',
    happened: 'The request failed because of a defect of the registry',
    remedy: 'Its log has the cause. Look at the state before repeating a write.',
  },
  INVALID_REQUEST: {
    status: 400,
    title: 'The request is malformed',
    happened:
      'Body, path, query or `Idempotency-Key` are not what is expected, a member stands twice in an object of the body, or the request is no valid HTTP',
    remedy: '`problems` lists every reason where there are several; see `/v1/openapi.json`.',
  },
  LAST_ADMIN_KEY: {
    status: 409,
    title: 'Nobody could manage keys any more',
    happened: 'The last key with the scope `admin` was to be deleted, and the registry has no bootstrap key',
    remedy: 'Create another admin key first, or start the registry with `SWITCHYARD_BOOTSTRAP_API_KEY`.',
  },
  LIMIT_EXCEEDED: {
    status: 422,
    title: 'A limit of the registry is reached',
    happened:
      'A namespace holds 2000 subgraphs, a graph has 50 manifests of documents or 32 MiB of them, a graph would name more than its configuration holds, or the record of the command exceeds 256 KiB',
    remedy:
      'Use another namespace, delete manifests, flags and rollouts that no client uses any more, or split the command.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The path does not take this method',
    happened: 'The answer has `Allow`. The path does not take this method',
    remedy: 'See `/v1/openapi.json`.',
  },
  NAMESPACE_PROTECTED: {
    status: 422,
    title: 'The namespace cannot be deleted',
    happened: 'The namespace `default` was to be deleted',
    remedy: 'It always exists; delete what is in it.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    happened: 'There is no such namespace, subgraph, flag or path',
    remedy: 'The message says what is missing and how to create it.',
  },
  NOT_READY: {
    status: 503,
    title: 'The service is not ready',
    happened: 'The registry has not read its log yet, or an import is under way or did not finish',
    remedy: 'The message says which, and what to do.',
  },
  OPENID_CONNECT_UNAVAILABLE: {
    status: 503,
    title: 'The identity provider gives no usable answer',
    happened:
      'The provider of [OpenID Connect](sign-in.md#with-openid-connect) cannot be reached, or is set up wrongly',
    remedy: 'Compare `SWITCHYARD_OIDC_ISSUER` with the issuer of the provider. API keys work all the same.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The request is too large',
    happened: 'The body or the schema is too large',
    remedy: 'A schema has at most 8 MiB.',
  },
  PREVIEW_INVALID: {
    status: 422,
    title: 'The preview was refused',
    happened: 'A preview breaks at least one rule',
    remedy:
      '`problems` lists all of them, for example a routing URL at a host that the namespace [does not allow for previews](previews.md#the-hosts-of-previews).',
  },
  REGISTRY_BUSY: {
    status: 503,
    title: 'The registry is busy',
    happened:
      'Other registries wrote first, many times in a row, or too many questions about schemas wait for an answer',
    remedy: 'Try again.',
  },
  REGISTRY_NOT_EMPTY: {
    status: 409,
    title: 'The registry is not empty',
    happened:
      'An import into a registry whose logs have a record already, or into the remains of an import that stopped',
    remedy: 'Import into a new data directory, or new NATS streams; see [security.md](security.md).',
  },
  LINKS_OFF: {
    status: 403,
    title: 'This registry makes no one-time links',
    happened: '`switchyard studio` was used with a registry that is not of `switchyard up`',
    remedy: 'Open the address that the message names, and [sign in](sign-in.md) with an API key.',
  },
  LINK_UNKNOWN: {
    status: 401,
    title: 'The link begins no session',
    happened:
      'A [one-time link](sign-in.md#with-a-link) was used already, is older than 5 minutes, or is of another registry',
    remedy: '`switchyard studio` prints another one.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request took too long to arrive',
    happened: 'The request took too long to arrive',
    remedy: 'The client is slow or stuck. Headers have a minute, the whole request has ten.',
  },
  RAMP_MOVED_ON: {
    status: 409,
    title: 'The ramp is not where it was judged',
    happened: 'A command about a ramp names a step that is over, or a ramp that does not run',
    remedy: 'Look at the rollout (`switchyard rollout get`). The controller of ramps does so by itself.',
  },
  ROLLOUT_INVALID: {
    status: 422,
    title: 'The rollout was refused',
    happened: 'A rollout breaks at least one rule',
    remedy:
      '`problems` lists all of them, for example a percentage without a key, a flag that does not apply to the graph, or a condition whose range of versions is none.',
  },
  SCHEMA_INVALID: {
    status: 422,
    title: 'The schema is invalid',
    happened: 'The SDL is empty, does not parse, or holds operations',
    remedy: '`locations` point at the places. What a schema means in a graph is checked by composition.',
  },
  SESSIONS_OFF: {
    status: 403,
    title: 'This registry has no sessions',
    happened: 'Somebody signed in at a registry that has no key for [sessions](sign-in.md)',
    remedy: 'Set `SWITCHYARD_SESSION_KEY`, the same for all registries.',
  },
  SESSION_EXPIRED: {
    status: 401,
    title: 'The session has ended',
    happened:
      'A [session](sign-in.md) is older than 8 hours, was not used for 30 minutes, was ended, or cannot be read; or its API key was deleted',
    remedy: 'Sign in again. The message says which of them it is.',
  },
  SESSION_FOREIGN_SITE: {
    status: 403,
    title: 'The request does not come from a page of this registry',
    happened:
      'A request with a [session](sign-in.md), or one that would begin a session, came without `Sec-Fetch-Site: same-origin`',
    remedy:
      'Browsers send the header by themselves, to https and loopback addresses. Programs use an API key.',
  },
  SESSION_HOST_UNKNOWN: {
    status: 403,
    title: 'Sessions are not accepted at this host',
    happened:
      'The `Host` of a request with a [session](sign-in.md) is neither that of Studio nor a loopback name',
    remedy:
      'Set `SWITCHYARD_STUDIO_URL` to the address that the browser shows, and let proxies pass on the `Host` header.',
  },
  SIGN_IN_AGAIN: {
    status: 403,
    title: 'The sign-in is too old for this',
    happened:
      'A session creates or deletes API keys or trace keys, exports or imports, and its sign-in is more than 5 minutes ago',
    remedy: 'Sign in again, and repeat it.',
  },
  STATE_CHANGED: {
    status: 409,
    title: 'The namespace was changed in the meantime',
    happened: 'A command names the state that it was judged on, and what it depends on was changed since',
    remedy:
      'Nothing was changed. Judge it again: `switchyard feature-flag promote` does so by itself, some times.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    title: 'The log cannot be reached',
    happened: 'The log or the blob store cannot be used',
    remedy: 'Nothing was written; try again when NATS, or the disk, is back.',
  },
  TOO_MANY_FAILED_AUTHENTICATIONS: {
    status: 429,
    title: 'Too many failed authentications',
    happened:
      'The answer has `Retry-After`. A wrong API key, after many wrong ones from the same address or altogether',
    remedy: 'Correct the key. Valid keys work all the time, also from that address.',
  },
  TOO_MANY_LIVE_CONNECTIONS: {
    status: 503,
    title: 'Too many connections follow what happens',
    happened: 'A registry has 200 connections of `GET /v1/live` and refused another one',
    remedy: 'Close pages and programs that need none, try again later, or run another registry.',
  },
  TRACE_KEY_FILE_UNUSABLE: {
    status: 409,
    title: 'The file of the trace keys cannot be used',
    happened: 'The file with the private trace keys cannot be read or written, or is no set of Ed25519 keys',
    remedy:
      'Nothing was changed. The log line `registry.trace-key-file.unusable` has the file and the reason. Keys of a mounted secret are added outside, see [trace-tokens.md](trace-tokens.md).',
  },
  TRACE_KEY_UNAVAILABLE: {
    status: 409,
    title: 'No key can sign a trace token',
    happened: 'This registry has no key that can sign a trace token, or no key file',
    remedy:
      '`switchyard registry trace-key list` shows what there is, `trace-key create` makes one; `SWITCHYARD_TRACE_KEY_FILE` names the file, the same for all registries.',
  },
  UNDO_NOT_POSSIBLE: {
    status: 409,
    title: 'The promotion cannot be undone',
    happened: 'Subgraphs that a [promotion](promote.md#undo) changed were changed again, or deleted',
    remedy: '`problems` lists them. Publish what they should have.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'No valid API key',
    happened: 'The request has no API key, or one that the registry does not know',
    remedy:
      'Send `Authorization: Bearer <key>`; the command line reads `SWITCHYARD_API_KEY` or the data directory.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Writes take application/json',
    happened:
      'A write without a JSON content type, with another charset than UTF-8, or with a `Content-Encoding`',
    remedy: 'Send `Content-Type: application/json`, uncompressed.',
  },
  WRITE_OUTCOME_UNKNOWN: {
    status: 504,
    title: 'The outcome of the write is unknown',
    happened: 'The log, or the registry, gave no answer to a write',
    remedy:
      'It may have happened. Repeat it with the same `Idempotency-Key` to learn the outcome; otherwise look first.',
  },
} as const satisfies Readonly<Record<string, ProblemFacts>>

type ProblemFacts = {
  readonly status: number
  readonly title: string
  /** The cause, in Markdown. */
  readonly happened: string
  /** The meaning, and what to do, in Markdown. */
  readonly remedy: string
}

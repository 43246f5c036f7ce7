/** The errors of the command line by their codes, with their rows of docs/errors.md. */
export const COMMAND_ERRORS = {
  APPLY_INPUT_INVALID: {
    title: 'The description of the desired state is wrong',
    happened: 'Exit 1. The file of `switchyard apply` does not describe a desired state',
    remedy: 'Each problem has file and line; `switchyard apply --help` shows the form. Nothing was changed.',
  },
  CHECK_TOO_EXPENSIVE: {
    title: 'The check takes too much',
    happened:
      'Exit 1. `subgraph check` was given up: one composition with its comparisons used more than 120 seconds of CPU, or trying 4 MiB of published documents against one composition more than 60 seconds or 2 GiB',
    remedy:
      'Nothing is known of the change. Look for a document, or a schema, that is much larger than others; `documents list` shows the manifests.',
  },
  COMMAND_LINE_INVALID: {
    title: 'The command line is wrong',
    happened:
      'Exit 2. The command line has an unknown command or option, lacks an argument, or has a malformed name or label',
    remedy: '`switchyard <command> --help` shows the form and examples.',
  },
  COMPOSE_INPUT_INVALID: {
    title: 'The description of the graph is wrong',
    happened: 'Exit 1. `graph.yaml` does not describe a graph',
    remedy: 'Every problem is listed with `file:line:column`; unknown keys are errors.',
  },
  EXECUTION_CONFIG_INVALID: {
    title: 'The execution config cannot be used',
    happened: 'The execution config cannot be read or loaded. `plan`: exit 1; a router does not start',
    remedy: 'Use a file that `router compose` wrote.',
  },
  FILES_EXIST: {
    title: 'Files would be overwritten',
    happened: 'Exit 1. `graph fetch` would replace files that differ',
    remedy: 'Nothing was written. `--force` replaces them.',
  },
  FILE_UNUSABLE: {
    title: 'A file cannot be used',
    happened: 'Exit 2. A file is missing, empty, unreadable or not UTF-8',
    remedy: 'Paths count from the folder you are in; those inside `graph.yaml` from that file.',
  },
  INTERRUPTED: {
    title: 'Interrupted',
    happened: 'Exit 3. The command was interrupted by Ctrl-C while it waited',
    remedy: 'The message says whether something may have been written.',
  },
  LOG_SET_BACK: {
    title: 'The log was set back',
    happened:
      'Exit 1. `audit`: the log of the registry ends before the sequence of `--after`, or before what was shown last',
    remedy:
      'A backup was restored, or the address is that of another registry. Begin again with a smaller `--after`: sequences behind the end of the backup were given again.',
  },
  NAMESPACE_CHANGES: {
    title: 'The namespace keeps changing',
    happened:
      'Exit 1. Schemas were published again and again while `subgraph check` or `feature-flag diff` read them',
    remedy: 'Nothing was compared; try again.',
  },
  NOT_CONFIRMED: {
    title: 'Not confirmed',
    happened: 'Exit 1. The question before a deletion was not answered with `y`',
    remedy: 'Nothing was changed. `--force` deletes without asking.',
  },
  OPERATION_INVALID: {
    title: 'The operation cannot be planned',
    happened: 'Exit 1. `plan`: the operation cannot be planned on this graph',
    remedy: 'The reasons are listed with `file:line:column`.',
  },
  PROBE_REFUSED: {
    title: 'The router refused the probe',
    happened: 'Exit 1. `defer doctor`: the router does not answer probes of this caller',
    remedy:
      'Give its token with `--token`, or run the router in dev mode. See [defer.md](defer.md#is-something-in-between-holding-parts-back).',
  },
  PROBE_UNANSWERED: {
    title: 'No router answered the probe',
    happened: 'Exit 3. `defer doctor`: nothing at this URL answers as a router answers a probe',
    remedy:
      'The message says what answered instead: no connection, a web page, a proxy that wants a password, a GraphQL server that does not know the probe.',
  },
  REGISTRY_UNREACHABLE: {
    title: 'The registry cannot be reached',
    happened: 'Exit 3. The registry did not answer, or it cannot work now; nothing was written',
    remedy:
      'Is `switchyard up` running? Is the address right? The message says where it is from: `--registry-url`, `SWITCHYARD_REGISTRY_URL`, or the `registry-url` that an `up` left which was killed',
  },
  SUBGRAPH_NOT_INTROSPECTED: {
    title: 'The subgraph does not say its schema',
    happened:
      'Exit 1. `subgraph introspect`: what answers is no GraphQL endpoint, or does not tell its schema to this caller',
    remedy:
      'The message has its answer. Send what it asks for with `--header`, or turn introspection on there.',
  },
  SUBGRAPH_UNREACHABLE: {
    title: 'The subgraph cannot be reached',
    happened: 'Exit 3. `subgraph introspect`: nothing answers at this URL, or not in time',
    remedy: 'Is the subgraph running? The message says what is wrong; `--timeout` waits longer.',
  },
  SUBSCRIPTION_FAILED: {
    title: 'The subscription has failed',
    happened: 'Exit 1. `subscribe`: the server refused the operation, or ended it with an error',
    remedy: 'The message has what the server said, and what to do where that is known.',
  },
  SUBSCRIPTION_LOST: {
    title: 'The subscription was lost',
    happened:
      'Exit 3. `subscribe`: nothing answers at this URL, or the connection was lost and did not come back within `--reconnect` seconds',
    remedy: 'Is the server running? The message says what is wrong; `--reconnect` waits longer.',
  },
  TRACE_INVALID: {
    title: 'The file holds no trace',
    happened: 'Exit 1. `trace open`: the file holds no trace',
    remedy:
      'It takes a response with `extensions.trace`, its body as saved by `curl`, or the trace alone; what is wrong is listed with the path of each member ([tracing.md](tracing.md)).',
  },
} as const

/** Errors of commands that the registry reports in the same way: the page explains them there. */
const SHARED = {
  FEATURE_SUBGRAPH_EXPECTED: { title: 'A feature subgraph was expected' },
  NOT_FOUND: { title: 'Not found' },
  PAYLOAD_TOO_LARGE: { title: 'The request is too large' },
  SCHEMA_INVALID: { title: 'The schema is invalid' },
  UNAUTHENTICATED: { title: 'No valid API key' },
  WRITE_OUTCOME_UNKNOWN: { title: 'The outcome of the write is unknown' },
} as const

/** The codes that have a title in the bodies of errors. */
export const TITLED = { ...COMMAND_ERRORS, ...SHARED }

/** The codes of errors with which a router does not start, with their rows of docs/errors.md. */
export const ROUTER_START_ERRORS = {
  ROUTER_CONFIG_INVALID: {
    happened: "The router's settings file has unknown keys or wrong values",
    remedy:
      'Each is named with its line, several as a numbered list (`problems` in the log and in JSON). What is wrong with environment variables stands in the same list.',
  },
  WORKER_NOT_STARTED: {
    happened: 'The first worker of a router with several came to its end before it was up, and said nothing',
    remedy:
      'The lines of log before it, by `worker`; the router exits with 1. With `workers: 1` nothing is started beside it.',
  },
}

/** A code of an error of a start. */
export type RouterStartErrorCode = keyof typeof ROUTER_START_ERRORS

/** The codes of errors with which any service may fail to start, with their rows of docs/errors.md. */
export const START_ERRORS = {
  ENVIRONMENT_INVALID: {
    happened: 'An environment variable is missing or wrong',
    remedy:
      'All of them are named at once, several as a numbered list (`problems` in the log and in JSON); see [configuration.md](configuration.md).',
  },
  PORT_UNAVAILABLE: {
    happened:
      'A service cannot listen where it should: the port is taken, needs a permission, or the machine has no such address',
    remedy:
      'The message names the port and the setting: another port (`SWITCHYARD_PORT`) or address (`SWITCHYARD_HOST`).',
  },
  START_FAILED: {
    happened: '`up --json`: the start failed with an error without a code',
    remedy: '`detail` says why.',
  },
}

/** A code of an error of a start. */
export type StartErrorCode = keyof typeof START_ERRORS

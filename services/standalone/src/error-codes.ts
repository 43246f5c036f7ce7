/** The codes of errors of `switchyard up`, with their rows of docs/errors.md. */
export const STANDALONE_ERRORS = {
  API_KEY_INVALID: {
    happened: '`up`: the first API key is too short or has characters a header cannot carry',
    remedy: 'At least 16 printable ASCII characters without a space.',
  },
  PORT_TAKEN: {
    happened: '`up`: something listens on the port',
    remedy: 'Stop it, or use `--registry-port` or `--router-port`.',
  },
  ROUTER_CONFIG_UNREADABLE: {
    happened: '`up --config`: the settings file cannot be read',
    remedy: 'Check path and permissions.',
  },
}

/** A code of an error of `switchyard up`. */
export type StandaloneErrorCode = keyof typeof STANDALONE_ERRORS

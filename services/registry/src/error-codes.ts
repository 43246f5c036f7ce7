/** The codes of errors with which a registry does not start, with their rows of docs/errors.md. */
export const REGISTRY_ERRORS = {
  NO_API_KEY: {
    happened: 'A registry without any API key',
    remedy: 'Set `SWITCHYARD_BOOTSTRAP_API_KEY`.',
  },
}

/** A code of an error of a start. */
export type RegistryErrorCode = keyof typeof REGISTRY_ERRORS

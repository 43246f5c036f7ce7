/** The codes of errors of config-distribution, with their rows of docs/errors.md. */
export const CONFIG_DISTRIBUTION_ERRORS = {
  SIGNING_KEY_INVALID: {
    happened: 'The signing key file holds no private Ed25519 key',
    remedy: 'Make one as [configuration.md](configuration.md) shows.',
  },
  SIGNING_KEY_MISSING: {
    happened: 'The signing key file cannot be read',
    remedy: 'Make one as [configuration.md](configuration.md) shows.',
  },
}

/** A code of an error of config-distribution. */
export type ConfigDistributionErrorCode = keyof typeof CONFIG_DISTRIBUTION_ERRORS

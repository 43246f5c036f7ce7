/** Errors of config-distribution. `code` is stable and explained in docs/errors.md. */
import { messageOf } from '@switchyard/values'
import type { ConfigDistributionErrorCode } from './error-codes.ts'

export abstract class ConfigDistributionError extends Error {
  abstract readonly code: ConfigDistributionErrorCode

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

const HOW_TO_MAKE_A_KEY =
  'Make one with "node services/config-distribution/src/main.ts create-signing-key <key file> <public keys file>": ' +
  'SWITCHYARD_SIGNING_KEY_FILE names the first file, SWITCHYARD_CONFIG_KEYS of the routers the second.'

export class SigningKeyMissingError extends ConfigDistributionError {
  override readonly code = 'SIGNING_KEY_MISSING'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(
      `The signing key file ${file} cannot be read (${messageOf(cause)}). Manifests cannot be signed, and routers take only signed ones. ${HOW_TO_MAKE_A_KEY}`,
      { cause },
    )
    this.file = file
  }
}

export class SigningKeyInvalidError extends ConfigDistributionError {
  override readonly code = 'SIGNING_KEY_INVALID'
  readonly file: string

  /** The cause is neither shown nor kept, since it could quote the key. */
  constructor(file: string, _cause: unknown) {
    super(
      `The signing key file ${file} does not hold a usable key. Expected: one private Ed25519 key as JWK (kty OKP, crv Ed25519, x, d). ${HOW_TO_MAKE_A_KEY}`,
    )
    this.file = file
  }
}

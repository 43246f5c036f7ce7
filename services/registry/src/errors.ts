import type { RegistryErrorCode } from './error-codes.ts'

/** Why a registry does not start. Refused requests are problems, not errors of this kind. */
export abstract class RegistryError extends Error {
  abstract readonly code: RegistryErrorCode
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
  }
}

export class NoApiKeyError extends RegistryError {
  override readonly code = 'NO_API_KEY'
  constructor() {
    super(
      'Nobody could use this registry: there is no API key in its log and no first one was given. ' +
        'Set SWITCHYARD_BOOTSTRAP_API_KEY.',
    )
  }
}

/** Why a registry does not start, or stops reading. Refused requests are problems, not errors of this kind. */
export abstract class RegistryError extends Error {
  abstract readonly code: string
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
  }
}

export class RecordUnreadableError extends RegistryError {
  override readonly code = 'RECORD_UNREADABLE'
  readonly subject: string
  readonly sequence: number
  constructor(subject: string, sequence: number, cause: unknown) {
    super(
      `The record at sequence ${sequence} (${subject}) cannot be understood by this version. Reading stopped before it, ` +
        'since a state without it would be one that nobody decided. Upgrade the registry.',
      cause,
    )
    this.subject = subject
    this.sequence = sequence
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

export class PortUnavailableError extends RegistryError {
  override readonly code = 'PORT_UNAVAILABLE'
  constructor(host: string, port: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      `The registry cannot listen on ${host}, port ${port}: ${reason}. Choose another port or free it.`,
      cause,
    )
  }
}

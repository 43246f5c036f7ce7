import type { StandaloneErrorCode } from './error-codes.ts'

/** Why nothing was started, said to the person who typed `switchyard up`. */
export abstract class StandaloneError extends Error {
  abstract readonly code: StandaloneErrorCode

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

export class PortTakenError extends StandaloneError {
  override readonly code = 'PORT_TAKEN'
  readonly port: number

  constructor(what: string, port: number, option: string, cause: unknown) {
    super(
      `Port ${port}, where the ${what} would listen, is taken. Stop what listens there, or choose another port with ${option}.`,
      { cause },
    )
    this.port = port
  }
}

export class ApiKeyInvalidError extends StandaloneError {
  override readonly code = 'API_KEY_INVALID'

  constructor(source: string) {
    super(
      `The API key in ${source} cannot be used: at least 16 printable ASCII characters without a space were expected.`,
    )
  }
}

export class RouterConfigUnreadableError extends StandaloneError {
  override readonly code = 'ROUTER_CONFIG_UNREADABLE'

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`The router's settings file ${path} cannot be read (${reason}), so nothing was started.`, { cause })
  }
}

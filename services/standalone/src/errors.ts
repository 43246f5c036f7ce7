/** Why nothing was started, said to the person who typed `switchyard up`. */
export abstract class StandaloneError extends Error {
  abstract readonly code: string

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
      `The API key in ${source} is none: swy_<id>_<secret> was expected, with letters and digits in the id and at least 32 characters in the secret.`,
    )
  }
}

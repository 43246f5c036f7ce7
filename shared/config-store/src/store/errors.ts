import type { ConfigStoreErrorCode } from './error-codes.ts'

/** Every error of this package. `code` is stable; messages are for people. */
export abstract class ConfigStoreError extends Error {
  abstract readonly code: ConfigStoreErrorCode

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

export class ConfigStoreUnavailableError extends ConfigStoreError {
  override readonly code = 'CONFIG_STORE_UNAVAILABLE'

  constructor(reason: string, cause?: unknown) {
    super(
      `The config store cannot be used: ${reason}. Readers keep what they have, the writer repeats what it wanted to ` +
        'write; this heals by itself when the store is back.',
      { cause },
    )
  }
}

export class InvalidArtifactError extends ConfigStoreError {
  override readonly code = 'INVALID_ARTIFACT'

  constructor(sha256: string, expected: string) {
    super(`Artifact "${sha256}" was refused by the config store. Expected: ${expected}.`)
  }
}

export class InvalidGraphKeyError extends ConfigStoreError {
  override readonly code = 'INVALID_GRAPH_KEY'

  constructor(namespace: string, graph: string) {
    super(
      `"${namespace}/${graph}" names no graph. Expected: a namespace and a graph name, neither of them empty.`,
    )
  }
}

export class InvalidStoreAddressError extends ConfigStoreError {
  override readonly code = 'INVALID_STORE_ADDRESS'

  constructor(problem: string) {
    super(
      `The address of the config store cannot be used: ${problem}${problem.endsWith('?') ? '' : '.'} Expected: redis://host:port/db, rediss://…, ` +
        'redis-sentinel://host:port,host:port/db?name=mymaster, or redis-cluster://host:port,host:port.',
    )
  }
}

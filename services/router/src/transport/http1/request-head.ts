/** Writes the request line and the header fields of a request. */
import { InvalidRequestError } from './connection-errors.ts'

const NOT_IN_PATH = /[^\u0021-\u00ff]/
const NOT_IN_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
/**
 * Header fields that say how a request is framed and what happens to its connection. Only the HTTP client
 * decides about them.
 */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/**
 * The number of paths and names that are remembered. An origin has few paths, and calls have few names, but
 * memory has to be bounded all the same.
 */
const MAX_REMEMBERED = 256

/** Refuses text that a server could read as something else. Valid names are remembered. */
export class FieldChecks {
  readonly #names = new Set<string>()

  /** Throws InvalidRequestError. */
  check(name: string, value: string): void {
    if (!this.#names.has(name)) this.#checkName(name)
    if (NOT_IN_VALUE.test(value)) throw new InvalidRequestError(`The value of the header ${name} is invalid.`)
  }

  /** Throws InvalidRequestError. */
  checkPath(path: string): void {
    if (!path.startsWith('/') || NOT_IN_PATH.test(path)) throw new InvalidRequestError('The path is invalid.')
  }

  #checkName(name: string): void {
    if (!TOKEN.test(name) || CONNECTION_HEADERS.has(name.toLowerCase()))
      throw new InvalidRequestError(`The header ${JSON.stringify(name)} cannot be sent.`)
    if (this.#names.size === MAX_REMEMBERED) this.#names.clear()
    this.#names.add(name)
  }
}

/** Writes the heads of requests to one origin. */
export class RequestHeads {
  readonly #host: string
  readonly #beginnings = new Map<string, string>()
  readonly #checks = new FieldChecks()

  /** `host` is the host with its port, as a URL shows it. */
  constructor(host: string) {
    this.#host = host
  }

  /**
   * Returns the head up to the field that says how the body is framed, which comes last. `fields` are names
   * and values alternately. Throws InvalidRequestError for text that a server could read as something else.
   */
  write(path: string, fields: readonly string[]): string {
    let head = this.#beginnings.get(path) ?? this.#beginningOf(path)
    for (let index = 0; index + 1 < fields.length; index += 2) {
      const name = fields[index] ?? ''
      const value = fields[index + 1] ?? ''
      this.#checks.check(name, value)
      head += `${name}: ${value}\r\n`
    }
    return head
  }

  #beginningOf(path: string): string {
    this.#checks.checkPath(path)
    const beginning = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nconnection: keep-alive\r\n`
    if (this.#beginnings.size === MAX_REMEMBERED) this.#beginnings.clear()
    this.#beginnings.set(path, beginning)
    return beginning
  }
}

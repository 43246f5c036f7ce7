/** Writes the form that a subgraph gets: its own `operations` and `map`, and the heads of files. */
import { randomBytes } from 'node:crypto'

/** A file as the client describes it. */
type SentFile = { readonly part: string; readonly name: string; readonly type: string }

const CRLF = '\r\n'
/** Types as they can stand in a header field. */
const TYPE = /^[!#$%&'*+.^_`|~\w-]{1,127}\/[!#$%&'*+.^_`|~\w-]{1,127}$/
const NO_TYPE = 'application/octet-stream'

/**
 * The form of one call. Nothing that a client chooses can be read as a part of its own: no file contains the
 * boundary, which nobody knows before, and parts have names that the router chooses.
 */
export class OutgoingForm {
  /** Names of parts by those that the client has given them. */
  readonly #names: ReadonlyMap<string, string>
  readonly #paths: ReadonlyMap<string, string>
  readonly #boundary = `----switchyard-${randomBytes(18).toString('hex')}`

  /** `paths` are the places of files in the variables of the call, by the names of their parts. */
  constructor(paths: ReadonlyMap<string, string>) {
    this.#paths = paths
    this.#names = new Map([...paths.keys()].map((part, index) => [part, String(index)]))
  }

  get contentType(): string {
    return `multipart/form-data; boundary=${this.#boundary}`
  }

  /** Returns whether a file is passed on. */
  has(part: string): boolean {
    return this.#paths.has(part)
  }

  fields(operations: string): Buffer {
    const places = [...this.#paths].map(([part, path]) => [this.#names.get(part), [path]])
    const map = JSON.stringify(Object.fromEntries(places))
    return Buffer.from(this.#field('operations', operations) + this.#field('map', map))
  }

  headOf({ part, name, type }: SentFile): Buffer {
    const disposition = `form-data; name="${this.#names.get(part) ?? ''}"; filename="${escaped(name)}"`
    const contentType = TYPE.test(type) ? type : NO_TYPE
    return Buffer.from(
      `--${this.#boundary}${CRLF}Content-Disposition: ${disposition}${CRLF}Content-Type: ${contentType}${CRLF}${CRLF}`,
    )
  }

  /** The line break after each file. */
  endOfFile(): Buffer {
    return Buffer.from(CRLF)
  }

  end(): Buffer {
    return Buffer.from(`--${this.#boundary}--${CRLF}`)
  }

  #field(name: string, value: string): string {
    return `--${this.#boundary}${CRLF}Content-Disposition: form-data; name="${name}"${CRLF}${CRLF}${value}${CRLF}`
  }
}

/**
 * Escapes a name as browsers do, and also what some readers take for the beginning of an escape:
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function escaped(name: string): string {
  return name.replaceAll(SPECIAL, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase()
    return `%${code.padStart(2, '0')}`
  })
}

// oxlint-disable-next-line no-control-regex -- these are escaped
const SPECIAL = /[\u0000-\u001f\u007f"\\]/g

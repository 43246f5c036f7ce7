/** Reads the status line and the header fields of an answer, and finds out how its body is framed. */
import { MalformedAnswerError } from './connection-errors.ts'
import { MAX_FIELDS, MAX_LENGTH_DIGITS } from './limits.ts'

/** Header fields by their names in lower case. The value is a list if a name occurs several times. */
export type Fields = Record<string, string | string[]>

/** How the end of a body is known (RFC 9112, section 6.3). */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

/** Status line and header fields of one answer. */
export type ResponseHead = {
  readonly status: number
  readonly fields: Fields
  readonly framing: BodyFraming
  /** True if another request may follow on the connection. */
  readonly keepAlive: boolean
  /** Milliseconds for which the server keeps the connection, by its `Keep-Alive`. Null if it does not say. */
  readonly keptFor: number | null
}

const STATUS_LINE = /HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/y
const FIELD = /([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)\r\n/y
const DIGITS = /^\d+$/
const KEPT_FOR = /timeout=(\d+)/
const NONE: BodyFraming = { kind: 'none' }
const CHUNKED: BodyFraming = { kind: 'chunked' }
const UNTIL_CLOSE: BodyFraming = { kind: 'until-close' }

/**
 * Parses a head. `text` goes up to the empty line, with the line break before it. Throws
 * MalformedAnswerError.
 */
export function parseResponseHead(text: string): ResponseHead {
  STATUS_LINE.lastIndex = 0
  const line = STATUS_LINE.exec(text)
  if (line === null) throw new MalformedAnswerError('does not begin with a status line of HTTP/1.1')
  const status = Number(line[2])
  const isNewest = line[1] === '1'
  const fields = parseFields(text, STATUS_LINE.lastIndex)
  const declared = framingOf(fields)
  const isBodyless = status < 200 || status === 204 || status === 304
  return {
    status,
    fields,
    framing: isBodyless ? NONE : declared,
    keepAlive:
      isKept(fields['connection'], isNewest) &&
      isSureToEnd(declared, isBodyless) &&
      // RFC 9112, section 6.1: a server that sends chunks with HTTP/1.0 may frame anything wrongly.
      (isNewest || declared.kind !== 'chunked'),
    keptFor: keptForOf(fields['keep-alive']),
  }
}

function isKept(connection: string | string[] | undefined, isNewest: boolean): boolean {
  if (connection === undefined) return isNewest
  if (connection === 'keep-alive') return true
  const options = String(connection).toLowerCase().split(',').map(trimmed)
  return !options.includes('close') && (isNewest || options.includes('keep-alive'))
}

/**
 * Returns whether the end of the answer is known. An answer without a body that declares one might be
 * followed by it.
 */
function isSureToEnd(declared: BodyFraming, isBodyless: boolean): boolean {
  if (!isBodyless) return declared.kind !== 'until-close'
  return declared.kind === 'none' || declared.kind === 'until-close'
}

/** Returns the fields in `text` from `start` to its end. Throws MalformedAnswerError. */
export function parseFields(text: string, start: number): Fields {
  const fields: Fields = Object.create(null)
  let count = 0
  let at = start
  while (at < text.length) {
    FIELD.lastIndex = at
    const field = FIELD.exec(text)
    if (++count > MAX_FIELDS) throw new MalformedAnswerError(`has more than ${MAX_FIELDS} header fields`)
    if (field === null)
      throw new MalformedAnswerError(`has a header field that is malformed (number ${count})`)
    add(fields, (field[1] ?? '').toLowerCase(), trimmed(field[2] ?? ''))
    at = FIELD.lastIndex
  }
  return fields
}

function add(fields: Fields, name: string, value: string): void {
  const known = fields[name]
  if (known === undefined) fields[name] = value
  else if (typeof known === 'string') fields[name] = [known, value]
  else known.push(value)
}

/**
 * Returns how the body is framed. Two declarations of the length, or an unusual one, are refused: with them,
 * answers are smuggled past a reader.
 */
function framingOf(fields: Fields): BodyFraming {
  const length = fields['content-length']
  const coding = fields['transfer-encoding']
  if (coding !== undefined) {
    if (length !== undefined)
      throw new MalformedAnswerError(
        'has both Content-Length and Transfer-Encoding, so that its end is unknown',
      )
    if (typeof coding !== 'string' || coding.toLowerCase() !== 'chunked')
      throw new MalformedAnswerError('has a Transfer-Encoding other than "chunked"')
    return CHUNKED
  }
  if (length === undefined) return UNTIL_CLOSE
  if (typeof length !== 'string') throw new MalformedAnswerError('has several Content-Length fields')
  if (!DIGITS.test(length) || length.length > MAX_LENGTH_DIGITS)
    throw new MalformedAnswerError('has a Content-Length that is not a usable number')
  const bytes = Number(length)
  return bytes === 0 ? NONE : { kind: 'length', length: bytes }
}

function keptForOf(value: string | string[] | undefined): number | null {
  if (value === undefined) return null
  const found = KEPT_FOR.exec(String(value))
  return found === null ? null : Number(found[1]) * 1000
}

/**
 * Returns `value` without spaces and tabs around it. `trim` would remove other characters, too, which are no
 * white space in a header field.
 */
function trimmed(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isSpace(value.charCodeAt(start))) start++
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--
  return end - start === value.length ? value : value.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

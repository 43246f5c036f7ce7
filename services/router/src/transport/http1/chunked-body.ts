/**
 * Reads bodies in chunks (RFC 9112, section 7.1). The data of chunks is moved together within the buffer that
 * it was read into, so that thousands of small chunks become one piece without being copied elsewhere one by
 * one.
 */
import { MalformedAnswerError } from './connection-errors.ts'
import { MAX_CHUNK_DIGITS, MAX_EXTENSIONS, MAX_HEAD_SIZE } from './limits.ts'
import { parseFields } from './response-head.ts'

/** The part that comes next: the parts of a chunk in their order, then the trailer section. */
type Expected = 'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailers' | 'nothing'

const EXTENSION_IS_MALFORMED = 'has a chunk extension that is malformed'
const CR = 0x0d
const LF = 0x0a
const SEMICOLON = 0x3b
/** The extensions of one chunk: `;name`, `;name=token`, `;name="quoted string"`, in any number. */
const EXTENSIONS = extensionsOf(/[!#$%&'*+.^_`|~\w-]+/, /"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"/)
/** Below this size a loop copies faster than a call of `copyWithin`. */
const SMALL_CHUNK = 32

/** Reads one body; `reset` prepares for the next. */
export class ChunkedBody {
  #expected: Expected = 'size'
  #size = 0
  #digits = 0
  /** Characters of the extensions of all chunks so far. */
  #extensions = 0
  /** The extensions of the chunk that is being read. */
  #extension = ''
  #trailers = ''
  /** The end of the data of the last piece. The data begins where the piece began. */
  dataEnd = 0

  reset(): void {
    this.#expected = 'size'
    this.#size = 0
    this.#digits = 0
    this.#extensions = 0
    this.#extension = ''
    this.#trailers = ''
  }

  get isComplete(): boolean {
    return this.#expected === 'nothing'
  }

  /**
   * Reads a piece of the body: the bytes of `buffer` from `start` to `end`. Returns where it stopped: at
   * `end`, or behind the body. Overwrites the piece from `start` to `dataEnd` with its data. Throws
   * MalformedAnswerError.
   */
  read(buffer: Buffer, start: number, end: number): number {
    let at = start
    this.dataEnd = start
    while (at < end && this.#expected !== 'nothing') {
      if (this.#expected === 'data') at = this.#moveData(buffer, at, end)
      else this.#readByte(buffer[at++] ?? 0)
    }
    return at
  }

  #moveData(buffer: Buffer, at: number, end: number): number {
    const length = Math.min(this.#size, end - at)
    if (length > SMALL_CHUNK) buffer.copyWithin(this.dataEnd, at, at + length)
    else for (let index = 0; index < length; index++) buffer[this.dataEnd + index] = buffer[at + index] ?? 0
    this.dataEnd += length
    this.#size -= length
    if (this.#size === 0) this.#expected = 'data-cr'
    return at + length
  }

  #readByte(byte: number): void {
    switch (this.#expected) {
      case 'size':
        return this.#readSize(byte)
      case 'extension':
        return this.#readExtension(byte)
      case 'size-lf':
        if (byte !== LF) throw malformed()
        this.#digits = 0
        this.#expected = this.#size === 0 ? 'trailers' : 'data'
        return
      case 'data-cr':
        if (byte !== CR) throw malformed()
        this.#expected = 'data-lf'
        return
      case 'data-lf':
        if (byte !== LF) throw malformed()
        this.#expected = 'size'
        return
      case 'trailers':
        return this.#readTrailers(byte)
      case 'data':
      case 'nothing':
        return
      default:
        return this.#expected satisfies never
    }
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte)
    if (digit >= 0) {
      if (++this.#digits > MAX_CHUNK_DIGITS) throw malformed()
      this.#size = this.#size * 16 + digit
      return
    }
    if (this.#digits === 0) throw malformed()
    if (byte === CR) this.#expected = 'size-lf'
    else if (byte === SEMICOLON) {
      this.#extension = ';'
      this.#expected = 'extension'
    } else throw malformed()
  }

  /** Checks that extensions are well-formed. Otherwise they mean nothing to the router. */
  #readExtension(byte: number): void {
    if (byte === CR) {
      if (!EXTENSIONS.test(this.#extension)) throw new MalformedAnswerError(EXTENSION_IS_MALFORMED)
      this.#expected = 'size-lf'
      return
    }
    if (!isText(byte)) throw malformed()
    this.#extension += String.fromCharCode(byte)
    if (++this.#extensions > MAX_EXTENSIONS)
      throw new MalformedAnswerError(`has more than ${MAX_EXTENSIONS} characters of chunk extensions`)
  }

  #readTrailers(byte: number): void {
    if (byte === LF && !this.#trailers.endsWith('\r')) throw malformed()
    this.#trailers += String.fromCharCode(byte)
    if (this.#trailers.length > MAX_HEAD_SIZE)
      throw new MalformedAnswerError(`has more than ${MAX_HEAD_SIZE} bytes of trailer fields`)
    if (byte !== LF) return
    if (this.#trailers !== '\r\n' && !this.#trailers.endsWith('\r\n\r\n')) return
    refuseFraming(this.#trailers.slice(0, -2))
    this.#expected = 'nothing'
  }
}

/** Refuses trailers that declare how the body is framed. All other trailers are ignored. */
function refuseFraming(trailers: string): void {
  const fields = parseFields(trailers, 0)
  if (fields['content-length'] !== undefined || fields['transfer-encoding'] !== undefined)
    throw new MalformedAnswerError('has Content-Length or Transfer-Encoding in its trailer fields')
}

function extensionsOf(token: RegExp, quoted: RegExp): RegExp {
  return new RegExp(`^(?:;${token.source}(?:=(?:${token.source}|${quoted.source}))?)+$`)
}

function malformed(): MalformedAnswerError {
  return new MalformedAnswerError('has a chunk that is malformed')
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Returns whether a byte may be in the value of a header field. */
function isText(byte: number): boolean {
  return byte === 0x09 || (byte >= 0x20 && byte !== 0x7f)
}

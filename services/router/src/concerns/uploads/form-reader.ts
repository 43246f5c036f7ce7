/**
 * Reads a form with files as it arrives: the fields `operations` and `map`, and the files after them. It
 * reads no further than files are taken, and holds no more than a few pieces of what has arrived.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { invalidUpload, SPECIFICATION, tooLargeUpload } from './refusals.ts'
import type { UploadLimits } from './settings.ts'

/** A file whose first bytes are there. */
export type ArrivingFile = {
  /** The name of its part. */
  readonly part: string
  readonly name: string
  readonly type: string
  readonly content: Readable
}

/** The fields before the files. */
export type FormFields = { readonly operations: string; readonly map: string }

/** Receives the parts of a form. */
export interface FormReceiver {
  /** Both fields are there. Nothing more is read until `goOn` of the reader is called. */
  fieldsRead(fields: FormFields): void
  /** A file begins. Its content has to be read, or destroyed. */
  fileBegan(file: ArrivingFile): void
  /** Something of the form has arrived. */
  arrived(): void
  /** The form is complete. Files that began may not be read yet. */
  ended(): void
  /** The form is not what was expected. Nothing more is called. */
  failed(error: Error): void
}

/** Bytes that `operations` and `map` may have together. */
export const MAX_FIELDS_SIZE = 256 * 1024
/** The fields before the files, and the delimiter behind the last part. */
const FIELDS = 2
const END = 1
/** Bytes of the header fields of one part, and their number. */
const MAX_HEAD_SIZE = 8 * 1024
const MAX_HEAD_FIELDS = 20
/** Bytes of a file that wait to be taken. */
const WAITING = 64 * 1024
/** Bytes of memory that a form takes, beside its fields: what is being read, and what waits to be taken. */
export const FORM_MEMORY = 192 * 1024

/** The name of a file that has none: a part without one would be no file for many servers. */
const NO_NAME = 'file'

type Reading = 'fields' | 'held' | 'files' | 'over'

/** Reads one form. */
export class FormReader {
  readonly #request: IncomingMessage
  readonly #limits: UploadLimits
  readonly #receiver: FormReceiver
  readonly #parser: BusboyInstance
  /** The bytes between two parts. */
  readonly #delimiter: Buffer
  readonly #files = new Set<BusboyFileStream>()
  #reading: Reading = 'fields'
  #operations: string | null = null
  /** Bytes that have arrived. */
  #length = 0
  /** Whether a piece of the request waits for the files before it to be taken. */
  #isFull = false
  /** How often the delimiter has come, as far as it was not cut. */
  #delimiters = 0

  /** Throws HttpError if the request is no form that could be read. */
  constructor(request: IncomingMessage, limits: UploadLimits, receiver: FormReceiver) {
    this.#request = request
    this.#limits = limits
    this.#receiver = receiver
    const boundary = boundaryOf(request.headers['content-type'] ?? '')
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#parser = parserFor(boundary, limits)
    this.#parser
      .on('field', (name, value, _isNameCut, isCut) => this.#field(name, value, isCut))
      .on('file', (part, content, name, _encoding, type) => this.#file(part, content, name, type))
      .on('partsLimit', () => this.#tooMany())
      .on('filesLimit', () => this.#tooMany())
      .on('fieldsLimit', () => this.#fail(misplaced('more than one of these fields')))
      .on('finish', () => this.#ended())
      .on('error', () => this.#fail(invalidUpload('The multipart body is malformed, or ends too early.')))
    request.on('data', this.#onData).on('end', this.#onEnd)
  }

  /** Whether more of the form could be read, if only more of it came. */
  get isHungry(): boolean {
    return (this.#reading === 'fields' || this.#reading === 'files') && !this.#isFull
  }

  /** Reads the files. */
  goOn(): void {
    if (this.#reading !== 'held') return
    this.#reading = 'files'
    this.#readOn()
  }

  /** Reads nothing more. The request stays paused until somebody lets the rest of it run out. */
  stop(): void {
    if (this.#reading === 'over') return
    this.#reading = 'over'
    this.#request.off('data', this.#onData).off('end', this.#onEnd).pause()
    for (const file of this.#files) file.destroy()
    this.#files.clear()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#length += chunk.length
    const { maxSize } = this.#limits
    if (this.#length > maxSize) return this.#fail(tooLargeForm(maxSize))
    if (this.#hasTooManyParts(chunk)) return this.#tooMany()
    this.#receiver.arrived()
    this.#isFull = true
    this.#request.pause()
    this.#parser.write(chunk, () => {
      this.#isFull = false
      this.#readOn()
    })
  }

  readonly #onEnd = (): void => {
    // HTTP/2 also ends what was broken off.
    if (this.#request.complete) this.#parser.end()
  }

  #readOn(): void {
    if (this.isHungry) this.#request.resume()
  }

  #field(name: string, value: string, isCut: boolean): void {
    if (this.#reading === 'over') return
    if (isCut || Buffer.byteLength(value) + Buffer.byteLength(this.#operations ?? '') > MAX_FIELDS_SIZE)
      return this.#fail(
        tooLargeUpload(
          `The fields "operations" and "map" are larger than the ${MAX_FIELDS_SIZE} bytes allowed.`,
        ),
      )
    const expected = this.#operations === null ? 'operations' : 'map'
    if (this.#reading !== 'fields' || name !== expected) return this.#fail(misplaced(`the field "${name}"`))
    if (this.#operations === null) this.#operations = value
    else {
      this.#reading = 'held'
      this.#receiver.fieldsRead({ operations: this.#operations, map: value })
    }
  }

  #file(part: string | undefined, content: BusboyFileStream, name: string | undefined, type: string): void {
    content.on('error', () => {})
    if (this.#reading === 'over') return void content.destroy()
    if (this.#reading === 'fields') {
      content.destroy()
      return this.#fail(misplaced('a file'))
    }
    if (part === undefined) {
      content.destroy()
      return this.#fail(
        invalidUpload('A part of the multipart body has no name. Expected one for each file.'),
      )
    }
    this.#files.add(content)
    content.on('close', () => this.#files.delete(content))
    content.on('limit', () => this.#fail(tooLargeFile(this.#limits.maxFileSize)))
    this.#receiver.fileBegan({
      part,
      name: name === undefined || name === '' ? NO_NAME : name,
      type,
      content,
    })
  }

  #ended(): void {
    if (this.#reading === 'over') return
    if (this.#reading === 'fields')
      return this.#fail(
        invalidUpload(
          `The multipart body has no field "${this.#operations === null ? 'operations' : 'map'}". ${EXPECTED}`,
        ),
      )
    this.#receiver.ended()
  }

  /**
   * Returns whether there are more parts than a form may have. The parser would go through all parts of a
   * piece before it stops: 13,000 of five bytes took 14 ms, and with many connections a turn took 277 ms.
   */
  #hasTooManyParts(chunk: Buffer): boolean {
    const most = this.#limits.maxFiles + FIELDS + END
    for (let at = this.#nextDelimiter(chunk, 0); at >= 0; at = this.#nextDelimiter(chunk, at + 1))
      if (++this.#delimiters > most) return true
    return false
  }

  #nextDelimiter(chunk: Buffer, from: number): number {
    return chunk.indexOf(this.#delimiter, from)
  }

  #tooMany(): void {
    const { maxFiles } = this.#limits
    this.#fail(tooLargeUpload(`The request has more than the ${maxFiles} files allowed (uploads.max_files).`))
  }

  #fail(error: Error): void {
    if (this.#reading === 'over') return
    this.stop()
    this.#receiver.failed(error)
  }
}

/** As RFC 2046, section 5.1.1, has boundaries, without spaces. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'+.-]{1,70}))\s*(?:;|$)/i

function boundaryOf(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary !== undefined) return boundary
  throw invalidUpload(
    'The Content-Type multipart/form-data has no boundary, or one that is none. Expected 1 to 70 letters, digits and signs: multipart/form-data; boundary=…',
  )
}

function parserFor(boundary: string, { maxFiles, maxFileSize }: UploadLimits): BusboyInstance {
  return new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    isPartAFile: (name) => name !== 'operations' && name !== 'map',
    fileHwm: WAITING,
    limits: {
      fields: FIELDS,
      fieldSize: MAX_FIELDS_SIZE,
      files: maxFiles,
      fileSize: maxFileSize,
      parts: maxFiles + FIELDS,
      headerPairs: MAX_HEAD_FIELDS,
      headerSize: MAX_HEAD_SIZE,
    },
  })
}

const EXPECTED = `Expected the fields "operations" and "map", in this order, and files after them: ${SPECIFICATION}`

function misplaced(what: string): Error {
  return invalidUpload(`The multipart body has ${what} where it was not expected. ${EXPECTED}`)
}

function tooLargeFile(limit: number): Error {
  return tooLargeUpload(`A file is larger than the ${limit} bytes allowed (uploads.max_file_size).`)
}

/** The whole body is too large. */
export function tooLargeForm(limit: number): Error {
  return tooLargeUpload(
    `The request with its files is larger than the ${limit} bytes allowed (uploads.max_size).`,
  )
}

/** Checks that a file is an export, to its last line. Nothing is written before that is known. */
import { createHash } from 'node:crypto'
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  EXPORTED_LOGS,
  ExportHeader,
  type ExportedPiece,
  type ExportedRecord,
  ExportLine,
  MAX_ARTIFACT_BYTES,
  MAX_RECORD_BYTES,
  OLDEST_EXPORT_VERSION,
  problem,
  ProblemError,
  type TransferCounts,
} from '@switchyard/contracts'
import {
  chunksOf,
  InvalidPieceListError,
  type PieceList,
  parsePieceList,
} from '@switchyard/contracts/artifact-pieces'
import { messageOf } from '@switchyard/values'
import { z } from 'zod'
import type { Names } from '../reading/blob-references.ts'
import { namesIn } from './known-record.ts'
import { LineTooLongError, type NumberedLine } from './read-lines.ts'

/** The largest blob in base64, and the rest of its line. */
export const MAX_LINE_BYTES = Math.ceil(MAX_ARTIFACT_BYTES / 3) * 4 + 1024

/** How compressed files begin, read as UTF-8: the second byte is none. */
const GZIP = '\u001F\uFFFD'

/** An export that is whole. */
export type CheckedExport = {
  readonly counts: TransferCounts
  /** The subjects of all its records. */
  readonly subjects: ReadonlySet<string>
  /** The sequence of the last config record, by its subject. */
  readonly newestConfigs: ReadonlyMap<string, number>
}

/** Throws a ProblemError that names the first line that is wrong. */
export async function checkExport(lines: AsyncIterable<NumberedLine>): Promise<CheckedExport> {
  const check = new ExportCheck()
  let last = 0
  try {
    for await (const { number, text } of lines) {
      last = number
      check.take(text)
    }
    return check.finish()
  } catch (error) {
    if (error instanceof LineTooLongError) throw invalid(error.line, error.message)
    if (error instanceof InvalidLine) throw invalid(Math.max(last, 1), error.message)
    throw error
  }
}

class InvalidLine extends Error {}

class ExportCheck {
  readonly #blobs = new Set<string>()
  readonly #chunks = new Set<string>()
  readonly #lists = new Set<string>()
  /** The artifact of each list. */
  readonly #artifactsOfLists = new Map<string, string>()
  readonly #records = { configs: 0, compositions: 0, registry: 0 }
  readonly #subjects = new Set<string>()
  readonly #newestConfigs = new Map<string, number>()
  #log: number | null = null
  #began = false
  #end: TransferCounts | null = null

  take(text: string): void {
    if (this.#end !== null) throw new InvalidLine('the file goes on after its end line')
    if (!this.#began) {
      checkHeader(text)
      this.#began = true
      return
    }
    const line = parse(ExportLine, text)
    switch (line.type) {
      case 'header':
        throw new InvalidLine('there is a second header line')
      case 'blob':
        return this.#takeBlob(line.sha256, line.base64)
      case 'piece':
        return this.#takePiece(line)
      case 'record':
        return this.#takeRecord(line)
      case 'end':
        return this.#takeEnd(line)
      default:
        return line satisfies never
    }
  }

  finish(): CheckedExport {
    if (!this.#began) throw new InvalidLine('the file is empty')
    if (this.#end === null) throw new InvalidLine('the file was cut off: it has no end line')
    return { counts: this.#end, subjects: this.#subjects, newestConfigs: this.#newestConfigs }
  }

  #takeBlob(sha256: string, base64: string): void {
    if (this.#log !== null)
      throw new InvalidLine('there is a blob after the first record; all blobs come before the records')
    contentOf('blob', sha256, base64)
    if (this.#blobs.has(sha256)) throw new InvalidLine(`the blob ${sha256} appears twice`)
    this.#blobs.add(sha256)
  }

  #takePiece({ kind, sha256, base64 }: ExportedPiece): void {
    if (this.#log !== null)
      throw new InvalidLine('there is a piece after the first record; all pieces come before the records')
    const bytes = contentOf('piece', sha256, base64)
    if (this.#chunks.has(sha256) || this.#lists.has(sha256))
      throw new InvalidLine(`the piece ${sha256} appears twice`)
    if (kind === 'chunk') {
      this.#chunks.add(sha256)
      return
    }
    const list = readList(sha256, bytes)
    const missing = [...chunksOf(list)].find((chunk) => !this.#chunks.has(chunk))
    if (missing !== undefined)
      throw new InvalidLine(`the list ${sha256} names the chunk ${missing}, which does not come before it`)
    this.#lists.add(sha256)
    this.#artifactsOfLists.set(sha256, list.artifact)
  }

  #takeRecord(record: ExportedRecord): void {
    const { log, sequence } = record
    const position = EXPORTED_LOGS.indexOf(log)
    if (position < (this.#log ?? 0)) {
      throw new InvalidLine(
        `the records come in the order ${EXPORTED_LOGS.join(', ')}, but here is one of ${log} again`,
      )
    }
    this.#log = position
    const expected = this.#records[log] + 1
    if (sequence !== expected) {
      throw new InvalidLine(
        `the next record of ${log} must have the sequence ${expected}, but this one has ${sequence}`,
      )
    }
    const bytes = Buffer.byteLength(JSON.stringify(record.record ?? null))
    if (bytes > MAX_RECORD_BYTES) {
      throw new InvalidLine(`the record has ${bytes} bytes; at most ${MAX_RECORD_BYTES} are allowed`)
    }
    this.#requireNamed(record)
    this.#records[log] = sequence
    this.#subjects.add(record.subject)
    // What is quarantined stands as a text.
    if (log === 'configs' && typeof record.record !== 'string') {
      this.#newestConfigs.set(record.subject, sequence)
    }
  }

  /**
   * Blobs have to be in the file, or the pieces of an artifact that is one. Lists may be absent otherwise:
   * the registry that was exported had lost them, or was of a version without pieces. The record still names
   * them, and readers use the artifact.
   */
  #requireNamed(record: ExportedRecord): void {
    const { blobs, lists, inPieces } = namedBy(record)
    const made = new Set(
      inPieces.flatMap(({ artifact, pieces }) =>
        this.#artifactsOfLists.get(pieces) === artifact ? [artifact] : [],
      ),
    )
    const missing = blobs.find((sha256) => !this.#blobs.has(sha256) && !made.has(sha256))
    if (missing !== undefined)
      throw new InvalidLine(`the record refers to the blob ${missing}, which the file does not contain`)
    const chunk = lists.find((sha256) => this.#chunks.has(sha256))
    if (chunk !== undefined)
      throw new InvalidLine(`the record refers to ${chunk} as a list of chunks, but it is a chunk`)
  }

  #takeEnd(end: TransferCounts): void {
    const { configs, compositions, registry } = this.#records
    const { blobs, pieces = 0, records } = end
    const isWhole =
      blobs === this.#blobs.size &&
      pieces === this.#chunks.size + this.#lists.size &&
      records.configs === configs &&
      records.compositions === compositions &&
      records.registry === registry
    if (!isWhole)
      throw new InvalidLine(
        'the end line gives other numbers of blobs, pieces and records than the file contains',
      )
    this.#end = { blobs, pieces, records }
  }
}

/** Apart from the others: a newer version may look different from here on. */
function checkHeader(text: string): void {
  if (text.startsWith(GZIP)) {
    throw new InvalidLine(
      'the file is compressed by gzip; decompress it on the way, as "gunzip -c backup.ndjson.gz | switchyard registry import -" does',
    )
  }
  const { version } = parse(
    ExportHeader,
    text,
    `this is not a ${EXPORT_FORMAT} file, as "switchyard registry export" writes them`,
  )
  if (version >= OLDEST_EXPORT_VERSION && version <= EXPORT_VERSION) return
  throw new InvalidLine(
    `the file has the export version ${version}, and this registry reads only the versions ${OLDEST_EXPORT_VERSION} to ${EXPORT_VERSION}`,
  )
}

function contentOf(what: string, sha256: string, base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === sha256) return bytes
  throw new InvalidLine(
    `the line gives the hash ${sha256}, but the content of the ${what} has the hash ${found}`,
  )
}

function readList(sha256: string, bytes: Buffer): PieceList {
  try {
    return parsePieceList(bytes)
  } catch (error) {
    if (!(error instanceof InvalidPieceListError)) throw error
    throw new InvalidLine(`the list ${sha256} cannot be read: ${describe(error)}`)
  }
}

function namedBy(record: ExportedRecord): Names {
  try {
    return namesIn(record)
  } catch (error) {
    throw new InvalidLine(`the record cannot be read: ${describe(error)}`)
  }
}

function parse<Value>(schema: z.ZodType<Value>, text: string, otherwise = 'the line cannot be read'): Value {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new InvalidLine(`${otherwise}: ${describe(error)}`)
  }
}

function describe(error: unknown): string {
  const text = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

function invalid(line: number, reason: string): ProblemError {
  const detail = `Line ${line} of the export: ${reason.slice(0, 2000)}. Nothing was imported.`
  return new ProblemError(problem('IMPORT_INVALID', detail))
}

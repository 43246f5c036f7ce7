/**
 * Writes the registry down: everything that its logs held at one moment, as the lines of `transfer.ts`.
 *
 * The logs' ends are taken in the order configs, compositions, registry: what a record refers to was written
 * before it, so whatever the export holds of one log, it also holds what that came from.
 */
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  EXPORTED_LOGS,
  type ExportedRecord,
  type ExportLine,
  reasonAgainstRecord,
  type TransferCounts,
} from '@switchyard/contracts'
import {
  BlobStoreUnavailableError,
  type BlobStore,
  type EventLog,
  type LogEntry,
  NotJson,
} from '@switchyard/event-log'
import { exportPieces } from './export-pieces.ts'
import { namesIn } from './known-record.ts'

/** Characters of a quarantined entry that an export keeps. */
const MOST_QUARANTINED_TEXT = 1000

export type ExportSource = {
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  /** Unix milliseconds. */
  readonly now: () => number
  /**
   * Called if the export lacks lists of pieces that records name, with their number and a reason. Their
   * artifacts are in the export as a whole, or there is no export.
   */
  readonly onPiecesLeftOut: (lists: number, reason: string) => void
}

/**
 * Lines with their line ends. Throws, and so never gets to the end line, when a log or a blob cannot be read,
 * or when a record is not understood.
 */
export async function* exportLines({
  log,
  blobs,
  pieces,
  now,
  onPiecesLeftOut,
}: ExportSource): AsyncGenerator<string, TransferCounts> {
  const records = { configs: 0, compositions: 0, registry: 0 }
  for (const name of EXPORTED_LOGS) {
    records[name] = (await log.last({ kind: 'log', log: name }))?.sequence ?? 0
  }
  const named = { blobs: new Set<string>(), lists: new Set<string>(), inPieces: new Map<string, string[]>() }
  for await (const record of recordsUpTo(log, records)) {
    const names = namesIn(record)
    for (const sha256 of names.blobs) named.blobs.add(sha256)
    for (const sha256 of names.lists) named.lists.add(sha256)
    for (const { artifact, pieces: list } of names.inPieces) {
      const lists = named.inPieces.get(artifact)
      if (lists === undefined) named.inPieces.set(artifact, [list])
      else if (!lists.includes(list)) lists.push(list)
    }
  }
  yield line({
    type: 'header',
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    createdAt: new Date(now()).toISOString(),
  })
  let blobCount = 0
  const onlyInPieces: string[] = []
  for (const sha256 of named.blobs) {
    if (named.inPieces.has(sha256) && !(await blobs.has(sha256))) {
      onlyInPieces.push(sha256)
      continue
    }
    yield line({ type: 'blob', sha256, base64: Buffer.from(await blobs.get(sha256)).toString('base64') })
    blobCount += 1
  }
  let written = 0
  const lists = new Set<string>()
  let lost = ''
  const leftOut = (count: number, reason: string) => {
    lost = reason
    onPiecesLeftOut(count, reason)
  }
  for await (const piece of exportPieces(pieces, named.lists, leftOut)) {
    yield line(piece)
    written += 1
    if (piece.kind === 'list') lists.add(piece.sha256)
  }
  for (const artifact of onlyInPieces)
    if (named.inPieces.get(artifact)?.some((list) => lists.has(list)) !== true)
      throw new BlobStoreUnavailableError(
        `the artifact ${artifact} is stored in pieces only, and these cannot be exported: ${lost}`,
      )
  for await (const record of recordsUpTo(log, records)) yield line(record)
  const counts: TransferCounts = { blobs: blobCount, pieces: written, records }
  yield line({ type: 'end', ...counts })
  return counts
}

async function* recordsUpTo(log: EventLog, ends: TransferCounts['records']): AsyncGenerator<ExportedRecord> {
  for (const name of EXPORTED_LOGS) {
    if (ends[name] === 0) continue
    for await (const { sequence, subject, record } of log.read({ kind: 'log', log: name }, 1)) {
      if (sequence > ends[name]) break
      yield { type: 'record', log: name, sequence, subject, record: exported(name, record) }
    }
  }
}

/**
 * Returns an entry of a log as it is exported. An entry that is no valid record keeps its position, since
 * later sequences depend on it. It is exported as the beginning of its text: a string, which an import does
 * not take for a record either.
 */
function exported(log: ExportedRecord['log'], record: unknown): LogEntry['record'] {
  if (record instanceof NotJson) return record.text.slice(0, MOST_QUARANTINED_TEXT)
  if (reasonAgainstRecord(log, record) === null) return record
  return JSON.stringify(record).slice(0, MOST_QUARANTINED_TEXT)
}

function line(value: ExportLine): string {
  return `${JSON.stringify(value)}\n`
}

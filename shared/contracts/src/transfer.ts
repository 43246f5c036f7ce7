/**
 * A registry as JSON Lines: what `GET /v1/export` writes and `POST /v1/import` reads.
 *
 * One header; every blob that a record names; pieces of artifacts, each once, a list behind its chunks;
 * every record of the logs `configs`, `compositions` and `registry`, in this order, each log from sequence 1
 * without gaps, with the records that the folds skip; one end line with the counts, so that a file that was
 * cut off shows it. An import writes in the order of the lines: whoever follows the registry's log finds the
 * results of each record there already.
 *
 * An artifact in pieces is in the file as a whole, or with all of its pieces, or both. Where it is there as a
 * whole, a list that a record names may be absent: readers then use the artifact. Version 1 is the same
 * without pieces.
 */
import { z } from 'zod'
import { Sha256 } from './names.ts'

export const EXPORT_FORMAT = 'switchyard-export'
export const EXPORT_VERSION = 2
/** An import reads this version and those between it and the one that exports have. */
export const OLDEST_EXPORT_VERSION = 1
export const EXPORT_MEDIA_TYPE = 'application/x-ndjson'
/** In the order of an export. */
export const EXPORTED_LOGS = ['configs', 'compositions', 'registry'] as const

const LogName = z.enum(EXPORTED_LOGS)
const count = z.int().min(0)
export const TransferCounts = z.object({
  blobs: count,
  /** Lists and chunks. Absent in files of version 1. */
  pieces: count.optional(),
  records: z.strictObject({ configs: count, compositions: count, registry: count }),
})
export type TransferCounts = z.infer<typeof TransferCounts>

/** The counts of imported things, and warnings about them. */
export const ImportOutcome = TransferCounts.extend({ warnings: z.array(z.string()) })
export type ImportOutcome = z.infer<typeof ImportOutcome>

export const ExportHeader = z.object({
  type: z.literal('header'),
  format: z.literal(EXPORT_FORMAT),
  version: z.int(),
  createdAt: z.iso.datetime(),
})
export const ExportLine = z.discriminatedUnion('type', [
  ExportHeader,
  z.strictObject({ type: z.literal('blob'), sha256: Sha256, base64: z.base64() }),
  z.strictObject({
    type: z.literal('piece'),
    kind: z.enum(['chunk', 'list']),
    sha256: Sha256,
    base64: z.base64(),
  }),
  z.strictObject({
    type: z.literal('record'),
    log: LogName,
    sequence: z.int().min(1),
    subject: z.string(),
    record: z.unknown(),
  }),
  TransferCounts.extend({ type: z.literal('end') }),
])
export type ExportLine = z.infer<typeof ExportLine>
export type ExportedPiece = Extract<ExportLine, { type: 'piece' }>
export type ExportedRecord = Extract<ExportLine, { type: 'record' }>

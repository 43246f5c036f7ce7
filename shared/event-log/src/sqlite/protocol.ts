import type { LogName } from '../log/event-log.ts'

/** The table of the blobs that records name, and that of pieces of artifacts. */
export type BlobTable = 'blobs' | 'pieces'

/** The requests of the storage to its worker thread, and their results. */
export type Operations = {
  readonly append: {
    readonly input: {
      readonly log: LogName
      readonly subject: string
      readonly text: string
      readonly expectedLast: number
    }
    readonly output: number
  }
  /** The matching records with from <= sequence <= through, cut when the page is big enough. */
  readonly page: {
    readonly input: RecordSelection & { readonly from: number; readonly through: number }
    readonly output: {
      readonly rows: readonly RecordRow[]
      /** Everything up to here was looked at. */
      readonly scannedThrough: number
    }
  }
  readonly last: { readonly input: RecordSelection; readonly output: RecordRow | null }
  readonly subjects: { readonly input: { readonly log: LogName }; readonly output: readonly string[] }
  readonly putBlob: {
    readonly input: { readonly table: BlobTable; readonly bytes: Uint8Array }
    readonly output: string
  }
  readonly putBlobs: {
    readonly input: { readonly table: BlobTable; readonly blobs: readonly Uint8Array[] }
    readonly output: readonly string[]
  }
  readonly getBlob: {
    readonly input: { readonly table: BlobTable; readonly sha256: string }
    readonly output: { readonly bytes: Uint8Array; readonly actual: string } | null
  }
  readonly hasBlob: {
    readonly input: { readonly table: BlobTable; readonly sha256: string }
    readonly output: boolean
  }
  readonly listBlobs: {
    readonly input: { readonly table: BlobTable; readonly after: string }
    readonly output: readonly BlobRow[]
  }
  readonly deleteBlob: {
    readonly input: {
      readonly table: BlobTable
      readonly sha256: string
      readonly storedBefore: number | null
    }
    readonly output: boolean
  }
  readonly getValue: {
    readonly input: { readonly key: string }
    readonly output: { readonly bytes: Uint8Array; readonly revision: number } | null
  }
  readonly setValue: {
    readonly input: { readonly key: string; readonly bytes: Uint8Array; readonly revision: number }
    readonly output: boolean
  }
  readonly valueKeys: { readonly input: { readonly prefix: string }; readonly output: readonly string[] }
  readonly deleteValue: { readonly input: { readonly key: string }; readonly output: null }
  readonly close: { readonly input: null; readonly output: null }
}

export type RecordSelection = { readonly log: LogName; readonly subject: string | null }
export type RecordRow = { readonly sequence: number; readonly subject: string; readonly text: string }
export type BlobRow = { readonly sha256: string; readonly storedAt: number; readonly size: number }

export type OperationName = keyof Operations
export type OperationInput<Name extends OperationName> = Operations[Name]['input']
export type OperationOutput<Name extends OperationName> = Operations[Name]['output']

export type WorkerOptions = {
  readonly file: string
  readonly maxBytes: number | null
}

/** A call with its input, one variant per operation. */
export type DatabaseCall = {
  readonly [Name in OperationName]: { readonly name: Name; readonly input: OperationInput<Name> }
}[OperationName]

export type WorkerRequest = { readonly id: number; readonly call: DatabaseCall }

export type WorkerReply =
  | { readonly type: 'opened'; readonly heads: Readonly<Record<LogName, number>> }
  | { readonly type: 'refused'; readonly failure: DatabaseFailure }
  | { readonly type: 'done'; readonly id: number; readonly output: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly failure: DatabaseFailure }

/** Errors do not keep their class between threads, so they travel as values. */
export type DatabaseFailure =
  | { readonly kind: 'conflict'; readonly actualLast: number }
  | { readonly kind: 'in-use'; readonly detail: string }
  | { readonly kind: 'newer-format'; readonly found: number; readonly known: number }
  | { readonly kind: 'full'; readonly detail: string }
  | { readonly kind: 'damaged'; readonly detail: string }
  /** A failed write or sync: what is on the disk is not known until the file is opened again. */
  | { readonly kind: 'io'; readonly detail: string }
  | { readonly kind: 'unexpected'; readonly detail: string }

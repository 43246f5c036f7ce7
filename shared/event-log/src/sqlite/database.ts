/**
 * The database file of the embedded storage: records and blobs of one machine.
 *
 * Runs in the worker thread, synchronously. `locking_mode=EXCLUSIVE` together with a write at open means that
 * the file belongs to this process until it ends, however it ends: the operating system drops the lock,
 * nothing is left to clean up after a kill. `synchronous=FULL` makes every commit wait for the disk, so an
 * acknowledged append survives a power cut.
 */
import { createHash } from 'node:crypto'
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { RENEWED_AFTER_MS } from '../log/blob.ts'
import type { LogName } from '../log/event-log.ts'
import { LOG_NAMES } from '../log/subjects.ts'
import { VALUE_TABLE, valueOperations } from './database-values.ts'
import type {
  BlobRow,
  BlobTable,
  OperationInput,
  OperationName,
  OperationOutput,
  RecordRow,
  RecordSelection,
  WorkerOptions,
} from './protocol.ts'

const FORMAT = 1
const OWNER_ONLY = 0o600
const PAGE_ROWS = 1_000
const PAGE_CHARACTERS = 4 * 1024 * 1024
const BLOB_PAGE = 500

const SCHEMA = `
  CREATE TABLE records (
    log TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    subject TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX records_by_sequence ON records (log, sequence);
  CREATE UNIQUE INDEX records_by_subject ON records (log, subject, sequence);
  ${blobTable('blobs')}
  PRAGMA user_version = ${FORMAT};
`

function blobTable(name: BlobTable): string {
  return `CREATE TABLE IF NOT EXISTS ${name} (
    sha256 TEXT NOT NULL PRIMARY KEY,
    stored_at INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;`
}

export class ConflictSignal extends Error {
  readonly actualLast: number
  constructor(actualLast: number) {
    super('conflict')
    this.actualLast = actualLast
  }
}

export class NewerFormatSignal extends Error {
  readonly found: number
  readonly known = FORMAT
  constructor(found: number) {
    super('newer format')
    this.found = found
  }
}

export type Database = {
  readonly heads: Readonly<Record<LogName, number>>
  readonly operations: {
    readonly [Name in OperationName]: (input: OperationInput<Name>) => OperationOutput<Name>
  }
}

export function openDatabase({ file, maxBytes }: WorkerOptions): Database {
  makePrivate(file)
  const db = new DatabaseSync(file)
  try {
    prepare(db, maxBytes)
    return { heads: readHeads(db), operations: operationsOn(db) }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Schemas and routing URLs are in it: its owner alone may read it. SQLite gives the files beside it the mode
 * of this one. A file that is there is not opened: closing it would drop the locks that this process has on
 * it.
 */
function makePrivate(file: string): void {
  try {
    if (existsSync(file)) chmodSync(file, OWNER_ONLY)
    else closeSync(openSync(file, 'wx', OWNER_ONLY))
  } catch {
    // SQLite, which opens it next, says better why it cannot be used.
  }
}

function prepare(db: DatabaseSync, maxBytes: number | null): void {
  db.exec(
    'PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL',
  )
  if (maxBytes !== null) {
    const pageSize = numberOf(db.prepare('PRAGMA page_size').get(), 'page_size')
    db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`)
  }
  // Taking the write lock now, not at the first append, is what refuses a second process at its start.
  db.exec('BEGIN EXCLUSIVE')
  const format = numberOf(db.prepare('PRAGMA user_version').get(), 'user_version')
  if (format > FORMAT) throw new NewerFormatSignal(format)
  if (format === 0) db.exec(SCHEMA)
  // The format stays 1: versions that do not know these tables leave them as they are.
  db.exec(blobTable('pieces'))
  db.exec(VALUE_TABLE)
  db.exec('COMMIT')
}

function readHeads(db: DatabaseSync): Readonly<Record<LogName, number>> {
  const head = db.prepare('SELECT max(sequence) AS head FROM records WHERE log = ?')
  const [registry, compositions, configs] = LOG_NAMES.map((log) => numberOf(head.get(log), 'head'))
  return { registry: registry ?? 0, compositions: compositions ?? 0, configs: configs ?? 0 }
}

function operationsOn(db: DatabaseSync): Database['operations'] {
  const columns = 'SELECT sequence, subject, record FROM records'
  const sql = {
    logHead: db.prepare('SELECT max(sequence) AS head FROM records WHERE log = ?'),
    subjectHead: db.prepare('SELECT max(sequence) AS head FROM records WHERE log = ? AND subject = ?'),
    insert: db.prepare('INSERT INTO records (log, sequence, subject, record) VALUES (?, ?, ?, ?)'),
    page: db.prepare(
      `${columns} WHERE log = ? AND sequence BETWEEN ? AND ? ORDER BY sequence LIMIT ${PAGE_ROWS}`,
    ),
    subjectPage: db.prepare(
      `${columns} WHERE log = ? AND subject = ? AND sequence BETWEEN ? AND ? ORDER BY sequence LIMIT ${PAGE_ROWS}`,
    ),
    last: db.prepare(`${columns} WHERE log = ? ORDER BY sequence DESC LIMIT 1`),
    subjectLast: db.prepare(`${columns} WHERE log = ? AND subject = ? ORDER BY sequence DESC LIMIT 1`),
    subjects: db.prepare('SELECT DISTINCT subject FROM records WHERE log = ? ORDER BY subject'),
  }
  const blobs = { blobs: blobStatements(db, 'blobs'), pieces: blobStatements(db, 'pieces') }

  return {
    append({ log, subject, text, expectedLast }) {
      return inTransaction(db, () => {
        const actualLast = numberOf(sql.subjectHead.get(log, subject), 'head')
        if (actualLast !== expectedLast) throw new ConflictSignal(actualLast)
        const sequence = numberOf(sql.logHead.get(log), 'head') + 1
        sql.insert.run(log, sequence, subject, text)
        return sequence
      })
    },

    page({ log, subject, from, through }) {
      const found =
        subject === null
          ? sql.page.iterate(log, from, through)
          : sql.subjectPage.iterate(log, subject, from, through)
      const rows: RecordRow[] = []
      let characters = 0
      for (const row of found) {
        const parsed = rowOf(row)
        rows.push(parsed)
        characters += parsed.text.length
        if (characters >= PAGE_CHARACTERS) break
      }
      const cut = rows.length === PAGE_ROWS || characters >= PAGE_CHARACTERS
      return { rows, scannedThrough: cut ? (rows.at(-1)?.sequence ?? through) : through }
    },

    last({ log, subject }: RecordSelection) {
      const row = subject === null ? sql.last.get(log) : sql.subjectLast.get(log, subject)
      return row === undefined ? null : rowOf(row)
    },

    subjects: ({ log }) => sql.subjects.all(log).map((row) => textOf(row, 'subject')),

    putBlob: ({ table, bytes }) => putBlob(blobs[table], bytes),

    putBlobs: ({ table, blobs: all }) =>
      inTransaction(db, () => all.map((bytes) => putBlob(blobs[table], bytes))),

    getBlob({ table, sha256 }) {
      const row = blobs[table].get.get(sha256)
      if (row === undefined) return null
      const bytes = row['bytes']
      if (!(bytes instanceof Uint8Array)) throw new TypeError('Column bytes is not a blob.')
      return { bytes, actual: createHash('sha256').update(bytes).digest('hex') }
    },

    hasBlob: ({ table, sha256 }) => blobs[table].has.get(sha256) !== undefined,

    listBlobs: ({ table, after }) => blobs[table].list.all(after).map(blobRowOf),

    deleteBlob: ({ table, sha256, storedBefore }) =>
      Number(blobs[table].delete.run(sha256, storedBefore, storedBefore).changes) > 0,

    ...valueOperations(db),

    close() {
      db.close()
      return null
    },
  }
}

function blobStatements(db: DatabaseSync, table: BlobTable) {
  return {
    put: db.prepare(
      `INSERT INTO ${table} (sha256, stored_at, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    get: db.prepare(`SELECT bytes FROM ${table} WHERE sha256 = ?`),
    has: db.prepare(`SELECT 1 AS found FROM ${table} WHERE sha256 = ?`),
    list: db.prepare(
      `SELECT sha256, stored_at, length(bytes) AS size FROM ${table} WHERE sha256 > ? ORDER BY sha256 LIMIT ${BLOB_PAGE}`,
    ),
    renew: db.prepare(`UPDATE ${table} SET stored_at = ? WHERE sha256 = ? AND stored_at < ?`),
    delete: db.prepare(`DELETE FROM ${table} WHERE sha256 = ? AND (? IS NULL OR stored_at < ?)`),
  }
}

function putBlob({ has, put, renew }: ReturnType<typeof blobStatements>, bytes: Uint8Array): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const now = Date.now()
  if (has.get(sha256) === undefined) put.run(sha256, now, bytes)
  else renew.run(now, sha256, now - RENEWED_AFTER_MS)
  return sha256
}

/** Commits what `work` writes at once; if it throws, nothing of it is there. */
function inTransaction<Value>(db: DatabaseSync, work: () => Value): Value {
  db.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    db.exec('COMMIT')
    return value
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

type Columns = Readonly<Record<string, unknown>>

function rowOf(row: Columns): RecordRow {
  return {
    sequence: numberOf(row, 'sequence'),
    subject: textOf(row, 'subject'),
    text: textOf(row, 'record'),
  }
}

function blobRowOf(row: Columns): BlobRow {
  return {
    sha256: textOf(row, 'sha256'),
    storedAt: numberOf(row, 'stored_at'),
    size: numberOf(row, 'size'),
  }
}

/** A number column; NULL (the maximum of nothing) counts as 0. */
function numberOf(row: Columns | undefined, column: string): number {
  const value = row?.[column] ?? 0
  if (typeof value !== 'number') throw new TypeError(`Column ${column} is not a number.`)
  return value
}

function textOf(row: Columns, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`Column ${column} is not text.`)
  return value
}

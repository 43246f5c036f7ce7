/**
 * The thread that owns the database: takes one request after the other, so appends are serial without locks.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { ConflictSignal, type Database, NewerFormatSignal, openDatabase } from './database.ts'
import type { DatabaseCall, DatabaseFailure, WorkerOptions, WorkerReply, WorkerRequest } from './protocol.ts'

const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_NOTADB = 26

const options: WorkerOptions = workerData
serve(options)

function serve(options: WorkerOptions): void {
  const port = parentPort
  if (port === null) throw new Error('This module is the body of a worker thread.')
  const reply = (message: WorkerReply, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...transfer])

  let database: Database
  try {
    database = openDatabase(options)
  } catch (error) {
    reply({ type: 'refused', failure: failureOf(error) })
    port.close()
    return
  }

  // After a failed write or sync the operating system may have dropped the pages: only a reopen tells what is
  // stored.
  let poisoned: DatabaseFailure | null = null
  port.on('message', ({ id, call }: WorkerRequest) => {
    if (poisoned !== null && call.name !== 'close') {
      reply({ type: 'failed', id, failure: poisoned })
      return
    }
    try {
      const output = run(database.operations, call)
      reply({ type: 'done', id, output }, transferable(output))
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'io') poisoned = { kind: 'damaged', detail: failure.detail }
      reply({ type: 'failed', id, failure })
    }
    if (call.name === 'close') port.close()
  })
  reply({ type: 'opened', heads: database.heads })
}

function run(operations: Database['operations'], call: DatabaseCall): unknown {
  switch (call.name) {
    case 'append':
      return operations.append(call.input)
    case 'page':
      return operations.page(call.input)
    case 'last':
      return operations.last(call.input)
    case 'subjects':
      return operations.subjects(call.input)
    case 'putBlob':
      return operations.putBlob(call.input)
    case 'putBlobs':
      return operations.putBlobs(call.input)
    case 'getBlob':
      return operations.getBlob(call.input)
    case 'hasBlob':
      return operations.hasBlob(call.input)
    case 'listBlobs':
      return operations.listBlobs(call.input)
    case 'deleteBlob':
      return operations.deleteBlob(call.input)
    case 'getValue':
      return operations.getValue(call.input)
    case 'setValue':
      return operations.setValue(call.input)
    case 'valueKeys':
      return operations.valueKeys(call.input)
    case 'deleteValue':
      return operations.deleteValue(call.input)
    case 'close':
      return operations.close(call.input)
    default:
      return call satisfies never
  }
}

function transferable(output: unknown): readonly ArrayBuffer[] {
  if (typeof output !== 'object' || output === null || !('bytes' in output)) return []
  const { bytes } = output
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

function failureOf(error: unknown): DatabaseFailure {
  if (error instanceof ConflictSignal) return { kind: 'conflict', actualLast: error.actualLast }
  if (error instanceof NewerFormatSignal) {
    return { kind: 'newer-format', found: error.found, known: error.known }
  }
  const detail = error instanceof Error ? error.message : String(error)
  switch (sqliteCode(error)) {
    case SQLITE_BUSY:
      return { kind: 'in-use', detail }
    case SQLITE_FULL:
      return { kind: 'full', detail }
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return { kind: 'damaged', detail }
    case SQLITE_IOERR:
      return { kind: 'io', detail }
    default:
      return { kind: 'unexpected', detail }
  }
}

/** The primary result code: extended codes carry it in their low byte. */
function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode & 0xff
}

/**
 * Fills an empty registry from an export.
 *
 * The whole file is kept on disk and checked before the first write, then written in its order: blobs,
 * pieces of artifacts, then the logs configs, compositions and registry, each record at the sequence that it
 * had. The registry's log comes last, since it is what the other services act on: when they read that a graph
 * was changed, its composition and its revision are there.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ExportedRecord,
  ExportLine,
  problem,
  ProblemError,
  Sequence,
  type TransferCounts,
} from '@switchyard/contracts'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  type BlobStore,
  type EventLog,
  StorageUnavailableError,
} from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'
import { z } from 'zod'
import type { TransferEvents } from './transfer-events.ts'
import type { WriteGate } from '../writing/write-gate.ts'
import { type CheckedExport, checkExport, MAX_LINE_BYTES } from './export-check.ts'
import type { ImportState } from './import-state.ts'
import { readLines } from './read-lines.ts'
import { requireWritable } from './require-writable.ts'

/** A storage that is away in the middle of an import is waited for this long. */
const PATIENCE_MS = 60_000
const RETRY_MS = 200

export type ImporterOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  readonly state: ImportState
  readonly gate: WriteGate
  readonly events: TransferEvents
  /** Resolves when the registry itself has read everything that was written. */
  readonly caughtUp: () => Promise<void>
  readonly signal: AbortSignal
  /** How long the storage is waited for in the middle of an import; a minute when it is not given. */
  readonly patienceMs?: number
}

export class Importer {
  readonly #options: ImporterOptions

  constructor(options: ImporterOptions) {
    this.#options = options
  }

  /** Throws a ProblemError unless there is nothing that an import could be mixed with. */
  async requireEmpty(): Promise<void> {
    if (!(await this.#options.state.isEmpty())) throw notEmpty()
  }

  /** Throws ProblemError: IMPORT_INVALID and REGISTRY_NOT_EMPTY changed nothing, IMPORT_INCOMPLETE did. */
  async run(body: Readable, actor: string): Promise<TransferCounts> {
    await using spool = await temporaryFolder()
    const file = join(spool.path, 'export.ndjson')
    await pipeline(body, createWriteStream(file, { mode: 0o600 }))
    const checked = await checkExport(linesOf(file))
    const { counts } = checked
    const { state, gate, events, caughtUp } = this.#options
    using _importing = state.begin()
    using _closed = await gate.close()
    await this.requireEmpty()
    await requireWritable(this.#options.log, checked.subjects)
    events.importBegan(actor, counts)
    await this.#write(file, checked)
    await caughtUp()
    await state.clear()
    events.importFinished(actor, counts)
    return counts
  }

  async #write(file: string, checked: CheckedExport): Promise<void> {
    const { blobs, pieces, log, state, events, signal } = this.#options
    const last = new Map<string, number>()
    let isMarked = false
    let isFirst = true
    try {
      for await (const { text } of linesOf(file)) {
        const line = marked(ExportLine.parse(JSON.parse(text)), checked)
        if (line.type === 'blob') await blobs.put(Buffer.from(line.base64, 'base64'))
        if (line.type === 'piece') await pieces.put(Buffer.from(line.base64, 'base64'))
        if (line.type !== 'record') continue
        if (signal.aborted) throw new Error('the registry was stopped.')
        if (!isMarked) await state.mark()
        isMarked = true
        if (isFirst) {
          const sequence = await log.append(line.subject, line.record, 0)
          isFirst = false
          if (sequence !== line.sequence) throw new InterferenceError(line)
        } else await this.#append(line, last.get(line.subject) ?? 0)
        last.set(line.subject, line.sequence)
      }
    } catch (error) {
      const isUntouched = isFirst && !(error instanceof AppendOutcomeUnknownError)
      if (isUntouched && isMarked) await state.clear()
      if (isUntouched) throw error instanceof AppendConflictError ? notEmpty(error) : error
      events.importStopped(error)
      throw new ProblemError(
        problem(
          'IMPORT_INCOMPLETE',
          `The import stopped after a part of the data had been written: ${messageOf(error).replace(/\.?$/, '.')} The registry answers nothing else now. Empty its storage and import the same file again.`,
        ),
        error,
      )
    }
  }

  /** Appends a line. Unlike the first append, it waits for a storage that is away for a moment. */
  async #append(line: ExportedRecord, expectedLast: number): Promise<void> {
    const { log, signal, patienceMs = PATIENCE_MS } = this.#options
    const began = performance.now()
    for (;;) {
      try {
        const sequence = await log.append(line.subject, line.record, expectedLast)
        if (sequence === line.sequence) return
        throw new InterferenceError(line)
      } catch (error) {
        const mayHelp = error instanceof StorageUnavailableError || error instanceof AppendOutcomeUnknownError
        if (!mayHelp && !(error instanceof AppendConflictError)) throw error
        if (signal.aborted || performance.now() - began > patienceMs) throw error
        await sleep(RETRY_MS)
        if (await this.#isThere(line, error)) return
      }
    }
  }

  /** Throws InterferenceError when something else is where the record belongs. */
  async #isThere(line: ExportedRecord, reason: unknown): Promise<boolean> {
    try {
      const last = await this.#options.log.last({ kind: 'log', log: line.log })
      if ((last?.sequence ?? 0) === line.sequence - 1 && !(reason instanceof AppendConflictError))
        return false
      const isSame =
        last?.sequence === line.sequence &&
        last.subject === line.subject &&
        JSON.stringify(last.record) === JSON.stringify(line.record)
      if (isSame) return true
    } catch (error) {
      if (error instanceof StorageUnavailableError) return false
      throw error
    }
    throw new InterferenceError(line)
  }
}

/** The member of a config record that names the record which last changed the rollouts of its graph. */
const NamesRollouts = z.looseObject({ cause: z.looseObject({ rolloutsSequence: Sequence }) })

/**
 * The last config record of each graph says that it was imported: routers may serve something newer than the
 * export, so that config-distribution begins a new epoch. Before that, it waits for the record that last
 * changed the rollouts, so as not to publish those of long ago one after the other. That record has to come:
 * a log that was set back before the export may end earlier.
 */
function marked(line: ExportLine, { newestConfigs, counts }: CheckedExport): ExportLine {
  if (line.type !== 'record' || newestConfigs.get(line.subject) !== line.sequence) return line
  const record = { ...Object(line.record), imported: true }
  const naming = NamesRollouts.safeParse(record)
  if (!naming.success || naming.data.cause.rolloutsSequence <= counts.records.registry)
    return { ...line, record }
  const cause = { ...naming.data.cause, rolloutsSequence: counts.records.registry }
  return { ...line, record: { ...record, cause } }
}

function notEmpty(cause?: unknown): ProblemError {
  return new ProblemError(
    problem(
      'REGISTRY_NOT_EMPTY',
      'This registry already stores data. An import restores a whole registry with its history, so it needs one in which nothing was ever done: start a registry on an empty data directory, or on empty NATS streams, and import there. Nothing was imported.',
    ),
    cause,
  )
}

class InterferenceError extends Error {
  constructor({ log, sequence }: ExportedRecord) {
    super(`something else wrote record ${sequence} of the log "${log}" while the import was running.`)
    this.name = new.target.name
  }
}

function linesOf(file: string) {
  const stream: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 1024 * 1024 })
  return readLines(stream, MAX_LINE_BYTES)
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'switchyard-import-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

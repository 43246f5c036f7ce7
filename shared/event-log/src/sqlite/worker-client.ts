/**
 * Talks to the worker thread that owns the database. Errors become this package's classes here, and a thread that dies
 * fails every call in flight instead of leaving it waiting.
 */
import { Worker } from 'node:worker_threads'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  DataDirectoryDamagedError,
  DataDirectoryFullError,
  DataDirectoryInUseError,
  DataDirectoryVersionError,
  EventLogUnavailableError,
  type StorageError,
} from '../errors.ts'
import type { LogName } from '../event-log.ts'
import type { Failure, Input, OperationName, Output, WorkerOptions, WorkerReply } from './protocol.ts'

type Pending = {
  /** The append that waits for this reply, since only an append has an outcome that can be unknown. */
  readonly append: Input<'append'> | null
  // oxlint-disable-next-line typescript/no-explicit-any -- typed by the caller of request(): one table types both threads
  readonly resolve: (output: any) => void
  readonly reject: (error: StorageError) => void
}

export class WorkerClient implements AsyncDisposable {
  readonly #worker: Worker
  readonly #directory: string
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #ended: string | null = null
  #closing: Promise<void> | null = null

  private constructor(worker: Worker, directory: string) {
    this.#worker = worker
    this.#directory = directory
  }

  static async start(
    directory: string,
    options: WorkerOptions,
  ): Promise<{ readonly client: WorkerClient; readonly heads: Readonly<Record<LogName, number>> }> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: options,
      name: 'switchyard-storage',
    })
    const client = new WorkerClient(worker, directory)
    const heads = await client.#opened()
    return { client, heads }
  }

  request<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const ended = this.#ended
    if (ended !== null) return Promise.reject(new EventLogUnavailableError(ended))
    const id = this.#nextId++
    return new Promise<Output<Name>>((resolve, reject) => {
      this.#pending.set(id, { append: appendOf(name, input), resolve, reject })
      const message = { id, call: { name, input } }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      this.#worker.postMessage(message)
    })
  }

  /** Lets requests in flight finish, closes the database, ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    const closed = this.#ended === null ? this.request('close', null) : Promise.resolve(null)
    this.#ended ??= 'it was closed'
    try {
      await closed
    } finally {
      await this.#worker.terminate()
    }
  }

  #opened(): Promise<Readonly<Record<LogName, number>>> {
    return new Promise((resolve, reject) => {
      const onEnd = (reason: string): void => {
        this.#end(reason)
        reject(new EventLogUnavailableError(reason))
      }
      this.#worker.on('error', (error) => onEnd(`its worker thread failed (${String(error)})`))
      this.#worker.on('exit', () => onEnd('its worker thread ended'))
      this.#worker.on('message', (reply: WorkerReply) => {
        switch (reply.type) {
          case 'opened':
            resolve(reply.heads)
            return
          case 'refused':
            reject(this.#errorOf(reply.failure, null))
            return
          case 'done':
            this.#take(reply.id)?.resolve(reply.output)
            return
          case 'failed': {
            const pending = this.#take(reply.id)
            pending?.reject(this.#errorOf(reply.failure, pending.append))
            return
          }
          default:
            reply satisfies never
        }
      })
    })
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  #end(reason: string): void {
    this.#ended ??= reason
    const abandoned = [...this.#pending.values()]
    this.#pending.clear()
    for (const { append, reject } of abandoned) {
      reject(
        append === null
          ? new EventLogUnavailableError(reason)
          : new AppendOutcomeUnknownError(append.subject, reason),
      )
    }
  }

  #errorOf(failure: Failure, append: Input<'append'> | null): StorageError {
    const directory = this.#directory
    switch (failure.kind) {
      case 'conflict':
        return append === null
          ? new EventLogUnavailableError('a conflict was reported for a call that appends nothing')
          : new AppendConflictError(append.subject, append.expectedLast, failure.actualLast)
      case 'in-use':
        return new DataDirectoryInUseError(directory, failure.detail)
      case 'newer-format':
        return new DataDirectoryVersionError(directory, failure.found, failure.known)
      case 'full':
        return new DataDirectoryFullError(directory, failure.detail)
      case 'io':
        return append === null
          ? new DataDirectoryDamagedError(directory, failure.detail)
          : new AppendOutcomeUnknownError(append.subject, failure.detail)
      case 'damaged':
        return new DataDirectoryDamagedError(directory, failure.detail)
      case 'unexpected':
        return append === null
          ? new EventLogUnavailableError(failure.detail)
          : new AppendOutcomeUnknownError(append.subject, failure.detail)
      default:
        return failure satisfies never
    }
  }
}

function appendOf<Name extends OperationName>(name: Name, input: Input<Name>): Input<'append'> | null {
  const call: { readonly name: OperationName; readonly input: unknown } = { name, input }
  return isAppend(call) ? call.input : null
}

function isAppend(call: {
  readonly name: OperationName
  readonly input: unknown
}): call is { readonly name: 'append'; readonly input: Input<'append'> } {
  return call.name === 'append'
}

/**
 * Talks to the worker thread that owns the database. Errors become this package's classes here, and a thread
 * that dies fails every call in flight instead of leaving it waiting.
 */
import { type ThreadDeath, WorkerThread } from '@switchyard/worker-host'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  DataDirectoryDamagedError,
  DataDirectoryFullError,
  DataDirectoryInUseError,
  DataDirectoryVersionError,
  EventLogUnavailableError,
  type StorageError,
} from '../log/errors.ts'
import type { LogName } from '../log/event-log.ts'
import type {
  DatabaseFailure,
  OperationInput,
  OperationName,
  OperationOutput,
  WorkerOptions,
  WorkerReply,
} from './protocol.ts'

type PendingCall = {
  /** The append that waits for this reply, since only an append has an outcome that can be unknown. */
  readonly append: OperationInput<'append'> | null
  /** Typed by the caller of `request`, since one table types both threads. */
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly resolve: (output: any) => void
  readonly reject: (error: StorageError) => void
}

/** A `WorkerRequest`, whose name and input belong together by the signature of `request`. */
type SentRequest = {
  readonly id: number
  readonly call: { readonly name: OperationName; readonly input: unknown }
}

export class WorkerClient implements AsyncDisposable {
  readonly #thread: WorkerThread<SentRequest, WorkerReply>
  readonly #directory: string
  readonly #opening = Promise.withResolvers<Readonly<Record<LogName, number>>>()
  readonly #pending = new Map<number, PendingCall>()
  #nextId = 1
  #ended: string | null = null
  #closing: Promise<void> | null = null

  private constructor(directory: string, options: WorkerOptions) {
    this.#directory = directory
    this.#thread = new WorkerThread(
      { module: new URL('./worker.ts', import.meta.url), name: 'switchyard-storage', data: options },
      { onMessage: (reply) => this.#hear(reply), onDeath: (death) => this.#end(death) },
    )
  }

  static async start(
    directory: string,
    options: WorkerOptions,
  ): Promise<{ readonly client: WorkerClient; readonly heads: Readonly<Record<LogName, number>> }> {
    const client = new WorkerClient(directory, options)
    return { client, heads: await client.#opening.promise }
  }

  request<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    const ended = this.#ended
    if (ended !== null) return Promise.reject(new EventLogUnavailableError(ended))
    const id = this.#nextId++
    return new Promise<OperationOutput<Name>>((resolve, reject) => {
      this.#pending.set(id, { append: appendOf(name, input), resolve, reject })
      this.#thread.send({ id, call: { name, input } })
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
      await this.#thread.terminate()
    }
  }

  #hear(reply: WorkerReply): void {
    switch (reply.type) {
      case 'opened':
        return this.#opening.resolve(reply.heads)
      case 'refused':
        return this.#opening.reject(this.#errorOf(reply.failure, null))
      case 'done':
        return this.#take(reply.id)?.resolve(reply.output)
      case 'failed': {
        const pending = this.#take(reply.id)
        return pending?.reject(this.#errorOf(reply.failure, pending.append))
      }
      default:
        reply satisfies never
    }
  }

  #take(id: number): PendingCall | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  #end({ error }: ThreadDeath): void {
    const reason = `its worker thread failed (${String(error)})`
    this.#ended ??= reason
    this.#opening.reject(new EventLogUnavailableError(reason))
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

  #errorOf(failure: DatabaseFailure, append: OperationInput<'append'> | null): StorageError {
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

function appendOf<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
): OperationInput<'append'> | null {
  const call: { readonly name: OperationName; readonly input: unknown } = { name, input }
  return isAppend(call) ? call.input : null
}

function isAppend(call: {
  readonly name: OperationName
  readonly input: unknown
}): call is { readonly name: 'append'; readonly input: OperationInput<'append'> } {
  return call.name === 'append'
}

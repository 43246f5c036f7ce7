/**
 * One worker thread from its start to its death.
 *
 * Node.js reports a death by up to three events: `messageerror`, `error` and `exit`. Here it is reported
 * once, together with whether memory was the reason, so that the person can be told whose input took the
 * memory.
 */
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads'

export type ThreadOptions = {
  /** The module that the thread runs. */
  readonly module: URL
  /** Shown by debuggers and profilers. */
  readonly name: string
  /** `workerData` of the thread. */
  readonly data?: unknown
  /**
   * MiB of heap. A thread that needs more dies alone. When absent, Node.js chooses by the memory of the
   * machine.
   */
  readonly memoryMb?: number
  /** MiB of stack, for what recurses deeply; 4 when absent. */
  readonly stackMb?: number
  /** Command line options of Node.js for the thread; those of the process when absent. */
  readonly execArgv?: readonly string[]
  /** Replaces `new Worker` in tests. */
  readonly createWorker?: CreateWorker | undefined
}

export type CreateWorker = (module: URL, options: WorkerOptions) => Worker

export type ThreadDeath = {
  /**
   * The kind of death. `memory-limit` means that the thread needed more heap than it may have. `crashed`
   * means that it threw, or that it exited.
   */
  readonly kind: 'memory-limit' | 'crashed'
  readonly error: unknown
}

export type ThreadListener<Received> = {
  readonly onMessage: (message: Received) => void
  /** Called once, unless the thread was terminated before. */
  readonly onDeath: (death: ThreadDeath) => void
}

/** `Sent` goes to the thread, `Received` comes from it. */
export class WorkerThread<Sent, Received> {
  readonly #worker: Worker
  #isOver = false

  /** Throws when the machine is out of threads or memory. */
  constructor(options: ThreadOptions, { onMessage, onDeath }: ThreadListener<Received>) {
    const { module, createWorker = (url, workerOptions) => new Worker(url, workerOptions) } = options
    this.#worker = createWorker(module, workerOptionsOf(options))
    const die = (error: unknown): void => {
      if (this.#isOver) return
      this.#isOver = true
      onDeath({ kind: isOutOfMemory(error) ? 'memory-limit' : 'crashed', error })
    }
    // Node.js delivers what a thread said before its end even after it was terminated.
    this.#worker.on('message', (message: Received) => {
      if (!this.#isOver) onMessage(message)
    })
    this.#worker.on('messageerror', (error) => {
      die(new Error(`its answer could not be read: ${String(error)}`))
      void this.#worker.terminate()
    })
    this.#worker.on('error', die)
    this.#worker.on('exit', (code) => die(new Error(`it exited with code ${code}`)))
  }

  /** Throws when the message cannot be cloned. A dead thread hears nothing. */
  send(message: Sent, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  /** CPU time in milliseconds since the start of the thread. Rejects when the thread is dead. */
  async cpuMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage()
    return (user + system) / 1000
  }

  /** Whether the process stays alive as long as the thread does. */
  keepProcessAlive(does: boolean): void {
    if (does) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Ends the thread, whatever it is doing. Neither its death nor a message of it is told from now on. */
  async terminate(): Promise<void> {
    this.#isOver = true
    await this.#worker.terminate()
  }
}

function workerOptionsOf({ name, data, memoryMb, stackMb, execArgv }: ThreadOptions): WorkerOptions {
  return {
    name,
    workerData: data,
    resourceLimits: {
      ...(memoryMb === undefined ? {} : { maxOldGenerationSizeMb: memoryMb }),
      ...(stackMb === undefined ? {} : { stackSizeMb: stackMb }),
    },
    ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/**
 * Lets services that the tests of one process start one after the other use the same worker threads.
 *
 * A thread that composes or compiles loads 500 modules, which takes half a second of CPU: more than all that
 * most tests make of it. Hundreds of tests start a composer or a router. So a thread that is told to end is
 * kept for whoever starts the same module next. Only a thread that answered every task is kept: a thread that
 * is busy, or that was told a notice, ends as it does in production.
 */
import { syncBuiltinESMExports } from 'node:module'
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads'

/** A message of `@switchyard/worker-host`: `task` goes to a thread, and `done` answers it. */
type Message = { readonly kind: string }

/** Modules whose threads remember nothing of a task. */
const STATELESS_MODULES: readonly string[] = [
  'composition-worker.ts',
  'compile-worker.ts',
  'sdl-worker.ts',
  // Composes as the tests of the composer tell it to.
  'told-worker.ts',
]

/** Threads that nobody uses, by module and limits. */
const idle = new Map<string, KeptWorker[]>()
let areKept = false

/** From now on this process keeps the threads of the modules above. A second call changes nothing. */
export function keepThreads(): void {
  if (areKept) return
  areKept = true
  const KeepingWorker = new Proxy(Worker, {
    construct: (target, [module, options]: [URL | string, WorkerOptions?]) =>
      isStateless(module, options) ? leased(module, options) : new target(module, options),
  })
  Object.assign(process.getBuiltinModule('node:worker_threads'), { Worker: KeepingWorker })
  syncBuiltinESMExports()
}

function isStateless(module: URL | string, options: WorkerOptions = {}): module is URL {
  if (!(module instanceof URL) || options.workerData !== undefined) return false
  return STATELESS_MODULES.some((name) => module.pathname.endsWith(`/${name}`))
}

function leased(module: URL, options: WorkerOptions = {}): Worker {
  const key = `${module.href} ${JSON.stringify(options)}`
  const worker = idle.get(key)?.pop() ?? new KeptWorker(module, options, key)
  worker.lease()
  return worker
}

class KeptWorker extends Worker {
  readonly #key: string
  /** Tasks without an answer. */
  #tasks = 0
  #isReusable = true
  /** Whether somebody uses it. */
  #isLeased = false

  constructor(module: URL, options: WorkerOptions, key: string) {
    super(module, options)
    this.#key = key
  }

  /** Gives the thread to somebody who starts one. */
  lease(): void {
    this.#isLeased = true
    this.ref()
    this.on('message', ({ kind }: Message) => {
      if (kind === 'done') this.#tasks -= 1
    })
    this.on('error', () => (this.#isReusable = false))
    this.on('exit', () => (this.#isReusable = false))
  }

  override postMessage(message: Message, moved?: readonly Transferable[]): void {
    if (message.kind === 'task') this.#tasks += 1
    else this.#isReusable = false
    super.postMessage(message, moved)
  }

  override async terminate(): Promise<number> {
    if (!this.#isReusable || this.#tasks > 0) return await super.terminate()
    // Whoever tells it twice must not end it for the next one, nor give it to two.
    if (!this.#isLeased) return 0
    this.#isLeased = false
    // Node has listeners of other events, which start the port of messages.
    for (const event of ['message', 'messageerror', 'error', 'exit']) this.removeAllListeners(event)
    this.on('error', () => this.#forget())
    this.on('exit', () => this.#forget())
    this.unref()
    idle.set(this.#key, [...(idle.get(this.#key) ?? []), this])
    return 0
  }

  #forget(): void {
    this.#isReusable = false
    idle.set(
      this.#key,
      (idle.get(this.#key) ?? []).filter((other) => other !== this),
    )
  }
}

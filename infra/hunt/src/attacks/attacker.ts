/** An attacker in a thread of its own. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Tally } from './attack.ts'

export class Attacker implements AsyncDisposable {
  readonly #worker: Worker
  readonly #tally: Promise<unknown[]>

  private constructor(worker: Worker) {
    this.#worker = worker
    this.#tally = once(worker, 'message')
  }

  /**
   * Starts an attacker and resolves once it has sent something. `thread` is a file in this folder that calls
   * `carryOut`.
   */
  static async start(thread: string, setUp: object): Promise<Attacker> {
    const worker = new Worker(new URL(thread, import.meta.url), { workerData: setUp })
    await once(worker, 'message')
    return new Attacker(worker)
  }

  /** Ends the attack and returns its counts. */
  async stop(): Promise<Tally> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage('stop')
    const [tally] = (await this.#tally) as [Tally]
    return tally
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}

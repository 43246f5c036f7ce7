/** A thread whose turns are measured, seen from outside. */
import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Question, Turns } from './turn-meter.ts'

/** The measurements and the outcome of one input. */
export type Measured<Outcome> = Turns & { readonly outcome: Outcome }

/** A router needs some 60 for itself. */
const HEAP_MB = 1500

export class MeasuredThread implements AsyncDisposable {
  readonly worker: Worker
  readonly #meter: MessagePort
  /** Why it ended; null as long as it runs. */
  death: string | null = null

  private constructor(worker: Worker, meter: MessagePort) {
    this.worker = worker
    this.#meter = meter
    worker.on('error', (error: unknown) => {
      this.death ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    })
    worker.on('exit', () => {
      this.death ??= 'it ended'
      meter.close()
    })
  }

  /**
   * The thread starts a turn meter on `meter` of its data, and says then that it is ready, with the first
   * message.
   */
  static async start(
    module: URL,
    data: object,
  ): Promise<{ readonly thread: MeasuredThread; readonly ready: unknown }> {
    const { port1: outside, port2: inside } = new MessageChannel()
    const worker = new Worker(module, {
      workerData: { ...data, meter: inside },
      transferList: [inside],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    const thread = new MeasuredThread(worker, outside)
    const [ready] = (await once(worker, 'message')) as unknown[]
    await thread.turns()
    return { thread, ready }
  }

  /** `exchange` begins and ends with others than this thread. */
  async measure<Outcome>(exchange: () => Promise<Outcome>): Promise<Measured<Outcome>> {
    const outcome = await exchange()
    return { ...(await this.turns()), outcome }
  }

  /** Returns the turns since the last call, once the thread has nothing left to do. */
  async turns(): Promise<Turns> {
    return await this.#ask<Turns>('turns')
  }

  /** Bytes in use once all garbage is collected. */
  async memoryInUse(): Promise<number> {
    return await this.#ask<number>('memory')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker.terminate()
  }

  /** One question at a time. Rejects when the thread ends. */
  #ask<Answer>(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.death !== null) {
        reject(new Error(this.death))
        return
      }
      const ended = () => reject(new Error(this.death ?? 'it ended'))
      this.#meter.once('close', ended)
      this.#meter.once('message', (answer: Answer) => {
        this.#meter.off('close', ended)
        resolve(answer)
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows
      this.#meter.postMessage(question)
    })
  }
}

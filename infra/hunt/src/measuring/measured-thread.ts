/** A thread whose turns are measured, seen from outside. */
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { METER, METER_BYTES } from './turn-meter.ts'

/** Of one input. Times are CPU of the measured thread, in microseconds. */
export type Measured<Outcome> = {
  readonly cpu: number
  readonly longestTurn: number
  readonly turns: number
  /** Bytes that were allocated and not collected meanwhile, roughly. */
  readonly memory: number
  readonly outcome: Outcome
}

/** A router needs some 60 for itself. */
const HEAP_MB = 1500

export class MeasuredThread implements AsyncDisposable {
  readonly worker: Worker
  readonly #numbers: Int32Array
  /** Why it ended; null as long as it runs. */
  death: string | null = null

  private constructor(worker: Worker, numbers: Int32Array) {
    this.worker = worker
    this.#numbers = numbers
    worker.on('error', (error: unknown) => {
      this.death ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    })
    worker.on('exit', () => {
      this.death ??= 'it ended'
    })
  }

  /** The thread starts a turn meter on \`shared\` of its data, and says then that it is ready, with the first message. */
  static async start(
    module: URL,
    data: object,
  ): Promise<{ readonly thread: MeasuredThread; readonly ready: unknown }> {
    const shared = new SharedArrayBuffer(METER_BYTES)
    const worker = new Worker(module, {
      workerData: { ...data, shared },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    const thread = new MeasuredThread(worker, new Int32Array(shared))
    const [ready] = (await once(worker, 'message')) as unknown[]
    return { thread, ready }
  }

  /** `exchange` begins and ends with others than this thread. */
  async measure<Outcome>(exchange: () => Promise<Outcome>): Promise<Measured<Outcome>> {
    Atomics.add(this.#numbers, METER.wanted, 1)
    await this.#until(() => this.#read(METER.begun) === this.#read(METER.wanted))
    const outcome = await exchange()
    await this.#settled()
    return {
      cpu: this.#read(METER.cpu),
      longestTurn: this.#read(METER.longestTurn),
      turns: this.#read(METER.busyTurns),
      memory: Math.max(0, this.#read(METER.memory)) * 1024,
      outcome,
    }
  }

  /** Bytes in use once all garbage is collected. */
  async memoryInUse(): Promise<number> {
    Atomics.add(this.#numbers, METER.collectWanted, 1)
    await this.#until(() => this.#read(METER.collected) === this.#read(METER.collectWanted))
    return this.#read(METER.memoryLeft) * 1024
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker.terminate()
  }

  #read(index: number): number {
    return Atomics.load(this.#numbers, index)
  }

  /** All that was caused so far is done, and seen by the meter. */
  async #settled(): Promise<void> {
    let busy = -1
    while (busy !== this.#read(METER.busyTurns) && this.death === null) {
      busy = this.#read(METER.busyTurns)
      const turns = this.#read(METER.turns)
      await this.#until(() => this.#read(METER.turns) - turns >= 3)
    }
  }

  async #until(condition: () => boolean): Promise<void> {
    for (let turn = 0; !condition() && this.death === null; turn++)
      await (turn < POLLED_TURNS ? nextTurn() : delay(1))
  }
}

/** Most inputs are done within so many turns of the asking thread. */
const POLLED_TURNS = 2000

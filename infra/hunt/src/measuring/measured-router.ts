/** Starts routers whose turns are measured, and says what single exchanges with them cost. */
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { RouterThreadSetUp } from './router-thread.ts'
import { METER, METER_BYTES } from './turn-meter.ts'

/** Of one input. Times are CPU of the serving thread, in microseconds. */
export type Measured<Outcome> = {
  readonly cpu: number
  readonly longestTurn: number
  readonly turns: number
  /** Bytes that were allocated and not collected meanwhile, roughly. */
  readonly memory: number
  readonly outcome: Outcome
}

export type MeasuredRouter = AsyncDisposable & {
  readonly port: number
  /** Null as long as it runs. */
  readonly death: string | null
  /** What it logged as errors since the last call. */
  takeErrors(): readonly string[]
  measure<Outcome>(exchange: () => Promise<Outcome>): Promise<Measured<Outcome>>
  /** Bytes in use once all garbage is collected. */
  memoryInUse(): Promise<number>
}

/** A router needs some 60 for itself. */
const HEAP_MB = 1500

export async function startMeasuredRouter(set: {
  readonly supergraph: string
  readonly settings: string
}): Promise<MeasuredRouter> {
  const shared = new SharedArrayBuffer(METER_BYTES)
  const numbers = new Int32Array(shared)
  const workerData: RouterThreadSetUp = { ...set, shared }
  const worker = new Worker(new URL('router-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const errors: string[] = []
  /** Why it ended. */
  const end: { reason: string | null } = { reason: null }
  worker.on('message', (message: { readonly error?: string }) => {
    if (message.error !== undefined) errors.push(message.error)
  })
  worker.on('error', (error: unknown) => {
    end.reason ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  })
  worker.on('exit', () => {
    end.reason ??= 'it ended'
  })
  const [{ port }] = (await once(worker, 'message')) as [{ readonly port: number }]

  const until = async (condition: () => boolean): Promise<void> => {
    for (let turn = 0; !condition() && end.reason === null; turn++)
      await (turn < 2000 ? nextTurn() : delay(1))
  }
  const read = (index: number) => Atomics.load(numbers, index)
  /** All that was caused so far is done, and seen by the meter. */
  const settled = async (): Promise<void> => {
    let busy = -1
    while (busy !== read(METER.busyTurns) && end.reason === null) {
      busy = read(METER.busyTurns)
      const turns = read(METER.turns)
      await until(() => read(METER.turns) - turns >= 3)
    }
  }
  return {
    port,
    get death() {
      return end.reason
    },
    takeErrors: () => errors.splice(0),
    async measure(exchange) {
      Atomics.add(numbers, METER.wanted, 1)
      await until(() => read(METER.begun) === read(METER.wanted))
      const outcome = await exchange()
      await settled()
      return {
        cpu: read(METER.cpu),
        longestTurn: read(METER.longestTurn),
        turns: read(METER.busyTurns),
        memory: Math.max(0, read(METER.memory)) * 1024,
        outcome,
      }
    },
    async memoryInUse() {
      Atomics.add(numbers, METER.collectWanted, 1)
      await until(() => read(METER.collected) === read(METER.collectWanted))
      return read(METER.memoryLeft) * 1024
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

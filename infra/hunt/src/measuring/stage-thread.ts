/** Runs one stage of a service in a thread of its own, input by input, and measures its turns. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../targets/target.ts'
import { tell } from './tell.ts'
import { startTurnMeter } from './turn-meter.ts'

export type StageThreadSetUp = { readonly module: string; readonly meter: MessagePort }

/**
 * The function `attempt` that a module of a stage exports. An error that it throws is a fault of the stage.
 */
export type Stage = (bytes: Buffer) => Outcome

const { module, meter } = workerData as StageThreadSetUp
const { attempt } = (await import(module)) as { readonly attempt: Stage }
parentPort?.on('message', (bytes: Uint8Array) => {
  let outcome: Outcome
  try {
    outcome = attempt(Buffer.from(bytes))
  } catch (error) {
    const complaint = error instanceof Error ? (error.stack ?? error.message) : String(error)
    outcome = { name: 'thrown', bytesOut: 0, complaint }
  }
  tell(outcome)
})
startTurnMeter(meter)
tell('ready')

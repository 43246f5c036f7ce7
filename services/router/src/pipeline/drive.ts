/** Runs the stages of a request. Here alone stages are waited for, and clients that left are noticed. */
import type { Arrived } from '../request/arrived.ts'
import { type AnyStage, DONE, type Stage } from '../request/stage.ts'

/**
 * Runs the stages in their order, each as soon as the one before it is done: at once if that returned no
 * promise. Nothing more is run once a stage says that it is done, or the exchange is closed. Rejects with the
 * reason why the request is refused or failed.
 */
export async function drive(stages: readonly AnyStage[], request: Arrived): Promise<void> {
  const { exchange } = request
  for (const stage of stages as readonly Stage<Arrived, object | undefined>[]) {
    const result = stage.run(request)
    const added = result instanceof Promise ? await waitFor(result, stage, request) : result
    if (added === DONE || exchange.closed) return
    if (added !== undefined) Object.assign(request, added)
  }
}

function waitFor<Value>(
  promise: Promise<Value>,
  { waitsFor }: Pick<AnyStage, 'waitsFor'>,
  { exchange: { report } }: Arrived,
): Promise<Value> {
  return waitsFor === null ? promise : report.waitFor(waitsFor, promise)
}

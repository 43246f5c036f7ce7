/**
 * The planning thread of the router, held up where a test wants it: between the beginning of a task and its
 * planning.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { MessageFromThread } from '@switchyard/worker-host'
import type { PlanningAnswer } from '../../src/planning/planning-messages.ts'

export type Hold = {
  /** [tasks begun, 1 when the gate is open]; shared memory. */
  readonly gate: Int32Array<SharedArrayBuffer>
  /** Once the gate is open. */
  readonly afterwards: 'plan' | 'fail' | 'exit' | 'throw' | 'exhaust memory'
  /** What is reported as the time that a plan took. */
  readonly milliseconds?: number
}

const { gate, afterwards, milliseconds }: Hold = workerData
const port = parentPort
if (port === null) throw new Error('This module runs in a worker thread.')
const say = port.postMessage.bind(port)
port.postMessage = (message, transfer) => {
  say(changed(message), transfer as [])
  if (message.kind !== 'began') return
  Atomics.add(gate, 0, 1)
  Atomics.wait(gate, 1, 0)
  if (afterwards === 'exit') process.exit(7)
  if (afterwards === 'throw') throw new Error('the thread fell over')
  if (afterwards === 'exhaust memory') {
    const heap: string[][] = []
    for (;;) heap.push(Array.from({ length: 10_000 }, (_, index) => `${index}`))
  }
}
await import('../../src/planning/planning-worker.ts')

function changed(message: MessageFromThread<PlanningAnswer>): MessageFromThread<PlanningAnswer> {
  if (message.kind === 'began') return message
  const taken = milliseconds ?? message.result.milliseconds
  const result: PlanningAnswer =
    afterwards === 'fail'
      ? { kind: 'failed', error: new RangeError('a fault of the planner'), milliseconds: taken }
      : { ...message.result, milliseconds: taken }
  return { ...message, result }
}

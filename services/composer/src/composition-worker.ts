/** The thread that composes: one task at a time, one answer per task. */
import { parentPort } from 'node:worker_threads'
import { runTask } from './compose-task.ts'
import type { ComposeTask } from './compose-task.ts'

const port = parentPort
if (port === null) throw new Error('composition-worker.ts runs as a worker thread only')
port.on('message', (task: ComposeTask) => {
  const outcome = runTask(task)
  port.postMessage(outcome, outcome.kind === 'composed' ? [outcome.artifact.buffer] : [])
})

/** The thread that composes and compares: one task at a time, one answer per task. */
import { parentPort, workerData } from 'node:worker_threads'
import { type CompositionTask, runTask, type TaskLibrary } from './composition-task.ts'

const port = parentPort
if (port === null) throw new Error('composition-thread.ts runs as a worker thread only')
const library: TaskLibrary = workerData
port.on('message', (task: CompositionTask) => {
  void runTask(library, task).then((result) => port.postMessage(result, []))
})

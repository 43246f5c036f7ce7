import { parentPort } from 'node:worker_threads'
import { runTask } from '../src/compose-task.ts'
import type { ComposeTask } from '../src/compose-task.ts'

parentPort?.on('message', (task: ComposeTask) => {
  setTimeout(() => parentPort?.postMessage(runTask(task), []), 1000)
})

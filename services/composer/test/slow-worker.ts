import { setTimeout as pause } from 'node:timers/promises'
import { runTask } from '../src/lanes/compose-task.ts'
import { serveCompositions } from '../src/lanes/serve-compositions.ts'

serveCompositions(async (task) => {
  await pause(1000)
  return runTask(task)
})

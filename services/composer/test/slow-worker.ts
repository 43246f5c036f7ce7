import { setTimeout as pause } from 'node:timers/promises'
import { runTask } from '../src/compose-task.ts'
import { serveTasks } from '../src/lanes/serve-tasks.ts'

serveTasks(async (task) => {
  await pause(1000)
  return runTask(task)
})

/** Composes as soon as a file exists, whose path is `until` in the query of this module's URL. */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { runTask } from '../src/lanes/compose-task.ts'
import { serveCompositions } from '../src/lanes/serve-compositions.ts'

const until = new URL(import.meta.url).searchParams.get('until') ?? ''

serveCompositions(async (task) => {
  while (!existsSync(until)) await pause(10)
  return runTask(task)
})

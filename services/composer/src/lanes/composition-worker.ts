/** The module of a thread that composes. */
import { runTask } from './compose-task.ts'
import { serveCompositions } from './serve-compositions.ts'

serveCompositions(runTask)

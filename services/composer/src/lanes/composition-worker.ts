/** The thread that composes. */
import { runTask } from '../compose-task.ts'
import { serveTasks } from './serve-tasks.ts'

serveTasks(runTask)

/** The module of the thread that knows which parts of a schema use others. */
import { serveTasks } from '@switchyard/worker-host'
import { carryOut, type CoordinatesAnswer, type CoordinatesTask } from './coordinates-task.ts'

serveTasks<CoordinatesTask, CoordinatesAnswer>({ run: carryOut })

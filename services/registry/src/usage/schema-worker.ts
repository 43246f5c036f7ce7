/** The module of the thread that knows which parts of a schema use others. */
import { serveTasks } from '@switchyard/worker-host'
import { carryOut, type SchemaAnswer, type SchemaTask } from './schema-task.ts'

serveTasks<SchemaTask, SchemaAnswer>({ run: carryOut })

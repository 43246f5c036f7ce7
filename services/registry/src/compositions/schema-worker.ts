/** The module of the thread that looks things up in the schemas of compositions. */
import { serveTasks } from '@switchyard/worker-host'
import { type SchemaAnswer, schemaLookup, type SchemaTask } from './schema-task.ts'

serveTasks<SchemaTask, SchemaAnswer>({
  run: schemaLookup(),
  transfer: (answer) => (answer.kind === 'answer' ? [answer.body.buffer] : []),
})

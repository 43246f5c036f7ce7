/** The module of the thread that compares schemas. */
import { serveTasks } from '@switchyard/worker-host'
import { carryOut, type ComparisonAnswer, type ComparisonTask } from './comparison-task.ts'

serveTasks<ComparisonTask, ComparisonAnswer>({
  run: carryOut,
  transfer: (answer) => (answer.kind === 'answer' ? [answer.body.buffer] : []),
})

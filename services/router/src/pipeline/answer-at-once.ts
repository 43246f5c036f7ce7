import { type Execution, execute } from '@switchyard/engine'
import type { Answers } from './answers.ts'
import type { Run } from './run.ts'

/** Executes a plan and answers when all of it is done. */
export function answerAtOnce({ exchange, graph, execution }: Run, answers: Answers): Execution {
  const onDefect = (error: unknown, isOver: boolean): void => {
    if (isOver) answers.refuse(exchange, error)
    else answers.defect(exchange, error)
  }
  return execute(graph, { ...execution, onDefect }, (result, weight) => {
    exchange.errors = result.errors.length
    answers.replyResult(exchange, execution.plan.kind, result, weight)
  })
}

/** The last stage of an operation without active `@defer`: one answer, when all of it is there. */
import { type ExecuteOptions, type Execution, execute, type Graph } from '@switchyard/engine'
import type { Answers } from './answers.ts'
import type { Exchange } from './exchange.ts'

/** Executes a plan, and answers when all of it is done. */
export function answerAtOnce(
  exchange: Exchange,
  graph: Graph,
  execution: Omit<ExecuteOptions, 'onDefect'>,
  answers: Answers,
): Execution {
  const onDefect = (error: unknown, isOver: boolean): void => {
    if (isOver) answers.refuse(exchange, error)
    else exchange.report.defect(error)
  }
  return execute(graph, { ...execution, onDefect }, (result, weight) => {
    exchange.report.executed(result.errors.length)
    answers.replyResult(exchange, execution.plan.kind, result, weight)
  })
}

/** The last stage of an operation without active `@defer`: one answer, when all of it is there. */
import { type ExecuteOptions, type Execution, execute, type Graph } from '@switchyard/engine'
import type { SharedRun } from '../sharing/shared-run.ts'
import type { Answers } from './answers.ts'
import type { Exchange } from './exchange.ts'

/** Executes a plan, and answers when all of it is done. `run`: what others may join; null: nobody may. */
export function answerAtOnce(
  exchange: Exchange,
  graph: Graph,
  execution: Omit<ExecuteOptions, 'onDefect'>,
  answers: Answers,
  run: SharedRun<Exchange> | null,
): Execution {
  const onDefect = (error: unknown, isOver: boolean): void => {
    if (!isOver) return exchange.report.defect(error)
    for (const waiting of run?.end() ?? [exchange]) answers.refuse(waiting, error)
  }
  return execute(graph, { ...execution, onDefect }, (result, weight) => {
    const waiting = run?.end() ?? [exchange]
    const [only] = waiting
    if (only !== undefined && waiting.length === 1) {
      only.report.executed(result.errors.length)
      answers.replyResult(only, execution.plan.kind, result, weight)
    } else answers.replyToAll(waiting, result, weight)
  })
}

/** The last stage of an operation without active `@defer`: one answer, when all of it is there. */
import { type ExecuteOptions, type Execution, execute, type Graph } from '@switchyard/engine'
import { summarizeErrors } from '../../observe/summarize-errors.ts'
import type { SharedRun } from '../../concerns/sharing/shared-run.ts'
import type { AnswerLifetime } from '../../call/in-flight/answer-lifetime.ts'
import type { CollectedHeaders } from '../../concerns/headers/collected-headers.ts'
import type { Answers } from '../answers/answers.ts'
import type { RecordedRequest } from '../../shadows/shadows.ts'
import type { Exchange } from '../../request/exchange.ts'
import { withoutSubgraphNames } from './hide-subgraph-names.ts'

/** The options of an answer in one piece. */
export type AnsweringAtOnce = {
  readonly answers: Answers
  /** The execution that other requests may join; null if none may. */
  readonly run: SharedRun<Exchange> | null
  /** Whether clients learn the names of subgraphs from errors. */
  readonly showsNames: boolean
  /** Headers collected from the answers of subgraphs; null if no rule names any. */
  readonly collected: CollectedHeaders | null
  /** Whether caches on the way to clients may keep the answer, or what knows it when all of it is there. */
  readonly kept: 'never' | 'as-set' | 'as-set-for-one' | AnswerLifetime
  /** Takes the answer to compare it; null unless that is to be done. */
  readonly shadow: RecordedRequest | null
}

/** Executes a plan, and answers when all of it is done. */
export function answerAtOnce(
  exchange: Exchange,
  graph: Graph,
  execution: Omit<ExecuteOptions, 'onDefect'>,
  { answers, run, showsNames, collected, kept, shadow }: AnsweringAtOnce,
): Execution {
  const onDefect = (error: unknown, isOver: boolean): void => {
    if (!isOver) return exchange.report.defect(error)
    shadow?.unanswered()
    for (const waiting of run?.end() ?? [exchange]) answers.refuse(waiting, error)
  }
  return execute(graph, { ...execution, onDefect }, ({ data, errors }, weight, cost) => {
    exchange.report.costCounted(cost)
    const result = { data, errors: showsNames ? errors : withoutSubgraphNames(errors) }
    const keeping = typeof kept === 'string' ? kept : (kept.limit ?? 'never')
    const about = { weight, keeping, collected: collected?.write() ?? [] }
    const waiting = run?.end() ?? [exchange]
    const [only] = waiting
    if (only !== undefined && waiting.length === 1) {
      only.report.executed(summarizeErrors(result.errors))
      answers.replyResult(only, result, about)
    } else answers.replyToAll(waiting, result, about)
    shadow?.answered({ data, errors }, weight)
  })
}

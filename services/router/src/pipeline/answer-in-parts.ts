import {
  type Execution,
  type ExecuteOptions,
  ExecutionLimitError,
  type IncrementalExecution,
  type IncrementalListener,
  type PendingPer,
} from '@switchyard/engine'
import type { Answers } from './answers.ts'
import type { Exchange } from './exchange.ts'
import { printInTurns } from '../http/print-in-turns.ts'
import { draining } from './check-traffic.ts'
import { IncrementalResponse } from '../incremental/incremental-response.ts'
import { MultipartStream } from '../incremental/multipart-stream.ts'
import type { OpenStreams } from '../incremental/open-streams.ts'
import { BOUNDARY_ESCAPE } from '../incremental/payloads.ts'

/** Begins what delivers parts. Nothing is called before it has returned. */
type Begin = (
  listener: IncrementalListener,
  onDefect: NonNullable<ExecuteOptions['onDefect']>,
) => IncrementalExecution

/** Sends each part when it is there. */
export function answerInParts(
  exchange: Exchange,
  answers: Answers,
  { streams, pendingPer }: { readonly streams: OpenStreams; readonly pendingPer: PendingPer },
  begin: Begin,
): Execution {
  const { response } = exchange
  // Let go with the last part, with all that the answer was made of: its client may take long to read it.
  let running: IncrementalExecution | null = null
  let holds = 0
  const flow = {
    pause: () => {
      if (holds++ === 0) running?.pause()
    },
    resume: () => {
      if (--holds === 0) running?.resume()
    },
  }
  const parts = new MultipartStream(response, answers.headersFor(exchange), flow, exchange.trace === null)
  const { work } = exchange
  const isGone = () => response.destroyed
  const printing = { work, size: exchange.size, isGone, escape: BOUNDARY_ESCAPE }
  const incremental = new IncrementalResponse(
    parts,
    (errors, isLast) => {
      exchange.report.nextPartSent(errors)
      if (!isLast) return
      exchange.finish()
      running = null
    },
    {
      pendingPer,
      extensions: () => answers.extensionsOf(exchange),
      printer: {
        ...flow,
        print: (value) => printInTurns(value, printing),
        failed: (error) => onDefect(error, true),
      },
    },
  )
  /** false: nothing was sent yet. */
  const giveUp = (code: string, message: string): boolean => {
    exchange.abandon()
    if (!incremental.giveUp(code, message)) return false
    exchange.report.failed(code)
    return true
  }
  const onDefect = (error: unknown, isOver: boolean): void => {
    if (error instanceof ExecutionLimitError) {
      if (!giveUp(error.code, error.message)) answers.refuse(exchange, error)
      return
    }
    if (isOver && !giveUp('INTERNAL_SERVER_ERROR', 'The router failed to deliver this fragment.'))
      return answers.refuse(exchange, error)
    exchange.report.defect(error)
  }
  exchange.refuseBy((error) => {
    if (!giveUp(error.code, error.message)) answers.refuse(exchange, error)
    running = null
  })
  const open = streams.add(() => {
    const refusal = draining()
    if (!giveUp(refusal.code, refusal.message)) answers.refuse(exchange, refusal)
  })
  response.once('close', () => open[Symbol.dispose]())
  const execution = begin(incremental, onDefect)
  running = execution
  return execution
}

/**
 * The last stage of an operation with active `@defer`, and of the probe: each part is sent when it is there.
 */
import {
  type Execution,
  type ExecuteOptions,
  ExecutionLimitError,
  type IncrementalExecution,
  type IncrementalListener,
  type PendingPer,
} from '@switchyard/engine'
import { printInTurns } from '../../http/print-in-turns.ts'
import { headerRecord, NOT_STORED } from '../../http/reply.ts'
import { IncrementalResponse } from '../../incremental/incremental-response.ts'
import { MultipartStream } from '../../incremental/multipart-stream.ts'
import type { OpenStreams } from '../../incremental/open-streams.ts'
import { BOUNDARY_ESCAPE } from '../../http/boundary.ts'
import type { ErrorSummary } from '../../observe/summarize-errors.ts'
import type { CollectedHeaders } from '../../concerns/headers/collected-headers.ts'
import type { Answers } from '../answers/answers.ts'
import { draining } from './check-traffic.ts'
import { OperationOfSocket } from '../../request/event-sink.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { PartFlow, PartStream } from '../../request/part-stream.ts'

/** The options of an answer in parts. */
type Delivery = {
  readonly pendingPer: PendingPer
  /** The answer is one to whoever asks. */
  readonly mayBeStored: boolean
  /**
   * Headers of subgraphs' answers, as far as they are known with the first part; null if no rule names any.
   */
  readonly collected: CollectedHeaders | null
}

/** Begins what delivers parts. Nothing is called before it has returned. */
type Begin = (
  listener: IncrementalListener,
  onDefect: NonNullable<ExecuteOptions['onDefect']>,
) => IncrementalExecution

/**
 * Answers with what `begin` delivers, unless nothing could be sent before it failed: then the exchange is
 * refused.
 */
export function answerInParts(
  exchange: Exchange,
  answers: Answers,
  { streams, ...delivery }: Delivery & { readonly streams: OpenStreams },
  begin: Begin,
): Execution {
  const answer = new AnswerInParts(exchange, answers, delivery)
  exchange.refuseBy((error) => answer.end(error))
  const open = streams.add(() => answer.end(draining()))
  exchange.response.once('close', () => open[Symbol.dispose]())
  return answer.begin(begin)
}

class AnswerInParts {
  readonly #exchange: Exchange
  readonly #answers: Answers
  readonly #incremental: IncrementalResponse
  /** Let go with the last part, with all that the answer was made of: its client may take long to read it. */
  #running: IncrementalExecution | null = null
  /** Number of reasons at this moment to deliver nothing more. */
  #holds = 0

  constructor(exchange: Exchange, answers: Answers, delivery: Delivery) {
    this.#exchange = exchange
    this.#answers = answers
    const { response, work, size } = exchange
    const { pendingPer } = delivery
    const flow = { pause: () => this.#pause(), resume: () => this.#resume() }
    const stream = openStream(exchange, answers, delivery, flow)
    const printing = { work, size, isGone: () => response.destroyed, escape: BOUNDARY_ESCAPE }
    this.#incremental = new IncrementalResponse(stream, (...sent) => this.#sent(...sent), {
      pendingPer,
      extensions: (cost) => this.#extensionsWith(cost),
      printer: {
        ...flow,
        print: (value) => printInTurns(value, printing),
        failed: (error) => this.#onDefect(error, true),
      },
    })
  }

  begin(begin: Begin): IncrementalExecution {
    const execution = begin(this.#incremental, (error, isOver) => this.#onDefect(error, isOver))
    this.#running = execution
    return execution
  }

  /** Ends the delivery. The client is told the reason in a last part, or is refused if it has no part yet. */
  end(reason: Error & { readonly code: string }): void {
    if (!this.#giveUp(reason.code, reason.message)) this.#answers.refuse(this.#exchange, reason)
    this.#running = null
  }

  #onDefect(error: unknown, isOver: boolean): void {
    if (error instanceof ExecutionLimitError) return this.end(error)
    if (isOver && !this.#giveUp('INTERNAL_SERVER_ERROR', 'The router failed to deliver this fragment.'))
      return this.#answers.refuse(this.#exchange, error)
    this.#exchange.report.defect(error)
  }

  /** Gives up the execution. False if nothing was sent yet. */
  #giveUp(code: string, message: string): boolean {
    this.#exchange.abandon()
    if (!this.#incremental.giveUp(code, message)) return false
    this.#exchange.report.failed(code)
    return true
  }

  /** A trace says what the part costs that carries it; it counts as sent only once it is. */
  #extensionsWith(cost: number | null): string | null | Promise<string | null> {
    const { report, trace } = this.#exchange
    if (trace === null) return null
    const sent = report.summary.cost?.actual ?? null
    report.costCounted(cost)
    const extensions = this.#answers.extensionsOf(this.#exchange)
    report.costCounted(sent)
    return extensions
  }

  #sent(errors: ErrorSummary, isLast: boolean, cost: number | null): void {
    this.#exchange.report.costCounted(cost)
    this.#exchange.report.nextPartSent(errors)
    if (!isLast) return
    this.#exchange.finish()
    this.#running = null
  }

  #pause(): void {
    if (this.#holds++ === 0) this.#running?.pause()
  }

  #resume(): void {
    if (--this.#holds === 0) this.#running?.resume()
  }
}

/** Opens the stream of the protocol that the client speaks. */
function openStream(
  exchange: Exchange,
  answers: Answers,
  { mayBeStored, collected }: Delivery,
  flow: PartFlow,
): PartStream {
  const { request, trace } = exchange
  if (request instanceof OperationOfSocket) return request.partsFor(flow)
  return new MultipartStream(
    answers.partsOf(exchange),
    () => headerRecord(answers.headers.for(exchange, NOT_STORED, collected?.write())),
    flow,
    mayBeStored && trace === null && collected === null,
  )
}

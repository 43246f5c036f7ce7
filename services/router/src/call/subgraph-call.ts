/**
 * One fetch from a subgraph: waits for a call, reads its answer, and settles exactly once, by answer,
 * failure, deadline or cancellation. Messages never name an address: clients may read them.
 */
import {
  type ExecutionWork,
  ExecutionLimitError,
  problemOfBody,
  type SubgraphReply,
} from '@switchyard/engine'
import { messageOf } from '@switchyard/values'
import type { SubgraphErrorCode } from '../errors/subgraph-errors.ts'
import { FilesNotTakenError } from '../concerns/uploads/files-not-taken-error.ts'
import { AddressNotAllowedError } from '../addresses/address-guard.ts'
import type { SubgraphBody } from './in-flight/answer-body.ts'
import type { CallInFlight } from './in-flight/call-in-flight.ts'
import type { CallOutcome, Receiver } from './in-flight/receivers.ts'
import type { Expiring } from './in-flight/deadlines.ts'
import type { ReadJson } from './in-flight/read-json.ts'
import { PhaseTimeoutError } from './policies/phases/phase-limits.ts'
import { LARGE_ANSWER, readLargeJson } from './in-flight/read-large-json.ts'

/** Reports that a call is not made, because too many wait. */
export class SubgraphBusyError extends Error {
  override readonly name = 'SubgraphBusyError'
  readonly code = 'SUBGRAPH_BUSY'
}

const GIVEN_UP = new Error('Nobody waits for this answer any more.')
const NEVER_SENT = new Error(
  'never sent: every connection was busy, or none could be made (subgraphs.max_connections), or too many were made (subgraphs.max_calls, max_rate)',
)

/** The options of a fetch. */
export type SubgraphCallOptions = {
  /** The call that the fetch waits for, which it or another fetch began. */
  readonly call: CallInFlight
  readonly subgraph: string
  /** True if numbers that a double cannot hold are read as `ExactNumber`. */
  readonly exactNumbers: boolean
  /** The limit for the size of the answer, for messages; the call enforces it. */
  readonly maxResponseSize: number
  readonly timeout: number
  /** The turns and the budget of the request, which reading a large answer uses. */
  readonly work: ExecutionWork
  /** Is told how many bytes more, or less, the request holds. */
  readonly size: { received(bytes: number): void }
  /** `detail` is for logs, never for clients. */
  readonly settle: (reply: SubgraphReply, detail: string | null) => void
}

/** One fetch in progress. */
export class SubgraphCall implements Receiver, Expiring {
  readonly #options: SubgraphCallOptions
  /** Bytes of the answer that count for the request. */
  #held = 0
  #settled = false

  constructor(options: SubgraphCallOptions) {
    this.#options = options
    options.call.add(this)
  }

  get settled(): boolean {
    return this.#settled
  }

  expire(): void {
    const { subgraph, timeout, call } = this.#options
    this.#fail(
      'SUBGRAPH_TIMEOUT',
      `Subgraph "${subgraph}" did not answer within ${timeout} ms.`,
      call.isSent ? undefined : NEVER_SENT,
    )
  }

  cancel(): void {
    this.#fail('SUBGRAPH_CANCELLED', `The call to subgraph "${this.#options.subgraph}" was cancelled.`)
  }

  hold(bytes: number): void {
    this.#held += bytes
    this.#options.size.received(bytes)
  }

  over(outcome: CallOutcome): void {
    if (outcome.kind === 'answer') this.#read(outcome.body, outcome.status)
    else if (outcome.kind === 'too-large') this.#tooLarge()
    else this.#broken(outcome.error, outcome.status)
  }

  #read(body: SubgraphBody, status: number): void {
    if (body.problem !== null) this.#take({ problem: body.problem }, status)
    else if (body.length > LARGE_ANSWER) void this.#readInTurns(body, status)
    else this.#take(body.read(this.#options.exactNumbers), status)
  }

  #take(answer: ReadJson, status: number): void {
    if ('problem' in answer) {
      const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
      return this.#fail(
        status >= 400 ? 'SUBGRAPH_HTTP_ERROR' : 'SUBGRAPH_INVALID_RESPONSE',
        `Subgraph "${this.#options.subgraph}" sent ${answer.problem} (HTTP status ${status})${redirect}.`,
      )
    }
    const problem = problemOfBody(answer.body, status, this.#options.subgraph)
    if (problem !== null) return this.#fail(problem.code, problem.message)
    this.#settle({ kind: 'answer', status, body: answer.body }, null)
  }

  /**
   * Reads a large answer in turns, within the steps that the request may take. Each fetch does that for
   * itself. The deadline still counts, and reading stops once the fetch is given up.
   */
  async #readInTurns({ chunks }: SubgraphBody, status: number): Promise<void> {
    const { subgraph, exactNumbers, work } = this.#options
    const next = async () => {
      await work.turns.next()
      if (this.#settled) throw GIVEN_UP
    }
    try {
      // One large answer in each turn of the event loop, however many arrive together.
      await next()
      this.#take(await readLargeJson(chunks, exactNumbers, { next }, work.budget), status)
    } catch (error) {
      if (this.#settled) return
      const isTooMuch = error instanceof ExecutionLimitError
      this.#fail(
        isTooMuch ? 'SUBGRAPH_RESPONSE_TOO_LARGE' : 'SUBGRAPH_INVALID_RESPONSE',
        isTooMuch
          ? `Subgraph "${subgraph}" sent more values than one request may hold (limits.max_execution_steps).`
          : `The answer of subgraph "${subgraph}" could not be read.`,
        error,
      )
    }
  }

  #tooLarge(): void {
    const { subgraph, maxResponseSize } = this.#options
    this.#fail(
      'SUBGRAPH_RESPONSE_TOO_LARGE',
      `Subgraph "${subgraph}" sent more than the ${maxResponseSize} bytes allowed.`,
    )
  }

  #broken(error: Error, status: number): void {
    const { subgraph } = this.#options
    if (error instanceof AddressNotAllowedError) {
      this.#fail(error.code, `Subgraph "${subgraph}" is at an address that is not allowed.`, error)
    } else if (error instanceof SubgraphBusyError) {
      this.#fail(error.code, `Subgraph "${subgraph}" was not called: too many calls wait for it.`)
    } else if (error instanceof FilesNotTakenError) {
      const message = `Subgraph "${subgraph}" took nothing of the files for ${error.milliseconds} ms.`
      this.#fail('SUBGRAPH_TIMEOUT', message, error)
    } else if (error instanceof PhaseTimeoutError) {
      this.#fail(error.code, phaseMessage(subgraph, error), error)
    } else if (status !== 0) {
      this.#fail('SUBGRAPH_INVALID_RESPONSE', `Subgraph "${subgraph}" broke its answer off.`, error)
    } else this.#fail('SUBGRAPH_UNREACHABLE', `Subgraph "${subgraph}" could not be reached.`, error)
  }

  #fail(code: SubgraphErrorCode, message: string, cause?: unknown): void {
    this.#settle({ kind: 'failure', code, message }, cause === undefined ? null : messageOf(cause))
  }

  #settle(reply: SubgraphReply, detail: string | null): void {
    if (this.#settled) return
    this.#settled = true
    const { call, size, settle } = this.#options
    if (reply.kind === 'failure') size.received(-this.#held)
    try {
      settle(reply, detail)
    } finally {
      call.leave(this)
    }
  }
}

function phaseMessage(subgraph: string, { phase, milliseconds }: PhaseTimeoutError): string {
  return phase === 'firstByte'
    ? `Subgraph "${subgraph}" began no answer within ${milliseconds} ms.`
    : `Subgraph "${subgraph}" stopped in the middle of its answer: nothing came for ${milliseconds} ms.`
}

/**
 * Several operations in one request: a JSON list as its body, and a list of their answers in the same order.
 *
 * Each operation is a request of its own, with the headers of the batch: it is identified, limited, shared,
 * planned, logged and measured as if it had come alone, and so no stage has to know of batches. The batch
 * itself waits for all of them.
 */
import { HttpError } from '../../errors/http-error.ts'
import type { HeaderList } from '../../headers/header-list.ts'
import type { GraphQLRoute } from '../../http/handler.ts'
import { acceptsJson, JSON_TYPE, notAcceptable } from '../../http/negotiate.ts'
import type { Arrived } from '../../request/arrived.ts'
import { type AnswerReceiver, CollectedResponse } from '../../request/collected-response.ts'
import type { Exchange } from '../../request/exchange.ts'
import { DONE, type Stage } from '../../request/stage.ts'
import { BatchedRequest } from './batched-request.ts'
import { isList, splitList } from './split-list.ts'

/** Writes the answer to a batch. */
type Answers = {
  readonly headers: { for(exchange: Exchange): HeaderList }
  send(
    exchange: Exchange,
    pieces: readonly Uint8Array[],
    options: { readonly type: typeof JSON_TYPE; readonly headers: HeaderList },
  ): void
}

/** The options of batches. */
export type Batching = {
  readonly maxOperations: number
  /** Answers each operation. */
  readonly alone: GraphQLRoute
}

/** Answers the request if it is a batch. Throws HttpError if none of its operations is executed. */
export function answerBatch(
  batching: Batching,
  answers: Answers,
): Stage<Arrived & { readonly text: string }> {
  return {
    waitsFor: null,
    run: ({ exchange, text, search }) => {
      if (exchange.request.method !== 'POST' || !isList(text)) return undefined
      if (!acceptsJson(exchange.request.headers.accept)) throw notAcceptable()
      answerEach(exchange, operationsIn(text, batching.maxOperations), search, { batching, answers })
      return DONE
    },
  }
}

function answerEach(
  exchange: Exchange,
  operations: readonly string[],
  search: string,
  { batching, answers }: { readonly batching: Batching; readonly answers: Answers },
): void {
  let open = operations.length
  const receiver: AnswerReceiver = {
    bytesKept: (bytes) => exchange.size.received(bytes),
    answered: () => {
      if (--open === 0) answerWith(exchange, responses, answers)
    },
  }
  const begun = operations.map((operation, index) => {
    // The batch was counted before anybody knew that it is one: that is for its first operation.
    const rateCounts = index === 0 ? exchange.rateCounts : null
    const { decision } = exchange
    const request = new BatchedRequest(exchange.request, operation, { rateCounts, decision })
    return { request, response: new CollectedResponse(receiver) }
  })
  const responses = begun.map(({ response }) => response)
  exchange.running(() => {
    for (const response of responses) response.destroy()
  })
  exchange.report.enter('execute')
  for (const { request, response } of begun) batching.alone(request, response, search)
}

function operationsIn(text: string, max: number): readonly string[] {
  const operations = splitList(text, max)
  if (operations === null) throw new HttpError('BAD_REQUEST', 'The request body is not valid JSON.')
  if (operations === 'too-many')
    throw new HttpError('BATCH_LIMIT_EXCEEDED', `The request has more than the ${max} operations allowed.`)
  if (operations.length === 0)
    throw new HttpError('BAD_REQUEST', 'The request body is a list without an operation.')
  return operations
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

function answerWith(exchange: Exchange, responses: readonly CollectedResponse[], answers: Answers): void {
  if (exchange.closed) return
  const pieces = responses.flatMap(({ pieces: own }, index) => [index === 0 ? OPEN : COMMA, ...own])
  exchange.finish()
  exchange.report.answering(200)
  answers.send(exchange, [...pieces, CLOSE], { type: JSON_TYPE, headers: answers.headers.for(exchange) })
}

/** The first stage: what the client asks for, from its body or its URL. */
import type { Turns } from '@switchyard/engine'
import type { ClientLookup } from '../../clients/client.ts'
import type { StartQueue } from '../../clients/start-queue.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { checkCsrf } from '../../http/check-csrf.ts'
import type { Connections } from '../../listen/connections.ts'
import type { UnreadRequests } from '../../listen/unread-requests.ts'
import type { SharingKey } from '../../sharing/in-flight-table.ts'
import type { Answers } from '../answers/answers.ts'
import type { Batching } from '../batch/answer-batch.ts'
import { isList } from '../batch/split-list.ts'
import { checkBodyType } from './check-body-type.ts'
import { overloaded } from './check-traffic.ts'
import type { Exchange } from '../../request/exchange.ts'
import { paramsOfBodyInTurns, paramsOfSearch, type RequestParams } from '../../request/graphql-params.ts'
import { joinRun, type JoiningParts, type NamedByRequest } from './join-run.ts'
import { readBody } from './read-body.ts'

/** The parts that limit and read requests. */
export type ReadingParts = {
  readonly config: RouterConfig
  readonly connections: Connections
  /** Requests whose bodies are still on their way. */
  readonly unread: UnreadRequests
  /** The queue in which requests wait while much is in progress. */
  readonly starts: StartQueue
  readonly answers: Answers
  /** Limits of batches; null if a request has exactly one operation. */
  readonly batching: Batching | null
}

/**
 * A request that was read. `key` is the key by which others join its execution; null if it shares with none.
 */
export type ReadRequest = ReadOperation | Batch
type ReadOperation = { readonly params: RequestParams; readonly key: SharingKey | null }
/** Several operations. `list` is the body. */
type Batch = { readonly list: string; readonly batching: Batching }

/**
 * Reads the request, which is in progress as soon as its body is there. Null if it joined another execution,
 * or if its client has left. Throws, or rejects with, HttpError, RequestError for a body with too much in it,
 * and ClientGoneError.
 */
export function readRequest(
  exchange: Exchange,
  named: NamedByRequest,
  { lookUpClient, turns }: WhoAsks,
  parts: ReadingParts & JoiningParts,
): ReadRequest | null | Promise<ReadRequest | null> {
  const { limits, csrf } = parts.config
  const { headers, method } = exchange.request
  if (method === 'POST') {
    checkBodyType(headers)
    return readBody(exchange, limits.bodySize, parts.unread, (text) => {
      const read = (): RequestParams | Promise<RequestParams> =>
        paramsOfBodyInTurns(text, turns, limits.variableValues)
      return joinOrRead(exchange, { text, named, lookUpClient, read }, parts)
    })
  }
  checkCsrf(headers, csrf)
  const text = named.search
  const read = (): RequestParams => paramsOfSearch(new URLSearchParams(text))
  return joinOrRead(exchange, { text, named, lookUpClient, read }, parts)
}

/** The client, and the turns of the event loop for its long work. */
type WhoAsks = { readonly lookUpClient: ClientLookup; readonly turns: Turns }

type Arrived = {
  /** The body, or the query string. */
  readonly text: string
  readonly named: NamedByRequest
  readonly lookUpClient: ClientLookup
  readonly read: () => RequestParams | Promise<RequestParams>
}

function joinOrRead(
  exchange: Exchange,
  arrived: Arrived,
  parts: ReadingParts & JoiningParts,
): ReadRequest | null | Promise<ReadRequest | null> {
  const { text, named, lookUpClient, read } = arrived
  begin(exchange, parts)
  const { batching } = parts
  if (batching !== null && exchange.request.method === 'POST' && isList(text)) return { list: text, batching }
  const key = joinRun(exchange, text, named, parts)
  if (key === 'joined') return null
  const turn = parts.starts.begin(lookUpClient)
  if (turn === undefined) return withKey(read(), key)
  return turn.then(() => {
    if (exchange.closed) return null
    // What has begun meanwhile may answer it.
    const late = joinRun(exchange, text, named, parts)
    return late === 'joined' ? null : withKey(read(), late)
  })
}

function withKey(
  params: RequestParams | Promise<RequestParams>,
  key: SharingKey | null,
): ReadOperation | Promise<ReadOperation> {
  return params instanceof Promise ? params.then((late) => ({ params: late, key })) : { params, key }
}

function begin(exchange: Exchange, { connections, answers }: ReadingParts): void {
  exchange.refuseBy((error) => answers.refuse(exchange, error))
  if (!exchange.beginProgress(connections)) throw overloaded()
}

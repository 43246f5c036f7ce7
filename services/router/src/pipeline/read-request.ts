/** The first stage: what the client asks for, from its body or its URL. */
import type { Turns } from '@switchyard/engine'
import type { RouterConfig } from '../config/router-config.ts'
import { checkCsrf } from '../http/check-csrf.ts'
import type { Connections } from '../http/connections.ts'
import type { UnreadRequests } from '../http/unread-requests.ts'
import type { SharingKey } from '../sharing/sharing-key.ts'
import type { Answers } from './answers.ts'
import { checkBodyType } from './check-body-type.ts'
import { overloaded } from './check-traffic.ts'
import type { Exchange } from './exchange.ts'
import { type GraphQLParams, paramsOfBodyInTurns, paramsOfSearch } from './graphql-params.ts'
import { joinRun, type JoiningParts, type NamedByRequest } from './join-run.ts'
import { readBody } from './read-body.ts'

/** What limits and reads requests. */
export type ReadingParts = {
  readonly config: RouterConfig
  readonly connections: Connections
  /** Requests whose bodies are still on their way. */
  readonly unread: UnreadRequests
  readonly answers: Answers
}

/**
 * What was read; `key`: by it others find what is executed for the request. null: that answers nobody else.
 */
export type ReadRequest = { readonly params: GraphQLParams; readonly key: SharingKey | null }

/**
 * From then on the request is in progress. null: it joined what is executed for another one. Throws, or
 * rejects with, HttpError, RequestError for a body with too much in it, and ClientGoneError.
 */
export function readRequest(
  exchange: Exchange,
  named: NamedByRequest,
  turns: Turns,
  parts: ReadingParts & JoiningParts,
): ReadRequest | null | Promise<ReadRequest | null> {
  const { config, connections, unread, answers } = parts
  const { limits, csrf } = config
  const { headers, method } = exchange.request
  if (method === 'POST') {
    checkBodyType(headers)
    return readBody(exchange, limits.bodySize, unread, (text) => {
      begin(exchange, connections, answers)
      const key = joinRun(exchange, text, named, parts)
      if (key === 'joined') return null
      const params = paramsOfBodyInTurns(text, turns, limits.variableValues)
      return params instanceof Promise ? params.then((late) => ({ params: late, key })) : { params, key }
    })
  }
  checkCsrf(headers, csrf)
  begin(exchange, connections, answers)
  const key = joinRun(exchange, named.search, named, parts)
  return key === 'joined' ? null : { params: paramsOfSearch(new URLSearchParams(named.search)), key }
}

function begin(exchange: Exchange, connections: Connections, answers: Answers): void {
  exchange.refuseBy((error) => answers.refuse(exchange, error))
  if (!exchange.beginProgress(connections)) throw overloaded()
}

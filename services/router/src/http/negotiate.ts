/**
 * Chooses the media type of an answer by the GraphQL-over-HTTP draft: `application/graphql-response+json` for
 * clients that name it (a request error is then a 400), `application/json` otherwise (200).
 */
import { HttpError } from '../errors/http-error.ts'
import { type MediaRange, parseAccept } from './media-ranges.ts'

/** The media type of GraphQL over HTTP, with which request errors have a status of their own. */
export const GRAPHQL_RESPONSE = 'application/graphql-response+json'
/** The media type with which every GraphQL answer has status 200. */
export const JSON_TYPE = 'application/json'

/** The media types of answers in one piece. */
export type ResponseType = typeof GRAPHQL_RESPONSE | typeof JSON_TYPE

/** Returns the media type, or null if the client accepts none that the router can send. */
export function negotiate(accept: string | undefined): ResponseType | null {
  if (accept === undefined) return JSON_TYPE
  switch (accept) {
    case '*/*':
    case JSON_TYPE:
      return JSON_TYPE
    case GRAPHQL_RESPONSE:
    case `${GRAPHQL_RESPONSE}, ${JSON_TYPE}`:
      return GRAPHQL_RESPONSE
  }
  const ranges = parseAccept(accept)
  // A header without a readable element counts as no header: a refusal would be hard to explain.
  if (ranges.length === 0) return JSON_TYPE
  const graphql = qualityOf(GRAPHQL_RESPONSE, ranges)
  const json = qualityOf(JSON_TYPE, ranges)
  if (graphql.named && graphql.quality > 0 && graphql.quality >= json.quality) return GRAPHQL_RESPONSE
  if (json.quality > 0) return JSON_TYPE
  if (graphql.quality > 0) return GRAPHQL_RESPONSE
  // A client of incremental delivery also reads plain JSON: the answer of an operation without `@defer`.
  return ranges.some(({ type, quality }) => quality > 0 && type.startsWith('multipart/')) ? JSON_TYPE : null
}

/**
 * Returns whether a client accepts an answer that is JSON but not a GraphQL response, such as a list of them.
 */
export function acceptsJson(accept: string | undefined): boolean {
  const ranges = accept === undefined ? [] : parseAccept(accept)
  return ranges.length === 0 || qualityOf(JSON_TYPE, ranges).quality > 0
}

/** Makes the error for a client that accepts no media type of the router. */
export function notAcceptable(): HttpError {
  return new HttpError(
    'NOT_ACCEPTABLE',
    'The Accept header names no type this router answers with. Accept application/graphql-response+json or application/json.',
  )
}

/** Returns the weight of a type. The most specific range that matches decides. */
function qualityOf(type: ResponseType, ranges: readonly MediaRange[]) {
  for (const pattern of [type, 'application/*', '*/*']) {
    const matching = ranges.filter((range) => range.type === pattern && acceptsUtf8(range))
    if (matching.length > 0) {
      return { named: pattern === type, quality: Math.max(...matching.map(({ quality }) => quality)) }
    }
  }
  return { named: false, quality: 0 }
}

function acceptsUtf8({ parameters }: MediaRange): boolean {
  const charset = parameters.get('charset')
  return charset === undefined || /^utf-?8$/i.test(charset)
}

/** One GraphQL query to an endpoint that the user names. Bounded in size, and in time by the signal. */
import { z } from 'zod'
import type { Headers } from '../command/endpoint-options.ts'
import { readAnswerBody, UnreadableAnswer } from '../registry/answer-body.ts'
import { parseJson, connectionFailureReason } from '../registry/transport.ts'
import { RequestFailed, sendRequest } from '../registry/send-request.ts'

/** Bytes of an answer: more than the largest schema has when it is written as JSON. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** The answer of an endpoint, or the reason why there is none. */
export type EndpointAnswer =
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** Something answered that is no GraphQL endpoint, or one that does not answer this caller. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'answer'; readonly data: unknown; readonly errors: readonly string[] }

const GraphQLResponse = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})

/** Never rejects: an aborted request is one that nothing answered. */
export async function askEndpoint(
  url: URL,
  query: string,
  { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal },
): Promise<EndpointAnswer> {
  try {
    const response = await sendRequest({
      method: 'POST',
      url,
      headers: {
        accept: 'application/graphql-response+json, application/json',
        ...headers,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
      signal,
    })
    const { statusCode: status = 0 } = response
    const { location } = response.headers
    if (status >= 300 && status < 400) {
      response.destroy()
      const where = location === undefined ? 'elsewhere' : `to ${location}`
      return { kind: 'refused', reason: `HTTP ${status}, which leads ${where}: name that URL` }
    }
    const parsed = GraphQLResponse.safeParse(parseJson(await readAnswerBody(response, MAX_ANSWER_BYTES)))
    const { data, errors = [] } = parsed.data ?? {}
    if (data === undefined && errors.length === 0) {
      return { kind: 'refused', reason: `HTTP ${status} without a GraphQL response` }
    }
    return { kind: 'answer', data, errors: errors.map(({ message }) => message) }
  } catch (error) {
    if (error instanceof UnreadableAnswer) return { kind: 'refused', reason: error.message }
    return {
      kind: 'unreachable',
      reason: connectionFailureReason(error instanceof RequestFailed ? error.cause : error),
    }
  }
}

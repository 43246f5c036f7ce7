/** Sends one request, and makes the value of a field from the reply. */
import type { ExecutionWork } from '@switchyard/engine'
import { messageOf } from '@switchyard/values'
import { LARGE_ANSWER, readLargeJson } from '../../call/in-flight/read-large-json.ts'
import { type ReadJson, readJson } from '../../call/in-flight/read-json.ts'
import type { Shape } from '../fields/payload-shape.ts'
import { shapePayload } from '../fields/shape-payload.ts'
import { type CallFailure, failureOf } from './call-failure.ts'
import type { PublishedCall } from './publish.ts'

/** A request to be sent. */
export type RequestedCall = PublishedCall & {
  readonly shape: Shape
  /** Whether numbers that a double cannot hold are read as `ExactNumber`. */
  readonly exactNumbers: boolean
  readonly work: ExecutionWork
  readonly maxReplySize: number
}

type Result = { readonly value: unknown } | { readonly failure: CallFailure }

/** Resolves with the value that the reply has. */
export async function request(call: RequestedCall): Promise<Result> {
  const { subgraph, subject, link, payload, timeout, maxReplySize } = call
  if (link === null) return failureOf('SUBGRAPH_UNREACHABLE', subgraph, 'there is no connection to NATS')
  let data: Uint8Array
  try {
    const reply = await link.connection.request(subject, payload, { timeout })
    data = reply.data
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return failureOf(isLate ? 'SUBGRAPH_TIMEOUT' : 'SUBGRAPH_UNREACHABLE', subgraph, messageOf(error))
  }
  if (data.length > maxReplySize)
    return failureOf('SUBGRAPH_RESPONSE_TOO_LARGE', subgraph, `the reply has ${data.length} bytes`)
  const read = await readReply(Buffer.from(data.buffer, data.byteOffset, data.length), call)
  if ('problem' in read) return failureOf('SUBGRAPH_INVALID_RESPONSE', subgraph, read.problem)
  const shaped = shapePayload(read.body, call.shape)
  if (shaped.kind === 'nonsense') return failureOf('SUBGRAPH_INVALID_RESPONSE', subgraph, shaped.reason)
  return { value: shaped.value }
}

function readReply(
  data: Buffer,
  { exactNumbers, work: { turns, budget } }: RequestedCall,
): ReadJson | Promise<ReadJson> {
  if (data.length <= LARGE_ANSWER) return readJson(data, exactNumbers)
  return readLargeJson([data], exactNumbers, turns, budget)
}

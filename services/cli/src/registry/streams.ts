/** Requests whose body or answer is too long to be held: sent once, and read as they come. */
import { Readable } from 'node:stream'
import { request } from 'undici'
import type { CliContext } from '../run/context.ts'
import { Interrupted, OutcomeUnknown, RegistryUnreachable } from '../run/errors.ts'
import { readAnswerBody } from './answer-body.ts'
import { type RegistryAddress, whereAddressIsFrom } from './find-registry.ts'
import {
  connectionFailureReason,
  MAX_ANSWER_BYTES,
  networkErrorCode,
  NEVER_SENT,
  type RegistryAnswer,
} from './transport.ts'

/** A request whose body may be a stream. */
export type StreamCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable
}

/** The body of an answer with status 200 as a stream; any other answer whole. */
export type StreamAnswer =
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Buffer> }
  /** Anything but 200. */
  | { readonly kind: 'answer'; readonly answer: RegistryAnswer }

/** Waits however long it takes. `chunks` throws RegistryUnreachable when the answer breaks off. */
export async function openStream(
  address: RegistryAddress,
  call: StreamCall,
  { signal }: Pick<CliContext, 'signal'>,
): Promise<StreamAnswer> {
  const { origin } = address
  const { method, path, headers, body } = call
  try {
    const response = await request(`${origin}${path}`, {
      method,
      headers,
      body: body ?? null,
      signal,
      reset: true,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    if (response.statusCode === 200) {
      return { kind: 'stream', chunks: readAll(response.body, origin, signal) }
    }
    const type = String(response.headers['content-type'] ?? '')
    const text = await readAnswerBody(response.body, MAX_ANSWER_BYTES)
    return { kind: 'answer', answer: { status: response.statusCode, type, text } }
  } catch (error) {
    if (signal.aborted) throw new Interrupted('Interrupted; look at the registry before you go on.')
    if (method === 'GET' || NEVER_SENT.has(networkErrorCode(error))) {
      throw new RegistryUnreachable(
        `The registry at ${origin} cannot be reached: ${connectionFailureReason(error)}. Nothing was changed. ${whereAddressIsFrom(address)}`,
      )
    }
    throw new OutcomeUnknown(
      `The connection to the registry at ${origin} broke before it answered (${connectionFailureReason(error)}). Look at the registry: it says so when it holds only a part.`,
    )
  } finally {
    body?.destroy()
  }
}

async function* readAll(
  body: AsyncIterable<Buffer>,
  origin: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    if (signal.aborted) throw new Interrupted('Interrupted; what was written so far is not whole.')
    throw new RegistryUnreachable(
      `The answer of the registry at ${origin} broke off: ${connectionFailureReason(error)}.`,
    )
  }
}

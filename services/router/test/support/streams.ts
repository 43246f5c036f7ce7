/** Clients of incremental responses, part by part, over either protocol. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import type { Readable } from 'node:stream'
import { PartReader } from './parts.ts'

export type Stream = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Waits for the next part; null at the proper end of the stream. */
  next(): Promise<unknown>
  /** Closes the connection, or over HTTP/2 resets the stream. */
  leave(): void
  /** Over HTTP/1.1 the connection is reset, over HTTP/2 closed with all of its streams. */
  breakOff(): void
}

type Leaving = Pick<Stream, 'leave' | 'breakOff'>

function streamOf(body: Readable, status: number, headers: IncomingHttpHeaders, leaving: Leaving): Stream {
  const reader = new PartReader()
  const parts: unknown[] = []
  const chunks = body[Symbol.asyncIterator]()
  return {
    status,
    headers,
    async next() {
      while (parts.length === 0) {
        const { value, done } = await chunks.next()
        if (done === true) {
          if (!reader.isOver) throw new Error('The stream was cut.')
          return null
        }
        parts.push(...reader.read(Buffer.from(value)).map(({ text }): unknown => JSON.parse(text)))
      }
      return parts.shift()
    },
    ...leaving,
  }
}

/** Each on a connection of its own. */
export async function overHttp1(
  target: { readonly graphqlUrl: string },
  query: string,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<Stream> {
  const outgoing = httpRequest(target.graphqlUrl, {
    agent: false,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  })
  outgoing.end(JSON.stringify({ query, ...more }))
  const [response] = await once(outgoing, 'response')
  return streamOf(response, response.statusCode, response.headers, {
    leave: () => outgoing.destroy(),
    breakOff: () => outgoing.socket?.resetAndDestroy(),
  })
}

export async function overHttp2(
  session: ClientHttp2Session,
  query: string,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<Stream> {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/graphql',
    'content-type': 'application/json',
    ...headers,
  })
  stream.end(JSON.stringify({ query, ...more }))
  const [received] = await once(stream, 'response')
  stream.on('error', () => {})
  return streamOf(stream, received[':status'], received, {
    leave: () => stream.close(constants.NGHTTP2_CANCEL),
    breakOff: () => session.destroy(),
  })
}

export async function http2SessionOn(target: {
  readonly url: string
}): Promise<ClientHttp2Session & Disposable> {
  const session = connectHttp2(target.url)
  session.on('error', () => {})
  await once(session, 'connect')
  return Object.assign(session, { [Symbol.dispose]: () => session.destroy() })
}

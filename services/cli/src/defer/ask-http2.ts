/** One probe over HTTP/2: agreed on by TLS, or with prior knowledge where there is none. */
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { connectionFailureReason } from '../registry/transport.ts'
import type { ProbeMessage } from './ask-http1.ts'
import type { ProbeAnswer } from './recording.ts'
import { Recorder } from './recorder.ts'

/** Resolves with what was received, or with the reason why nothing was. */
export function askHttp2({ url, headers, body, limit, signal }: ProbeMessage): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    let recorder: Recorder | null = null
    let begunAt = performance.now()
    const session = connect(url.origin)
    const finish = (answer: ProbeAnswer): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      session.destroy()
      resolve(answer)
    }
    const giveUp = (): void => {
      finish(recorder?.end('unfinished') ?? { kind: 'timeout', reason: `no answer within ${limit / 1000} s` })
    }
    const timer = setTimeout(giveUp, limit)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp)
    // A server of HTTP/1 answers the preface of HTTP/2 with an error, or hangs up.
    const fail = (error: Error | null): void => {
      const reason = error === null ? 'the connection was closed' : refusalOf(error)
      finish(recorder?.end('cut') ?? { kind: 'other-protocol', reason })
    }
    session.on('error', fail)
    session.on('close', () => fail(null))
    session.once('connect', () => {
      if (url.protocol === 'https:' && session.alpnProtocol !== 'h2')
        return finish({ kind: 'other-protocol', reason: NOT_AGREED })
      begunAt = performance.now()
      const stream = openStream(session, url, headers)
      stream.on('response', (received) => {
        const { [constants.HTTP2_HEADER_STATUS]: status, ...rest } = received
        recorder = new Recorder({ status: Number(status), httpVersion: '2.0', headers: rest, begunAt })
      })
      stream.on('data', (bytes: Buffer) => {
        if (recorder?.read(bytes) === false) giveUp()
      })
      stream.on('error', fail)
      stream.on('close', () => {
        const isWhole = stream.readableEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR
        finish(
          recorder?.end(isWhole ? 'complete' : 'cut') ?? {
            kind: 'other-protocol',
            reason: 'the stream was closed',
          },
        )
      })
      stream.end(body)
    })
  })
}

const NOT_AGREED = 'TLS does not agree on it'

function refusalOf(error: Error): string {
  return error.message.includes('no application protocol') ? NOT_AGREED : connectionFailureReason(error)
}

function openStream(
  session: ClientHttp2Session,
  url: URL,
  headers: ProbeMessage['headers'],
): ClientHttp2Stream {
  return session.request({
    ...headers,
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `${url.pathname}${url.search}`,
  })
}

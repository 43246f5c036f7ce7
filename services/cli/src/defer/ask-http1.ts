/** One probe over HTTP/1.1, with the headers of the caller and no others. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { connectionFailureReason } from '../registry/transport.ts'
import type { ProbeAnswer } from './recording.ts'
import { Recorder } from './recorder.ts'

/** A request to the probe, ready to be sent. */
export type ProbeMessage = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds for the whole answer. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** A connection that several probes can use, one after the other. */
export type Http1Connection = Disposable & { readonly agent: HttpAgent | HttpsAgent }

/** Keeps one connection for questions that follow one another. */
export function openHttp1({ protocol }: URL): Http1Connection {
  const options = { keepAlive: true, maxSockets: 1 }
  const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
  return { agent, [Symbol.dispose]: () => agent.destroy() }
}

/**
 * Resolves with what was received, or with the reason why nothing was. Never rejects for what a server does.
 */
export function askHttp1({ agent }: Http1Connection, question: ProbeMessage): Promise<ProbeAnswer> {
  const { url, headers, body, limit, signal } = question
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = send(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    let begunAt = performance.now()
    onSent(outgoing, url.protocol === 'https:', () => (begunAt = performance.now()))
    let recorder: Recorder | null = null
    const finish = (answer: ProbeAnswer): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      resolve(answer)
    }
    const giveUp = (): void => {
      finish(recorder?.end('unfinished') ?? { kind: 'timeout', reason: `no answer within ${limit / 1000} s` })
      outgoing.destroy()
    }
    const timer = setTimeout(giveUp, limit)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp)
    outgoing.on('error', (error) => {
      // Of an answer that has begun, what came before the error is yet to be read: its own end says that it
      // is over.
      if (recorder === null) finish({ kind: 'no-connection', reason: connectionFailureReason(error) })
    })
    outgoing.on('response', (response: IncomingMessage) => {
      const { statusCode = 0, httpVersion } = response
      const started = new Recorder({ status: statusCode, httpVersion, headers: response.headers, begunAt })
      recorder = started
      response.on('data', (bytes: Buffer) => {
        if (!started.read(bytes)) giveUp()
      })
      response.on('error', () => finish(started.end('cut')))
      response.on('close', () => finish(started.end(response.complete ? 'complete' : 'cut')))
    })
    outgoing.end(body)
  })
}

/** Calls `begin` at the last moment at which nothing of the request can have left. */
function onSent(outgoing: ClientRequest, isSecure: boolean, begin: () => void): void {
  outgoing.on('socket', (socket) => {
    begin()
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', begin)
  })
}

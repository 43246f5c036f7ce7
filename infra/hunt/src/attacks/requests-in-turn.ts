/**
 * The simplest attack: some connections, on each of which the next request goes out when the last one is
 * answered.
 */
import { Agent, request as send } from 'node:http'
import { type Attack, counted, type Field } from './attack.ts'

/** Connections that ask at the same time. */
const CONNECTIONS = 8

export type AskedOften = Omit<Attack, 'run'> & {
  /** Returns the body of a request. Bodies differ where a router would remember earlier ones. */
  readonly body: (number: number) => string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export function askedOften({ body, headers = {}, ...attack }: AskedOften): Attack {
  return {
    ...attack,
    async run(field) {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, localAddress: field.address })
      let number = 0
      const ask = async (): Promise<void> => {
        while (!field.signal.aborted) {
          const text = Buffer.from(body(number++))
          field.tally.requests++
          field.tally.bytes += text.length
          counted(field.tally, await answerTo(text, headers, agent, field))
        }
      }
      try {
        await Promise.all(Array.from({ length: CONNECTIONS }, ask))
      } finally {
        agent.destroy()
      }
    },
  }
}

/** The status, or why there is none. */
function answerTo(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
  { host, port, signal }: Field,
): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = send(
      {
        agent,
        host,
        port,
        path: '/graphql',
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
      },
      (incoming) => {
        incoming.resume()
        incoming.on('end', () => resolve(String(incoming.statusCode)))
        incoming.on('error', () => resolve('broken off'))
      },
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.name === 'AbortError' ? 'stopped' : (error.code ?? 'failed'))
    })
    outgoing.end(body)
  })
}

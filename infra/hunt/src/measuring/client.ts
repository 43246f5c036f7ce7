/** One connection to a router, one request at a time. */
import { Agent, request as send } from 'node:http'

export type Answer = { readonly status: number; readonly body: Buffer; readonly type: string }

export type Client = Disposable & {
  /** Rejects when the connection ends before the answer, or when nothing comes for a minute. */
  post(body: Buffer, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

const PATIENCE_MS = 60_000

/** Opens a client. With an address of its own it has as many connections as it needs, else one. */
export function openClient(port: number, address?: string): Client {
  const agent = new Agent({
    keepAlive: true,
    ...(address === undefined ? { maxSockets: 1 } : { localAddress: address }),
  })
  return {
    post: (body, headers = {}) =>
      new Promise((resolve, reject) => {
        const outgoing = send(
          {
            agent,
            host: '127.0.0.1',
            port,
            path: '/graphql',
            method: 'POST',
            headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
            timeout: PATIENCE_MS,
          },
          (incoming) => {
            const chunks: Buffer[] = []
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
            incoming.on('error', reject)
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode ?? 0,
                body: Buffer.concat(chunks),
                type: incoming.headers['content-type'] ?? '',
              }),
            )
          },
        )
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

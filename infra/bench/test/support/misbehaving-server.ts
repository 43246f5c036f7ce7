/**
 * A server that answers each path in another way that a client should call a failure, and `/right` as it
 * should.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestServer = AsyncDisposable & { readonly url: string }

export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function answerJson(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

export const STREAM_TYPE = 'multipart/mixed; boundary="graphql"; incrementalSpec=v0.2'
export const part = (json: unknown): string =>
  `\r\n--graphql\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(json)}`
export const FIRST_PART = part({ data: { a: 1 }, pending: [{ id: '1', path: [] }], hasNext: true })
export const LAST_PART = part({
  incremental: [{ data: { b: 2 }, id: '1' }],
  completed: [{ id: '1' }],
  hasNext: false,
})

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  right: (response) => answerJson(response, { data: { a: 1 } }),
  reset: (response) => response.socket?.destroy(),
  silent: () => {},
  'half-silent': (response) => void response.writeHead(200, { 'content-length': 100 }).write('{"data"'),
  status: (response) => answerJson(response, { errors: [{ message: 'draining' }] }, 503),
  errors: (response) => answerJson(response, { data: null, errors: [{ message: 'no such field' }] }),
  other: (response) => answerJson(response, { data: { a: 2 } }),
  empty: (response) => answerJson(response, {}),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'),
  cut: (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"data"', () => response.socket?.destroy())
  },
  'cut-stream': (response) => response.writeHead(200, { 'content-type': STREAM_TYPE }).end(FIRST_PART),
  'late-errors': (response) => {
    const failed = part({ completed: [{ id: '1', errors: [{ message: 'gone' }] }], hasNext: false })
    response.writeHead(200, { 'content-type': STREAM_TYPE }).end(`${FIRST_PART}${failed}\r\n--graphql--\r\n`)
  },
}

export function serveFailures(): Promise<TestServer> {
  return serve((request, response) => {
    const answer = ANSWERS[request.url?.slice(1).split('?')[0] ?? '']
    if (answer === undefined) throw new Error(`Nothing is known about ${request.url}`)
    answer(response)
  })
}

/**
 * A subgraph of products that holds each call until it is told to answer, and answers with what it was sent.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { closeServer, listenOnFreePort } from './subgraph.ts'

/** A call that waits for its answer. */
export type HeldCall = {
  readonly number: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  isGone: boolean
  /** All of its answer was written. */
  isSent: boolean
  /** The name of the product; by default the number of the call and the header `x-user`. */
  answer(name?: string): void
  breakOff(): void
  /** Answers with this status and type, and with no data. */
  fail(status: number, type: string): void
}

export type HeldSubgraph = AsyncDisposable & {
  readonly url: string
  /** In the order in which they came. */
  readonly calls: readonly HeldCall[]
  /** Answers those that wait, and others when they come. */
  answerAll(): void
}

export async function startHeldSubgraph(): Promise<HeldSubgraph> {
  const calls: HeldCall[] = []
  let isOpen = false
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const number = calls.length + 1
      const call: HeldCall = {
        number,
        headers: request.headers,
        body,
        isGone: false,
        isSent: false,
        answer(name = `${number} of ${String(request.headers['x-user'] ?? 'nobody')}`) {
          if (response.writableEnded) return
          const product = { __typename: 'Product', upc: '1', name }
          const data = body.includes('rename') ? { rename: product } : { product }
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
        },
        breakOff: () => response.destroy(),
        fail: (status, type) => response.writeHead(status, { 'content-type': type }).end('{}'),
      }
      response.on('finish', () => (call.isSent = true))
      response.on('close', () => (call.isGone = !response.writableFinished))
      calls.push(call)
      if (isOpen) call.answer()
    })
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    calls,
    answerAll() {
      isOpen = true
      for (const call of calls) call.answer()
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  }
}

/**
 * One subgraph in a thread of its own. "a" answers at once what the quiet client asks for; "b" does what an
 * attack says.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { ATTACKS } from './all-attacks.ts'

export type SubgraphSetUp = { readonly attack: string | null }

const { attack } = workerData as SubgraphSetUp
const answer =
  ATTACKS.find(({ name }) => name === attack)?.answer?.() ?? Buffer.from('{"data":{"me":{"id":"1"}}}')
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion, unicorn/require-post-message-target-origin -- it listens on a port, and a thread has no origin
  parentPort?.postMessage((server.address() as AddressInfo).port)
})

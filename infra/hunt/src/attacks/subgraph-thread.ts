/**
 * One subgraph in a thread of its own. "a" answers at once what the quiet client asks for; "b" does what an
 * attack says.
 */
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { workerData } from 'node:worker_threads'
import type { TestCertificate } from '@switchyard/testkit'
import { tell } from '../measuring/tell.ts'
import { ATTACKS } from './all-attacks.ts'

export type SubgraphSetUp = { readonly attack: string | null; readonly certificate: TestCertificate }

const QUIET_ANSWER = Buffer.from('{"data":{"me":{"id":"1"}}}')

const { attack, certificate } = workerData as SubgraphSetUp
const attacking = ATTACKS.find(({ name }) => name === attack)
const server = attacking?.serve?.(certificate) ?? answering(attacking?.answer?.() ?? QUIET_ANSWER)
server.listen(0, '127.0.0.1', () => {
  tell((server.address() as AddressInfo).port)
})

function answering(answer: Buffer): Server {
  return createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(answer)
    })
  })
}

/**
 * The process of the subgraphs: `node subgraph-server.ts '{"extraTypes":0,"latency":0}'`. It executes a
 * body once and keeps the bytes of the answer, so that it uses next to no CPU of its own. Prints its port.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { cinemaSubgraphs } from './cinema.ts'

const MAX_KEPT = 20_000

const { extraTypes, latency } = z
  .object({ extraTypes: z.number(), latency: z.number() })
  .parse(JSON.parse(process.argv[2] ?? '{}'))
const subgraphs = new Map(cinemaSubgraphs(extraTypes).map((subgraph) => [`/${subgraph.name}`, subgraph]))
const kept = new Map<string, Buffer>()

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('latin1')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    answer(request, body, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) console.log(JSON.stringify({ port: address.port }))
})
process.once('SIGTERM', () => process.exit(0))

async function answer({ url = '' }: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
  // A feature subgraph is asked under its own name, with a number behind it.
  const subgraph = subgraphs.get(url.replace(/-\d+$/, ''))
  if (subgraph === undefined) {
    response.writeHead(404).end()
    return
  }
  const key = `${subgraph.name} ${body}`
  let bytes = kept.get(key)
  if (bytes === undefined) {
    const result = await subgraph.execute(Buffer.from(body, 'latin1').toString('utf8'))
    subgraph.forget()
    bytes = Buffer.from(JSON.stringify(result.body))
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, bytes)
  }
  if (latency > 0) await sleep(latency)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
}

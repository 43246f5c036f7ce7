/**
 * Measures the CPU time that a call of a subgraph takes of the router's thread, over HTTP/1.1 and over
 * HTTP/2: `node services/router/bench/http2-cost.ts [calls] [at a time]`. The subgraph is another process.
 */
import { LineInOrder, SocketTurns } from '@switchyard/service-kit'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { ConnectionPool } from '../src/transport/http1/connection-pool.ts'
import { READ_SIZE } from '../src/transport/http1/limits.ts'
import { Http2Pool } from '../src/transport/http2/http2-pool.ts'
import type { CallHandler, CallPool } from '../src/transport/dispatch/call-pool.ts'

const [calls = 20_000, atOnce = 50] = process.argv.slice(2).map(Number)
const BODY = JSON.stringify({ query: '{ topProducts(first: 5) { upc name price } }' })
const SERVER = `
const body = JSON.stringify({ data: { topProducts: Array.from({ length: 5 }, (_, i) => ({ upc: String(i), name: 'Table', price: 899 })) } })
const one = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
})
const two = require('node:http2').createServer()
two.on('stream', (stream) => {
  stream.resume().on('end', () => { stream.respond({ ':status': 200, 'content-type': 'application/json' }); stream.end(body) })
})
one.listen(0, '127.0.0.1', () => two.listen(0, '127.0.0.1', () => console.log(JSON.stringify([one.address().port, two.address().port]))))
`
const server = spawn(process.execPath, ['--eval', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
const [first] = await once(server.stdout, 'data')
const [one, two]: readonly number[] = JSON.parse(String(first))

const headers = [
  'content-type',
  'application/json',
  'accept',
  'application/graphql-response+json, application/json',
]

function call(pool: CallPool): Promise<void> {
  return new Promise((resolve, reject) => {
    const handler: CallHandler = {
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: () => {},
      onWholeBody: () => {},
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    }
    pool.dispatch({ path: '/graphql', method: 'POST', headers: [...headers], body: BODY }, handler)
  })
}

async function measure(pool: CallPool): Promise<number> {
  const run = async (count: number) => {
    let left = count
    const lane = async () => {
      while (left-- > 0) await call(pool)
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }
  await run(calls / 4)
  const before = process.cpuUsage()
  await run(calls)
  const { user, system } = process.cpuUsage(before)
  await pool.destroy()
  return (user + system) / calls
}

const options = (port: number) => ({
  origin: new URL(`http://127.0.0.1:${port}`),
  maxConnections: atOnce,
  connectTimeout: 5000,
  sending: () => {},
})
const to = (port: number) => ({ host: '127.0.0.1', port, noDelay: true })
for (let round = 0; round < 3; round++) {
  const readBuffer = Buffer.allocUnsafeSlow(READ_SIZE)
  const lean = new ConnectionPool({
    ...options(one ?? 0),
    readBuffer,
    open: (onread) => connect({ ...to(one ?? 0), onread }),
  })
  const streams = new Http2Pool({
    turns: new SocketTurns(new LineInOrder()),
    ...options(two ?? 0),
    open: () => connect(to(two ?? 0)),
  })
  const http1 = await measure(lean)
  const http2 = await measure(streams)
  process.stdout.write(`HTTP/1.1: ${http1.toFixed(1)} µs a call; HTTP/2: ${http2.toFixed(1)} µs\n`)
}
server.kill()

/**
 * Makes calls to a subgraph and does nothing else: what a call costs at least, with the client that the
 * router has.
 */
import { createServer } from 'node:http'
import { loadRouterConfig, LOCAL_NETWORKS } from '../src/config/router-config.ts'
import { LoadWatch } from '../src/transport/load/load-watch.ts'
import type { CallPool } from '../src/transport/dispatch/call-pool.ts'
import type { Lease } from '../src/memory/leased-values.ts'
import { Origins } from '../src/call/origins.ts'
import { repeat } from './load.ts'
import type { CallController, CallHandler } from '../src/transport/dispatch/call-pool.ts'

type Order = { readonly url: string; readonly request: string; readonly count: number }

createServer((_request, response) => response.end()).listen(
  Number(process.env['SWITCHYARD_PORT']),
  '127.0.0.1',
)
const { subgraphs } = loadRouterConfig({ defaultNetworks: LOCAL_NETWORKS })
const origins = new Origins(subgraphs, { loads: new LoadWatch() })
let lease: Lease<CallPool> | null = null
process.on('message', (order: Order | 'cpu') => {
  if (order === 'cpu') return
  const { url, request, count } = order
  const { origin, pathname } = new URL(url)
  const pool = (lease ??= origins.lease(origin, 'bench')).value
  const headers = ['content-type', 'application/json', 'accept', 'application/json']
  void repeat(
    count,
    () =>
      new Promise((resolve, reject) => {
        const answer = new ReadAnswer(resolve, reject)
        pool.dispatch({ method: 'POST', path: pathname, headers, body: request }, answer)
      }),
  ).then(() => process.send?.('done'))
})

/** Reads the JSON of an answer. */
class ReadAnswer implements CallHandler {
  readonly #chunks: Buffer[] = []
  readonly #resolve: (body: unknown) => void
  readonly #reject: (error: Error) => void

  constructor(resolve: (body: unknown) => void, reject: (error: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(): void {}

  onResponseStart(): void {}

  onResponseData(_controller: CallController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#resolve(JSON.parse(Buffer.concat(this.#chunks).toString()))
  }

  onResponseError(_controller: CallController | null, error: Error): void {
    this.#reject(error)
  }
}

process.on('SIGTERM', () => process.exit())

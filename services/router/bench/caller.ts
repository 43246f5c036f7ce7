/**
 * Makes calls to a subgraph and does nothing else: what a call costs at least, with the client that the
 * router has.
 */
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { repeat } from './load.ts'

type Order = { readonly url: string; readonly request: string; readonly count: number }

createServer((_request, response) => response.end()).listen(
  Number(process.env['SWITCHYARD_PORT']),
  '127.0.0.1',
)
let pool: Pool | null = null
process.on('message', (order: Order | 'cpu') => {
  if (order === 'cpu') return
  const { url, request, count } = order
  pool ??= new Pool(url)
  const calling = pool
  void repeat(count, async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const { body } = await calling.request({ method: 'POST', path: '/', headers, body: request })
    await body.json()
  }).then(() => process.send?.('done'))
})
process.on('SIGTERM', () => process.exit())

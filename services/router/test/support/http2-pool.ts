import { LineInOrder, SocketTurns } from '@switchyard/service-kit'
import { connect } from 'node:net'
import { Http2Pool, type Http2PoolOptions } from '../../src/transport/http2/http2-pool.ts'
import { type RecordedAnswer, send } from '../transport/http1/support.ts'

/** Connections of a subgraph at `origin`, such as `http://127.0.0.1:4001`, which end with the test. */
export function openHttp2Pool(
  origin: string,
  options: Partial<Http2PoolOptions> = {},
): Http2Pool & AsyncDisposable {
  const url = new URL(origin)
  const pool = new Http2Pool({
    origin: url,
    maxConnections: 10,
    turns: new SocketTurns(new LineInOrder()),
    connectTimeout: 5000,
    open: () => connect({ host: url.hostname, port: Number(url.port), noDelay: true }),
    sending: () => {},
    ...options,
  })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.destroy() })
}

/** Sends `count` calls at once, whose bodies are `call 0`, `call 1` and so on. */
export const sendMany = (pool: Http2Pool, count: number): readonly RecordedAnswer[] =>
  Array.from({ length: count }, (_, index) => send(pool, { body: `call ${index}` }))

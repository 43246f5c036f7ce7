import { once } from 'node:events'
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TraceLoadStats } from '@switchyard/request-trace'
import { afterEach, describe, expect, it } from 'vitest'
import { createAddressGuard, type Resolve } from '../../src/addresses/address-guard.ts'
import { LOCAL_NETWORKS } from '../../src/addresses/allowed-networks.ts'
import { Connector } from '../../src/transport/connector.ts'
import type { CallController, CallHandler, CallPool } from '../../src/transport/dispatch/call-pool.ts'
import { ConnectionPool } from '../../src/transport/http1/connection-pool.ts'
import { READ_SIZE } from '../../src/transport/http1/limits.ts'
import { Origins } from '../../src/call/origins.ts'
import { LoadWatch, type RequestLoads } from '../../src/transport/load/load-watch.ts'
import type { WatchedCall } from '../../src/transport/load/watched-call.ts'
import { createCertificate } from '@switchyard/testkit'

const ON_ANY_CONNECTION = ['got_conn', 'wrote_headers', 'wrote_request', 'got_first_response_byte']
const CONNECTING = ['connect_start', 'connect_done']

const stack: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync()
})

/** A clock that counts how often it is asked: what happens later has a larger time, always. */
function createWatch(): LoadWatch {
  let time = 0
  return new LoadWatch(() => ++time)
}

async function listen(server: Server): Promise<number> {
  const resources = new AsyncDisposableStack()
  resources.defer(async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((done) => server.close(done))
  })
  stack.push(resources)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const serve = (listener: RequestListener) => listen(createHttp(listener))
const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('{}'))
}

type PoolOptions = {
  readonly connections?: number
  /** Looks names up in place of the system. */
  readonly resolve?: Resolve
  /** The certificate of the authority that is believed. Without it connections are not secured. */
  readonly ca?: string
}

/** Connects as the router does. */
function openPool(
  watch: LoadWatch,
  origin: string,
  { connections = 10, resolve, ca }: PoolOptions = {},
): CallPool {
  const url = new URL(origin)
  const guard = createAddressGuard({ allowedNetworks: LOCAL_NETWORKS, allowedHosts: null }, resolve)
  const secure = ca === undefined ? null : { ca }
  const connector = new Connector({ origin: url, socketPath: null, guard, secure, protocol: 'http/1.1' })
  const pool = new ConnectionPool({
    origin: url,
    maxConnections: connections,
    connectTimeout: 5000,
    readBuffer: Buffer.allocUnsafeSlow(READ_SIZE),
    open: (onread, handler) => {
      const socket = connector.open(onread)
      watch.connecting(socket, connector.host, handler)
      return socket
    },
    sending: (socket, handler) => watch.sending(socket, handler),
  })
  return closedAtTheEnd(pool)
}

function closedAtTheEnd(pool: CallPool): CallPool {
  const resources = new AsyncDisposableStack()
  resources.defer(async () => void (await pool.destroy()))
  stack.push(resources)
  return pool
}

class Handler implements CallHandler {
  readonly #done = Promise.withResolvers<string>()
  readonly #started = Promise.withResolvers<CallController>()
  #body = ''
  /** The body, or the code of the error. */
  readonly done = this.#done.promise
  readonly started = this.#started.promise
  onRequestStart(controller: CallController): void {
    this.#started.resolve(controller)
  }
  onResponseStart(): void {}
  onResponseData(_: CallController, chunk: Buffer): void {
    this.#body += chunk.toString()
  }
  onResponseEnd(): void {
    this.#done.resolve(this.#body)
  }
  onResponseError(_: CallController | null, error: Error & { code?: string }): void {
    this.#done.resolve(error.code ?? error.name)
  }
}

const POST = { path: '/', method: 'POST', body: '{"query":"{ a }"}' } as const

type Called = { readonly call: WatchedCall; readonly handler: Handler; readonly result: Promise<string> }

function send(loads: RequestLoads, pool: CallPool, path = '/'): Called {
  const handler = new Handler()
  const call = loads.dispatch(pool, { ...POST, path }, handler)
  return { call, handler, result: handler.done }
}

async function statsOf({ call, result }: Called): Promise<TraceLoadStats> {
  await result
  return call.times(0).load_stats ?? {}
}

/** A connection is free a moment after the answer on it has ended. */
async function untilFree(pool: CallPool): Promise<void> {
  while (pool.stats.free === 0) await new Promise((next) => setImmediate(next))
}

/** In the order in which they happened. */
function order(stats: TraceLoadStats): readonly string[] {
  return Object.entries(stats)
    .map(([event, at]) => ({ event, at: at?.duration_since_start_nanoseconds ?? 0 }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ event }) => event)
}

describe('a watched call', () => {
  it('on a new connection tells of connecting, writing and the answer, in this order', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serve(answer)}`)
    using loads = watch.begin()
    const stats = await statsOf(send(loads, pool))
    expect(order(stats)).toEqual(['get_conn', ...CONNECTING, ...ON_ANY_CONNECTION])
    expect(stats.got_conn).toMatchObject({ reused: false, was_idle: false })
  })

  it('on a connection that waited in the pool tells so, and nothing of connecting', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serve(answer)}`)
    using loads = watch.begin()
    await send(loads, pool).result
    await untilFree(pool)
    const stats = await statsOf(send(loads, pool))
    expect(order(stats)).toEqual(['get_conn', ...ON_ANY_CONNECTION])
    expect(stats.got_conn).toMatchObject({ reused: true, was_idle: true })
  })

  it('sees that a connection is reused which served only calls that were not watched', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serve(answer)}`)
    const before = new Handler()
    pool.dispatch(POST, before)
    await before.done
    await untilFree(pool)
    using loads = watch.begin()
    expect((await statsOf(send(loads, pool))).got_conn).toMatchObject({ reused: true, was_idle: true })
  })

  it('tells of looking up a name that there is, and of one that there is not', async () => {
    const watch = createWatch()
    using loads = watch.begin()
    const found = openPool(watch, `http://localhost:${await serve(answer)}`)
    expect(order(await statsOf(send(loads, found)))).toEqual([
      'get_conn',
      'dns_start',
      'dns_done',
      ...CONNECTING,
      ...ON_ANY_CONNECTION,
    ])
    const resolve: Resolve = (_name, _options, callback) =>
      setImmediate(callback, Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    const missing = send(loads, openPool(watch, 'http://missing.test', { resolve }))
    expect(order(await statsOf(missing))).toEqual(['get_conn', 'dns_start'])
    expect(await missing.result).toBe('ENOTFOUND')
  })

  it('that is refused began to connect, and no more', async () => {
    const closed = createHttp(answer)
    const port = await listen(closed)
    await new Promise((done) => closed.close(done))
    const watch = createWatch()
    using loads = watch.begin()
    const called = send(loads, openPool(watch, `http://127.0.0.1:${port}`))
    expect(order(await statsOf(called))).toEqual(['get_conn', 'connect_start'])
    expect(await called.result).toBe('ECONNREFUSED')
    expect(called.call.ended).toBe(true)
  })

  it('that gets no answer in time has all but the answer, and nothing that comes later', async () => {
    const asked = Promise.withResolvers<() => void>()
    const port = await serve((_request, response) => asked.resolve(() => response.end('{}')))
    const watch = createWatch()
    using loads = watch.begin()
    const called = send(loads, openPool(watch, `http://127.0.0.1:${port}`))
    const reply = await asked.promise
    called.call.end()
    const then = called.call.times(0)
    expect(order(then.load_stats ?? {})).toEqual([
      'get_conn',
      ...CONNECTING,
      ...ON_ANY_CONNECTION.slice(0, -1),
    ])
    reply()
    await called.result
    expect(called.call.times(0)).toEqual(then)
  })

  it('that is given up while its host is looked up tells that it was', async () => {
    const lookups = Promise.withResolvers<void>()
    const resolve: Resolve = () => lookups.resolve()
    const watch = createWatch()
    using loads = watch.begin()
    const called = send(loads, openPool(watch, 'http://slow.test', { resolve }))
    await lookups.promise
    called.call.end()
    expect(order(called.call.times(0).load_stats ?? {})).toEqual(['get_conn', 'dns_start'])
  })

  it('measures from the start of the request, and how long the call took', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serve(answer)}`)
    using loads = watch.begin()
    await send(loads, pool).result
    await untilFree(pool)
    const start = watch.now()
    const called = send(loads, pool)
    await called.result
    const times = called.call.times(start)
    expect(times).toMatchObject({ duration_since_start_nanoseconds: 1, duration_since_start_pretty: '1ns' })
    const first = times.load_stats?.got_first_response_byte?.duration_since_start_nanoseconds ?? 0
    expect(times.duration_load_nanoseconds).toBe(first)
  })
})

describe('a watched call with TLS', () => {
  it('tells of the TLS handshake, and that a connection with TLS is reused', async () => {
    const certificate = createCertificate()
    const port = await listen(createHttps(certificate, answer))
    const watch = createWatch()
    const pool = openPool(watch, `https://localhost:${port}`, { ca: certificate.cert })
    using loads = watch.begin()
    const first = await statsOf(send(loads, pool))
    expect(order(first)).toEqual([
      'get_conn',
      'dns_start',
      'dns_done',
      ...CONNECTING,
      'tls_handshake_start',
      'tls_handshake_done',
      ...ON_ANY_CONNECTION,
    ])
    expect(first.got_conn).toMatchObject({ reused: false, was_idle: false })
    await untilFree(pool)
    const second = await statsOf(send(loads, pool))
    expect(order(second)).toEqual(['get_conn', ...ON_ANY_CONNECTION])
    expect(second.got_conn).toMatchObject({ reused: true, was_idle: true })
  })
})

describe('calls at the same time', () => {
  /** Answers how many requests the connection has had, and from which port. */
  async function serveCounting(close = false): Promise<number> {
    const counts = new Map<number, number>()
    return serve((request, response) => {
      const port = request.socket.remotePort ?? 0
      counts.set(port, (counts.get(port) ?? 0) + 1)
      if (close) response.setHeader('connection', 'close')
      const body = JSON.stringify({ path: request.url, count: counts.get(port) })
      request.resume().on('end', () => setImmediate(() => response.end(body)))
    })
  }

  it('on one pool get each what happened to it, fifty of them among fifty others', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serveCounting()}`, { connections: 7 })
    const requests = Array.from({ length: 10 }, () => watch.begin())
    const others: Promise<string>[] = []
    const called = requests.flatMap((loads, n) =>
      Array.from({ length: 5 }, (_, m) => {
        const other = new Handler()
        pool.dispatch(POST, other)
        others.push(other.done)
        return { path: `/${n}-${m}`, ...send(loads, pool, `/${n}-${m}`) }
      }),
    )
    await Promise.all(others)
    let fresh = 0
    for (const each of called) {
      const stats = await statsOf(each)
      const seen = JSON.parse(await each.result) as { path: string; count: number }
      expect(seen.path).toBe(each.path)
      const reused = seen.count > 1
      if (!reused) fresh++
      expect(stats.got_conn).toMatchObject({ reused, was_idle: false })
      expect(order(stats)).toEqual(['get_conn', ...(reused ? [] : CONNECTING), ...ON_ANY_CONNECTION])
    }
    expect(fresh).toBeGreaterThan(0)
    for (const loads of requests) loads[Symbol.dispose]()
  })

  it('that wait for a connection which is closed each time connect one after the other', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serveCounting(true)}`, { connections: 1 })
    using loads = watch.begin()
    const called = [1, 2, 3].map(() => send(loads, pool))
    for (const each of called) {
      const stats = await statsOf(each)
      expect(order(stats)).toEqual(['get_conn', ...CONNECTING, ...ON_ANY_CONNECTION])
      expect(stats.got_conn).toMatchObject({ reused: false, was_idle: false })
    }
  })

  it('do not take what belongs to one that was given up before it started', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serveCounting()}`, { connections: 1 })
    using loads = watch.begin()
    const first = send(loads, pool)
    const givenUp = new Handler()
    const stop = new Error('given up')
    const call = loads.dispatch(pool, POST, {
      onRequestStart: (controller) => controller.abort(stop),
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd() {},
      onResponseError: (controller, error) => givenUp.onResponseError(controller, error),
    })
    const other = new Handler()
    pool.dispatch(POST, other)
    await Promise.all([first.result, givenUp.done, other.done])
    expect(order(call.times(0).load_stats ?? {})).toEqual(['get_conn'])
  })
})

describe('a watched call on a connection that was made for one that was given up', () => {
  it.each(['http', 'https'])('is the first one on it (%s)', async (scheme) => {
    const certificate = createCertificate()
    const server = scheme === 'http' ? createHttp(answer) : createHttps(certificate, answer)
    const port = await listen(server)
    const watch = createWatch()
    const options = { connections: 1, ...(scheme === 'https' && { ca: certificate.cert }) }
    const pool = openPool(watch, `${scheme}://localhost:${port}`, options)
    using loads = watch.begin()
    const givenUp = new Handler()
    pool.dispatch(POST, {
      onRequestStart: (controller) => controller.abort(new Error('given up')),
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd() {},
      onResponseError: (controller, error) => givenUp.onResponseError(controller, error),
    })
    const call = send(loads, pool)
    await givenUp.done
    expect((await statsOf(call)).got_conn).toMatchObject({ reused: false })
    await untilFree(pool)
    expect((await statsOf(send(loads, pool))).got_conn).toMatchObject({ reused: true })
  })
})

describe('what is watched', () => {
  it('is nothing while no traced request is in progress', async () => {
    const watch = createWatch()
    const pool = openPool(watch, `http://127.0.0.1:${await serve(answer)}`)
    const [first, second] = [watch.begin(), watch.begin()]
    await send(second, pool).result
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    expect(order(await statsOf(send(second, pool)))).toContain('wrote_request')
    second[Symbol.dispose]()
    const idle = openPool(watch, `http://127.0.0.1:${await serve(answer)}`)
    const before = watch.now()
    const handler = new Handler()
    idle.dispatch(POST, handler)
    await handler.done
    // Whatever is observed asks the clock for the time.
    expect(watch.now()).toBe(before + 1)
  })

  it('is kept apart between two routers in one process', async () => {
    const [one, other] = [createWatch(), createWatch()]
    const port = await serve(answer)
    const pool = openPool(one, `http://127.0.0.1:${port}`)
    using loads = one.begin()
    using idle = other.begin()
    expect(order(await statsOf(send(loads, pool)))).toEqual(['get_conn', ...CONNECTING, ...ON_ANY_CONNECTION])
    expect(order(await statsOf(send(idle, openPool(other, `http://127.0.0.1:${port}`))))).toEqual([
      'get_conn',
      ...CONNECTING,
      ...ON_ANY_CONNECTION,
    ])
  })

  it('includes the connections of the router', async () => {
    const watch = createWatch()
    const port = await serve(answer)
    await using origins = new Origins(
      {
        allowedNetworks: LOCAL_NETWORKS,
        allowedHosts: null,
        all: { socketPath: null, http2: false },
        bySubgraph: new Map(),
        connectTimeout: 5000,
        maxConnections: 3,
      },
      { loads: watch },
    )
    using lease = origins.lease(`http://localhost:${port}`, 'products')
    using loads = watch.begin()
    expect(order(await statsOf(send(loads, lease.value)))).toEqual([
      'get_conn',
      'dns_start',
      'dns_done',
      ...CONNECTING,
      ...ON_ANY_CONNECTION,
    ])
  })
})

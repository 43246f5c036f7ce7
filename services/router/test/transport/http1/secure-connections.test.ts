/** Connections with TLS by HTTP/1.1, down to what happens below the bytes of HTTP. */
import { constants } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net'
import { createServer, type TlsOptions, type TLSSocket } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { createCertificate } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { createAddressGuard, type Resolve } from '../../../src/addresses/address-guard.ts'
import { ConnectionPool } from '../../../src/transport/http1/connection-pool.ts'
import { READ_SIZE } from '../../../src/transport/http1/limits.ts'
import { Connector } from '../../../src/transport/connector.ts'
import type { SecureOptions } from '../../../src/transport/tls/tls-profile.ts'
import { until } from '../../support/router.ts'
import { send } from './support.ts'

const authority = createCertificate({ name: 'test authority', authority: true })
const certificate = createCertificate({ name: 'subgraph', signedBy: authority })
const client = createCertificate({ name: 'router', signedBy: authority })
const CA = { ca: authority.cert }

type SecureServer = AsyncDisposable & {
  readonly port: number
  readonly sockets: TLSSocket[]
  /** Whether each of the connections was made with the session of another one. */
  readonly reused: boolean[]
}

/** `answer` is called for each request, which has to arrive in one piece. */
async function startServer(
  answer: (socket: TLSSocket, request: string) => void,
  options: TlsOptions = {},
): Promise<SecureServer> {
  const sockets: TLSSocket[] = []
  const reused: boolean[] = []
  const { cert, key } = certificate
  const server = createServer({ cert, key, ...options }, (socket) => {
    sockets.push(socket)
    reused.push(socket.isSessionReused())
    socket.setNoDelay(true).on('error', () => {})
    socket.on('data', (bytes) => answer(socket, bytes.toString('latin1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    reused,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Tells its port, and when it is asked how many connections it has had. */
const COUNTING_SERVER = `
const { createServer } = require('node:tls')
const { parentPort, workerData: { reply, ...certificate } } = require('node:worker_threads')
let connections = 0
const server = createServer(certificate, (socket) => {
  connections++
  socket.on('error', () => {}).on('data', () => socket.write(reply))
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
parentPort.on('message', () => parentPort.postMessage(connections))
`

type Options = {
  readonly secure?: SecureOptions
  readonly resolve?: Resolve
  readonly host?: string
  readonly connectTimeout?: number
}

function openPool(port: number, options: Options = {}) {
  const { secure = CA, resolve, host = 'localhost', connectTimeout = 60_000 } = options
  const origin = new URL(`https://${host}:${port}`)
  const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8', '::1'], allowedHosts: null }, resolve)
  const connector = new Connector({ origin, socketPath: null, guard, secure, protocol: 'http/1.1' })
  const pool = new ConnectionPool({
    origin,
    maxConnections: 10,
    connectTimeout,
    readBuffer: Buffer.allocUnsafeSlow(READ_SIZE),
    open: (onread) => connector.open(onread),
    sending: () => {},
  })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.destroy() })
}

const replyWith = (body: string, fields = ''): string =>
  `HTTP/1.1 200 OK\r\n${fields}content-length: ${body.length}\r\n\r\n${body}`
const RIGHT = { status: 200, body: '{"data":{}}', error: null }
const answerRight = (socket: Socket): void => void socket.write(replyWith(RIGHT.body))

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a connection with %s', (version) => {
  const versions = { minVersion: version, maxVersion: version }

  it('carries one call after the other', async () => {
    await using server = await startServer(answerRight, versions)
    await using pool = openPool(server.port)
    for (let call = 0; call < 5; call++) expect(await send(pool).done).toEqual(RIGHT)
    expect(server.sockets.map((socket) => socket.getProtocol())).toEqual([version])
    expect(server.sockets[0]?.alpnProtocol).toBe(false)
  })

  it('is made with the session of the one before it, which saves a part of the handshake', async () => {
    await using server = await startServer(
      (socket) => socket.end(replyWith(RIGHT.body, 'connection: close\r\n')),
      versions,
    )
    await using pool = openPool(server.port)
    for (let call = 0; call < 3; call++) {
      expect(await send(pool).done).toEqual(RIGHT)
      await until(() => server.sockets[call]?.destroyed === true, 'the connection is closed')
    }
    expect(server.reused).toEqual([false, true, true])
  })

  it('carries answers that come a byte to a record, and large ones', async () => {
    const large = 'x'.repeat(3 * 1024 * 1024)
    await using server = await startServer((socket, request) => {
      // A record for each.
      const pieces = request.includes('/large') ? [replyWith(large)] : replyWith(RIGHT.body)
      for (const piece of pieces) socket.write(piece)
    }, versions)
    await using pool = openPool(server.port)
    for (let call = 0; call < 3; call++) {
      expect(await send(pool).done).toEqual(RIGHT)
      expect(await send(pool, { path: '/large' }).done).toEqual({ ...RIGHT, body: large })
    }
    expect(server.sockets).toHaveLength(1)
  })

  it('carries requests that are larger than a socket takes at once', async () => {
    let received = 0
    const body = 'é'.repeat(2 * 1024 * 1024)
    await using server = await startServer((socket, piece) => {
      received += piece.length
      if (piece.endsWith('!')) answerRight(socket)
    }, versions)
    await using pool = openPool(server.port)
    for (let call = 1; call <= 2; call++) {
      expect(await send(pool, { body: `${body}!` }).done).toEqual(RIGHT)
      expect(received).toBeGreaterThan(call * Buffer.byteLength(body))
    }
  })

  it('is not read from while its call is paused', async () => {
    const piece = 'x'.repeat(64 * 1024)
    const PIECES = 400
    let sent = 0
    await using server = await startServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${PIECES * piece.length}\r\n\r\n`)
      const next = (): void => {
        if (sent < PIECES && !socket.destroyed) socket.write(piece, () => (sent++, next()))
      }
      next()
    }, versions)
    await using pool = openPool(server.port)
    const answer = send(pool)
    const paused = Promise.withResolvers<void>()
    answer.onPiece = (controller) => {
      answer.onPiece = () => {}
      controller.pause()
      paused.resolve()
    }
    await paused.promise
    let before = -1
    await until(() => {
      const stands = before === sent
      before = sent
      return stands
    }, 'the server cannot send more')
    expect(sent).toBeLessThan(PIECES)
    ;(await answer.started).resume()
    expect((await answer.done).body).toHaveLength(PIECES * piece.length)
  })

  it('that the other side ends before its answer is complete fails the call', async () => {
    await using server = await startServer(
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
      versions,
    )
    await using pool = openPool(server.port)
    expect((await send(pool).done).error).toMatchObject({ name: 'ConnectionClosedError' })
    await until(() => server.sockets.every(({ destroyed }) => destroyed), 'the connection is closed')
  })

  it('whose bytes nobody asked for is closed, and they answer nothing', async () => {
    await using server = await startServer((socket) => {
      answerRight(socket)
      if (server.sockets.length === 1) setImmediate(() => socket.write(replyWith('of nobody')))
    }, versions)
    await using pool = openPool(server.port)
    expect(await send(pool).done).toEqual(RIGHT)
    await until(() => server.sockets[0]?.destroyed === true, 'the connection is closed')
    expect(await send(pool).done).toEqual(RIGHT)
    expect(server.sockets).toHaveLength(2)
  })

  it('shows a certificate where the other side asks for one', async () => {
    const asking = { ...versions, ...CA, requestCert: true, rejectUnauthorized: true }
    await using server = await startServer(answerRight, asking)
    await using stranger = openPool(server.port)
    expect((await send(stranger).done).error).toBeInstanceOf(Error)
    expect(server.sockets).toEqual([])
    await using known = openPool(server.port, { secure: { ...CA, cert: client.cert, key: client.key } })
    expect(await send(known).done).toEqual(RIGHT)
  })
})

describe('a connection with TLS', () => {
  it('is kept by however many calls at the same time, also where answers come at once', async () => {
    // In a thread of its own, the server answers before this one has noticed that the request is sent.
    const { cert, key } = certificate
    const thread = new Worker(COUNTING_SERVER, {
      eval: true,
      workerData: { cert, key, reply: replyWith(RIGHT.body) },
    })
    const counted = async (): Promise<number> => ((await once(thread, 'message')) as [number])[0]
    try {
      await using pool = openPool(await counted())
      for (let round = 0; round < 20; round++) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => send(pool).done))
        expect(answers).toEqual(answers.map(() => RIGHT))
      }
      thread.postMessage('how many', [])
      expect(await counted()).toBe(10)
    } finally {
      await thread.terminate()
    }
  })

  it('goes on where the other side begins a new handshake, and asks for a certificate in it', async () => {
    const options = {
      ...CA,
      maxVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION,
    } as const
    const begun: (() => void)[] = []
    await using server = await startServer((socket) => {
      socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, (error) => {
        const { subject } = socket.getPeerCertificate() as { subject?: { CN: string } }
        begun.push(() => socket.write(replyWith(error === null ? String(subject?.CN) : error.message)))
      })
    }, options)
    await using pool = openPool(server.port, { secure: { ...CA, cert: client.cert, key: client.key } })
    const first = send(pool)
    await until(() => begun.length === 1, 'the second handshake of the first connection is done')
    // The first call is in progress still, and this one must not come to its connection.
    const second = send(pool)
    await until(() => begun.length === 2, 'the second call has arrived')
    for (const answer of begun) answer()
    for (const call of [first, second]) expect(await call.done).toEqual({ ...RIGHT, body: 'router' })
    expect(server.sockets).toHaveLength(2)
  })

  it('goes to the next address of a name whose first one refuses it', async () => {
    await using server = await startServer(answerRight)
    const resolve: Resolve = (_name, _options, callback) =>
      setImmediate(callback, null, [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])
    await using pool = openPool(server.port, { resolve })
    for (let call = 0; call < 3; call++) expect(await send(pool).done).toEqual(RIGHT)
    expect(server.sockets.map(({ servername }) => servername)).toEqual(['localhost'])
  })

  it('is believed with a certificate for its address, where the URL has one, and asks for no name', async () => {
    await using server = await startServer(answerRight)
    await using pool = openPool(server.port, { host: '127.0.0.1' })
    expect(await send(pool).done).toEqual(RIGHT)
    expect(server.sockets.map(({ servername }) => servername)).toEqual([false])
    const other = createCertificate({ name: 'other', hosts: ['127.0.0.2'], signedBy: authority })
    await using impostor = await startServer(answerRight, other)
    await using wrong = openPool(impostor.port, { host: '127.0.0.1' })
    expect((await send(wrong).done).error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('whose handshake is not done in time is given up, as is one that is ended', async () => {
    const silent = createPlainServer((socket) => socket.on('error', () => {}).resume())
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    await using hurried = openPool(port, { connectTimeout: 100 })
    expect((await send(hurried).done).error).toMatchObject({ name: 'ConnectTimeoutError' })
    silent.removeAllListeners('connection').on('connection', (socket: Socket) => socket.resume().end())
    await using patient = openPool(port)
    expect((await send(patient).done).error).toMatchObject({ code: 'ECONNRESET' })
    await Promise.all([hurried.destroy(), patient.destroy()])
    await new Promise((closed) => silent.close(closed))
  })
})

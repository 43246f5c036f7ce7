/** Clients that ask and do not read: each makes its router hold what it answers. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'

export type SlowReaders = AsyncDisposable & {
  /** Resolves when each has got the first of its answer, or lost its connection. */
  answered(): Promise<unknown>
  /** Reads to the end what there is for each, and says how many bytes that were, or that it was cut. */
  read(): Promise<readonly { readonly bytes: number; readonly isWhole: boolean }[]>
}

export type SlowReaderOptions = {
  readonly clients: number
  readonly protocol: 'HTTP/1' | 'HTTP/2'
  /** JSON. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const STREAMS = 200

/** Resolves when all of them have sent their request. */
export function openSlowReaders(port: number, options: SlowReaderOptions): Promise<SlowReaders> {
  return options.protocol === 'HTTP/1' ? overHttp1(port, options) : overHttp2(port, options)
}

async function overHttp1(
  port: number,
  { clients, body, headers = {} }: SlowReaderOptions,
): Promise<SlowReaders> {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers, connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const request = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${head}\r\n${body}`
  const sockets: Socket[] = []
  for (let client = 0; client < clients; client++) {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(request)
    sockets.push(socket)
  }
  return {
    answered: () => Promise.allSettled(sockets.map((socket) => once(socket, 'readable'))),
    read: () => Promise.all(sockets.map(readAll)),
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return Promise.resolve()
    },
  }
}

async function readAll(socket: Socket): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0
  let announced: number | null = null
  socket.on('data', (chunk: Buffer) => {
    if (bytes === 0) {
      const head = chunk.subarray(0, 4096).toString('latin1')
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      announced = length === undefined ? null : Number(length) + head.indexOf('\r\n\r\n') + 4
    }
    bytes += chunk.length
  })
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return { bytes, isWhole: bytes === announced }
}

/** With a flow-control window of nothing, so that not even the system takes a byte. */
async function overHttp2(
  port: number,
  { clients, body, headers = {} }: SlowReaderOptions,
): Promise<SlowReaders> {
  const sessions: ClientHttp2Session[] = []
  const endings: { answered: Promise<unknown>; ended: Promise<boolean>; bytes: () => number }[] = []
  for (let client = 0; client < clients; client++) {
    if (client % STREAMS === 0) {
      const opened = connectHttp2(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 0 } })
      opened.on('error', () => {})
      await once(opened, 'remoteSettings')
      sessions.push(opened)
    }
    const stream = sessions.at(-1)?.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
      ...headers,
    })
    if (stream === undefined) throw new Error('There is no session.')
    let bytes = 0
    const { promise: ended, resolve } = Promise.withResolvers<boolean>()
    stream.on('data', (chunk: Buffer) => (bytes += chunk.length))
    stream.on('error', () => {})
    stream.on('close', () => resolve(stream.rstCode === 0 && !stream.aborted))
    stream.end(body)
    endings.push({ answered: Promise.race([once(stream, 'response'), ended]), ended, bytes: () => bytes })
  }
  return {
    answered: () => Promise.allSettled(endings.map(({ answered }) => answered)),
    read: () => {
      for (const session of sessions) session.settings({ initialWindowSize: 1 << 20 })
      return Promise.all(endings.map(async ({ ended, bytes }) => ({ isWhole: await ended, bytes: bytes() })))
    },
    [Symbol.asyncDispose]: () => {
      for (const session of sessions) session.destroy()
      return Promise.resolve()
    },
  }
}

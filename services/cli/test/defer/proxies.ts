/**
 * Reverse proxies, each with one habit. What they do with an answer is all in one function of the answer of
 * the router.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

export type Habit = {
  /** Headers as they go to the router. */
  readonly ask?: (headers: Record<string, string | string[] | undefined>) => void
  readonly answer?: (from: IncomingMessage, to: ServerResponse) => void
}

export type Proxy = AsyncDisposable & { readonly url: string }

export async function startProxy(target: string, { ask, answer = pass }: Habit): Promise<Proxy> {
  const server = createServer((request, response) => {
    const headers: Record<string, string | string[] | undefined> = { ...request.headers }
    ask?.(headers)
    const outgoing = httpRequest(target, { method: request.method ?? 'GET', headers, agent: false }, (from) =>
      answer(from, response),
    )
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    request.pipe(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

function head(from: IncomingMessage, to: ServerResponse, change: Record<string, string> = {}): void {
  const headers = Object.entries(from.headers).filter(([name]) => !HOP_BY_HOP.has(name))
  to.writeHead(from.statusCode ?? 502, { ...Object.fromEntries(headers), ...change })
  to.flushHeaders()
}

function pass(from: IncomingMessage, to: ServerResponse): void {
  head(from, to)
  from.pipe(to)
}

/** Gives each chunk to `step`, which says what may go on now; the rest goes at the end. */
function inSteps(step: (held: Buffer, chunk: Buffer) => number): NonNullable<Habit['answer']> {
  return (from, to) => {
    head(from, to)
    let held: Buffer = Buffer.alloc(0)
    from.on('data', (chunk: Buffer) => {
      const all = Buffer.concat([held, chunk])
      const size = step(held, chunk)
      if (size > 0) to.write(all.subarray(0, size))
      held = all.subarray(size)
    })
    from.on('end', () => to.end(held))
  }
}

async function whole(from: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of from) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function compressing(name: string, create: () => Transform): NonNullable<Habit['answer']> {
  return (from, to) => {
    // That of the text. With one for other bytes, the rest would be none of this answer.
    delete from.headers['content-length']
    head(from, to, { 'content-encoding': name })
    from.pipe(create()).pipe(to)
  }
}

const accepts = (name: string, habit: NonNullable<Habit['answer']>): Habit => {
  return {
    answer: (from, to) => {
      const encodings = to.req.headers['accept-encoding'] ?? ''
      if (encodings.includes(name)) habit(from, to)
      else pass(from, to)
    },
  }
}

const BOUNDARY = '\r\n--graphql'

export const HABITS = {
  clean: {},
  bufferAll: {
    answer: (from, to) => {
      void whole(from).then((body) => {
        head(from, to)
        to.end(body)
      })
    },
  },
  blocks: inHabit((held, chunk) => Math.floor((held.length + chunk.length) / 4096) * 4096),
  bigBlocks: inHabit((held, chunk) => Math.floor((held.length + chunk.length) / 32_768) * 32_768),
  gzipUnflushed: accepts(
    'gzip',
    compressing('gzip', () => createGzip()),
  ),
  brotliUnflushed: accepts(
    'br',
    compressing('br', () => createBrotliCompress()),
  ),
  gzipFlushed: accepts(
    'gzip',
    compressing('gzip', () => createGzip({ flush: constants.Z_SYNC_FLUSH })),
  ),
  stripParameters: {
    answer: (from, to) => {
      head(from, to, { 'content-type': 'multipart/mixed' })
      from.pipe(to)
    },
  },
  stripFormat: {
    answer: (from, to) => {
      head(from, to, { 'content-type': 'multipart/mixed; boundary=graphql' })
      from.pipe(to)
    },
  },
  otherType: {
    answer: (from, to) => {
      head(from, to, { 'content-type': 'application/json' })
      from.pipe(to)
    },
  },
  wrongBoundary: {
    answer: (from, to) => {
      head(from, to, { 'content-type': 'multipart/mixed; boundary="other"; incrementalSpec=v0.2' })
      from.pipe(to)
    },
  },
  newBoundary: {
    answer: (from, to) => {
      head(from, to, { 'content-type': 'multipart/mixed; boundary="x-1"; incrementalSpec=v0.2' })
      from.on('data', (chunk: Buffer) => to.write(chunk.toString().replaceAll('--graphql', '--x-1')))
      from.on('end', () => to.end())
    },
  },
  contentLength: {
    answer: (from, to) => {
      void whole(from).then((body) => {
        head(from, to, { 'content-length': String(body.length) })
        to.end(body)
      })
    },
  },
  holdBoundaries: inHabit((held, chunk) => {
    const all = Buffer.concat([held, chunk])
    return all.toString('latin1').endsWith(BOUNDARY) ? all.length - BOUNDARY.length : all.length
  }),
  holdParts: inHabit((held) => held.length),
  holdStart: {
    answer: (from, to) => {
      head(from, to)
      const first: Buffer[] = []
      from.on('data', (chunk: Buffer) => {
        first.push(chunk)
        if (first.length < 2) return
        to.write(Buffer.concat(first))
        first.length = 1
        first[0] = Buffer.alloc(0)
      })
      from.on('end', () => to.end(Buffer.concat(first)))
    },
  },
  http10Collected: { answer: (from, to) => void whole(from).then((body) => oldAnswer(from, to).end(body)) },
  http10Streamed: { answer: (from, to) => void from.pipe(oldAnswer(from, to)) },
  cut: {
    answer: (from, to) => {
      head(from, to)
      let parts = 0
      from.on('data', (chunk: Buffer) => {
        parts++
        if (parts <= 2) to.write(chunk, () => parts >= 2 && to.destroy())
      })
      from.on('end', () => to.end())
    },
  },
  noEnd: {
    answer: (from, to) => {
      if (from.statusCode !== 200) return pass(from, to)
      head(from, to)
      from.on('data', (chunk: Buffer) =>
        to.write(chunk.toString('latin1').replace('--graphql--\r\n', ''), 'latin1'),
      )
    },
  },
  acceptJson: { ask: (headers) => (headers['accept'] = 'application/json') },
  acceptAny: { ask: (headers) => (headers['accept'] = '*/*') },
  noProbeHeader: { ask: (headers) => delete headers['x-switchyard-probe'] },
  nginxLike: {
    answer: (from, to) => {
      delete from.headers['x-accel-buffering']
      head(from, to, { server: 'nginx/1.27.0' })
      from.pipe(to)
    },
  },
  viaCloudFront: {
    ask: (headers) => (headers['x-amz-cf-id'] = 'abc'),
    answer: (from, to) => {
      head(from, to, { via: '1.1 abc.cloudfront.net (CloudFront)', 'x-cache': 'Miss from cloudfront' })
      from.pipe(to)
    },
  },
} as const satisfies Record<string, Habit>

function inHabit(step: (held: Buffer, chunk: Buffer) => number): Habit {
  return { answer: inSteps(step) }
}

/** node:http answers as HTTP/1.1, whatever was asked. */
function oldAnswer(from: IncomingMessage, to: ServerResponse) {
  const { socket } = to
  if (socket === null) throw new Error('the client is gone')
  to.detachSocket(socket)
  socket.write(
    `HTTP/1.0 200 OK\r\nContent-Type: ${from.headers['content-type']}\r\nX-Accel-Buffering: no\r\n\r\n`,
  )
  return socket
}

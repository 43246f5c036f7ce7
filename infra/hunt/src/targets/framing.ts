/** The target for the bytes of a connection to a router: requests of HTTP/1, and frames of HTTP/2. */
import { connect } from 'node:net'
import type { Ground } from '../ground/ground.ts'
import { changedTexts, type Parts } from '../input/changed-text.ts'
import { openClient } from '../measuring/client.ts'
import type { Arena, Outcome, Target } from './target.ts'

const MAX_BYTES = 512 * 1024

/** The parts of a message are its line, its headers and the pieces of its body. */
const message = (
  line: string,
  headers: readonly (readonly [string, string])[],
  body: readonly string[] = [],
): Parts => [`${line}\r\n`, ...headers.map(([name, value]) => `${name}: ${value}\r\n`), '\r\n', ...body]
const http1 = (...messages: readonly Parts[]): Parts => messages.flat()

const QUERY = '{"query":"{ me { id } }"}'
const JSON_TYPE = ['content-type', 'application/json'] as const
const HOST = ['host', 'x'] as const
const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`

/** A frame is one part: its length, its type, its flags, its stream and its payload. */
const frame = (type: number, flags: number, stream: number, payload: string): string => {
  const { length } = payload
  const head = [length >> 16, (length >> 8) & 255, length & 255, type, flags, 0, 0, stream >> 8, stream & 255]
  return `${String.fromCharCode(...head)}${payload}`
}
const literal = (name: string, value: string) =>
  `\u0000${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`
const FIELDS = [
  [':method', 'POST'],
  [':path', '/graphql'],
  [':scheme', 'http'],
  [':authority', 'x'],
  JSON_TYPE,
]
  .map(([name = '', value = '']) => literal(name, value))
  .join('')
const http2 = (...frames: readonly string[]): Parts => [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  frame(4, 0, 0, ''),
  ...frames,
]

const SEEDS: Readonly<Record<string, Parts>> = {
  'a POST request': http1(
    message('POST /graphql HTTP/1.1', [HOST, JSON_TYPE, ['content-length', String(QUERY.length)]], [QUERY]),
  ),
  'a GET request': http1(
    message('GET /graphql?query=%7Bme%7Bid%7D%7D&variables=%7B%7D HTTP/1.1', [
      HOST,
      ['accept', 'text/html;q=0.5, */*;q=0.1'],
    ]),
  ),
  chunks: http1(
    message(
      'POST /graphql HTTP/1.1',
      [HOST, JSON_TYPE, ['transfer-encoding', 'chunked']],
      [chunk(QUERY.slice(0, 9)), chunk(QUERY.slice(9)), '0\r\n\r\n'],
    ),
  ),
  'pipelined requests': http1(
    ...Array.from({ length: 5 }, () =>
      message('POST /graphql HTTP/1.1', [HOST, JSON_TYPE, ['content-length', String(QUERY.length)]], [QUERY]),
    ),
  ),
  health: http1(message('GET /health/ready HTTP/1.1', [HOST, ['connection', 'close']])),
  expectations: http1(
    message(
      'POST /graphql HTTP/1.1',
      [HOST, JSON_TYPE, ['expect', '100-continue'], ['content-length', '9999999']],
      [QUERY],
    ),
  ),
  'both lengths': http1(
    message(
      'POST /graphql HTTP/1.1',
      [HOST, JSON_TYPE, ['content-length', '5'], ['transfer-encoding', 'gzip, chunked']],
      [QUERY],
    ),
  ),
  'many headers': http1(
    message('GET /graphql HTTP/1.1', [
      HOST,
      ...Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'v'.repeat(50)] as const),
    ]),
  ),
  'what routers read': http1(
    message('GET /graphql?query=%7Bme%7Bid%7D%7D HTTP/1.1', [
      HOST,
      ['cookie', 'a=1; feature_flag=x; b=2'],
      ['x-feature-flag', 'x'],
      ['origin', 'https://a.example'],
      ['traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
      ['tracestate', 'a=1,b=2'],
      ['x-vendor-trace', 'true'],
      ['x-vendor-token', `a.${'b'.repeat(100)}.c`],
      ['forwarded', 'for=1.2.3.4'],
      ['accept', 'multipart/mixed;incrementalSpec=v0.2;q=0.9, application/json;q=0.1'],
    ]),
  ),
  preflight: http1(
    message('OPTIONS /graphql HTTP/1.1', [
      HOST,
      ['origin', 'https://a.example'],
      ['access-control-request-method', 'POST'],
    ]),
  ),
  'another version': http1(
    message('POST /graphql HTTP/2.0', [HOST, JSON_TYPE, ['content-length', '2']], ['{}']),
  ),
  'HTTP/2': http2(frame(1, 4, 1, FIELDS), frame(0, 1, 1, QUERY)),
  'HTTP/2, many streams': http2(...Array.from({ length: 50 }, (_, n) => frame(1, 4, 2 * n + 1, FIELDS))),
  'HTTP/2, resets': http2(
    ...Array.from({ length: 20 }, (_, n) => [
      frame(1, 5, 2 * n + 1, FIELDS),
      frame(3, 0, 2 * n + 1, '\u0000\u0000\u0000\u0008'),
    ]).flat(),
  ),
  'HTTP/2, control frames': http2(
    frame(6, 0, 0, '12345678'),
    frame(4, 0, 0, '\u0000\u0003\u0000\u0000\u0000\u0064'),
    frame(8, 0, 0, '\u0000\u0000\u0001\u0000'),
    frame(2, 0, 1, '\u0000\u0000\u0000\u0000\u0010'),
  ),
  'HTTP/2, continuations': http2(
    frame(1, 0, 1, FIELDS.slice(0, 20)),
    frame(9, 0, 1, FIELDS.slice(20)),
    frame(9, 4, 1, ''),
  ),
}

const WORDS = [
  'host',
  'content-length',
  'transfer-encoding',
  'chunked',
  'identity',
  'connection',
  'close',
  'keep-alive',
  'upgrade',
  'h2c',
  'accept',
  '*/*',
  'POST',
  'GET',
  '/graphql',
  '/health/live',
  '0',
  '-1',
  '\r\n',
  '\r\n\r\n',
  'a, '.repeat(1000),
  '/'.repeat(5000),
  '%',
  '%00',
  'http://x/graphql',
  '\u0000\u0000\u0000\u0001',
  '\u0004',
  'gzip',
  '0\r\n\r\n',
  'ffffffffff\r\n',
]

export function framingTarget(ground: Ground): Target {
  const seeds = Object.values(SEEDS)
  return {
    name: 'framing',
    judgesTimes: true,
    seeds: Object.fromEntries(Object.entries(SEEDS).map(([name, parts]) => [name, bytesOf(parts.join(''))])),
    drawn: changedTexts({ seeds, words: WORDS, separator: '', maxLength: MAX_BYTES }).map(bytesOf),
    open: () => openFramingArena(ground),
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1').subarray(0, MAX_BYTES)
}

/** A connection that we have ended is over by then, unless something is wrong. */
const PATIENCE_MS = 20_000
/** The number of attempts after which another client must be answered, again and again. */
const CHECKED = 10

async function openFramingArena({ startRouter, subgraphs }: Ground): Promise<Arena> {
  const router = await startRouter({ remembersOperations: false })
  const client = openClient(router.port)
  let attempts = 0
  const statusOfNext = async () => {
    const { status } = await client.post(Buffer.from(QUERY))
    await router.thread.turns()
    return status
  }
  return {
    thread: router.thread,
    async attempt(bytes) {
      subgraphs.answer = null
      const attempt = await router.thread.measure(() => exchange(router.port, bytes))
      const status = ++attempts % CHECKED === 0 ? await statusOfNext() : 200
      const [logged] = router.takeErrors()
      const complaint =
        attempt.outcome.complaint ??
        (logged === undefined ? null : `The router logged ${logged}`) ??
        (status === 200
          ? null
          : `After this or one of the ${CHECKED - 1} before, others are answered ${status}.`)
      return { ...attempt, outcome: { ...attempt.outcome, complaint } }
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await router[Symbol.asyncDispose]()
    },
  }
}

/** Sends the bytes and no more, and waits until the router has closed the connection. */
function exchange(port: number, bytes: Buffer): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes))
    const timer = setTimeout(() => {
      socket.destroy()
      end('The connection stayed open although its client had ended it.')
    }, PATIENCE_MS)
    const end = (complaint: string | null) => {
      clearTimeout(timer)
      const received = Buffer.concat(chunks)
      resolve(judged(received, complaint))
    }
    socket.on('data', (data: Buffer) => chunks.push(data))
    socket.on('end', () => end(null))
    // The router may reset a connection of which it reads no more.
    socket.on('error', () => end(null))
  })
}

function judged(received: Buffer, complaint: string | null): Outcome {
  const bytesOut = received.length
  const statuses = [...received.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(
    ([, status]) => status ?? '',
  )
  const fault = statuses.find((status) => status.startsWith('5') && status !== '503')
  const kinds = [...new Set(statuses)].sort().join(' ')
  const name = received.length === 0 ? 'nothing' : kinds === '' ? 'frames' : kinds
  return { name, bytesOut, complaint: complaint ?? (fault === undefined ? null : `The status was ${fault}.`) }
}

/** The target for the bytes of a connection to a router: requests of HTTP/1, and frames of HTTP/2. */
import { connect } from 'node:net'
import type { Ground } from '../ground/ground.ts'
import { type Grammar, type Input, stuffed } from '../input/mutations.ts'
import { isTree, type Tree } from '../input/tree.ts'
import { openClient } from '../measuring/client.ts'
import type { Arena, Hunted, Outcome } from './target.ts'
import { vocabularyOf } from './vocabulary.ts'

const MAX_BYTES = 512 * 1024

const text = (value: string): Tree => ({ kind: 'Text', text: value })
const header = (name: string, value: string): Tree => ({
  kind: 'Header',
  name: text(name),
  value: text(value),
})
const message = (
  line: string,
  headers: readonly (readonly [string, string])[],
  body: readonly string[] = [],
): Tree => ({
  kind: 'Message',
  line: text(line),
  headers: headers.map(([name, value]) => header(name, value)),
  body: body.map(text),
})
const http1 = (...messages: readonly Tree[]): Tree => ({ kind: 'Connection', start: text(''), messages })

const QUERY = '{"query":"{ me { id } }"}'
const JSON_TYPE = ['content-type', 'application/json'] as const
const HOST = ['host', 'x'] as const
const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`

const frame = (type: number, flags: number, stream: number, payload: string): Tree => ({
  kind: 'Frame',
  type: text(String.fromCharCode(type)),
  flags: text(String.fromCharCode(flags)),
  stream: text(String.fromCharCode(0, 0, stream >> 8, stream & 255)),
  payload: text(payload),
})
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
const http2 = (...frames: readonly Tree[]): Tree => ({
  kind: 'Connection',
  start: text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  messages: [frame(4, 0, 0, ''), ...frames],
})

const SEEDS: Readonly<Record<string, Tree>> = {
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

const seeds: readonly Input[] = Object.entries(SEEDS).map(([seed, tree]) => ({ tree, stuffing: [], seed }))

const categoryOf = (kind: string) => kind.toLowerCase()

const grammar: Grammar = {
  categoryOf: (kind) => (kind === 'Frame' ? 'message' : categoryOf(kind)),
  lists: { messages: 'message', headers: 'header', body: 'text' },
  vocabulary: vocabularyOf(
    seeds.map(({ tree }) => tree),
    (kind) => (kind === 'Frame' ? 'message' : categoryOf(kind)),
  ),
  words: [
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
  ],
  numbered: (node, number) =>
    node.kind === 'Header'
      ? { ...node, name: text(`x-${number}`) }
      : node.kind === 'Frame'
        ? {
            ...node,
            stream: text(String.fromCharCode(0, 0, ((2 * number + 1) >> 8) & 255, (2 * number + 1) & 255)),
          }
        : node,
  withText: (node, value) => (node.kind === 'Text' ? text(value) : null),
}

function textOf(node: unknown): string {
  return isTree(node) && typeof node['text'] === 'string' ? node['text'] : ''
}

function printed(tree: Tree): string {
  const { start, messages } = tree as unknown as { start: Tree; messages: readonly Tree[] }
  const parts: string[] = [textOf(start)]
  let length = 0
  for (const each of messages ?? []) {
    if (length > MAX_BYTES) break
    const part = each.kind === 'Frame' ? printedFrame(each) : printedMessage(each)
    length += part.length
    parts.push(part)
  }
  return parts.join('')
}

function printedMessage({ line, headers, body }: Tree): string {
  const lines = (headers as readonly Tree[]).map(({ name, value }) => `${textOf(name)}: ${textOf(value)}\r\n`)
  return `${textOf(line)}\r\n${lines.join('')}\r\n${(body as readonly Tree[]).map(textOf).join('')}`
}

/** Type and flags are one byte and the stream is four, whatever became of their texts. */
function printedFrame({ type, flags, stream, payload }: Tree): string {
  const bytes = textOf(payload)
  const size = String.fromCharCode((bytes.length >> 16) & 255, (bytes.length >> 8) & 255, bytes.length & 255)
  const fixed = (node: unknown, width: number) => textOf(node).slice(0, width).padEnd(width, '\u0000')
  return `${size}${fixed(type, 1)}${fixed(flags, 1)}${fixed(stream, 4)}${bytes}`
}

export function framingTarget(ground: Ground): Hunted {
  return {
    name: 'framing',
    judgesTimes: true,
    share: 25,
    grammar,
    seeds,
    bytesOf: ({ tree, stuffing }) =>
      Buffer.from(stuffed(printed(tree), stuffing, MAX_BYTES), 'latin1').subarray(0, MAX_BYTES),
    open: () => openFramingArena(ground),
  }
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

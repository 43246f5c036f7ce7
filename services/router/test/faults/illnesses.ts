/** In which ways a subgraph may be ill, and what clients are told of each. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { answerWell, httpAnswer, type IllCall, REPORT, type Symptoms, wellAnswer } from './ill-subgraph.ts'

/** What a client gets of an answer that is wrong, but can be used. */
export type Usable = {
  readonly report: unknown
  readonly counts: readonly unknown[]
  /** Paths and codes, sorted. */
  readonly errors: readonly string[]
}

export type Illness = Symptoms & {
  readonly name: string
  /** The code of the errors in place of all that the subgraph was asked; or what can be used. */
  readonly gives: string | Usable
  /** The call ends by the time limit only. */
  readonly isSilent?: true
  /** Whether its calls count as failures of the subgraph; they do unless this says false. */
  readonly opensCircuit?: boolean
}

/** What the ill subgraph would send if nobody stopped it. */
export const TEN_GIGABYTES = 10 * 1024 ** 3
const PIECE = Buffer.alloc(64 * 1024, ' ')
const CHUNK = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const HTML = '<!doctype html><html><body>Bad gateway</body></html>'

/** Sends this, and keeps the connection. */
const says =
  (text: string | Buffer) =>
  ({ socket }: IllCall): void =>
    void socket.write(text)

/** Sends this, and then resets the connection. */
const saysAndResets =
  (text: string) =>
  ({ socket }: IllCall): void =>
    void socket.write(text, () => socket.resetAndDestroy())

/** Sends `begin`, and then one byte of the rest every 100 ms for hours. */
const drips =
  (begin: string, byte: string) =>
  ({ socket }: IllCall): void => {
    socket.write(begin)
    const timer = setInterval(() => socket.write(byte), 100)
    socket.on('close', () => clearInterval(timer))
  }

/** Sends `begin`, and then `piece` without end. */
const floods =
  (begin: string, piece: Buffer) =>
  ({ socket, subgraph }: IllCall): void => {
    socket.write(begin)
    subgraph.flood(socket, piece, TEN_GIGABYTES)
  }

const json = (text: string | Buffer) => says(httpAnswer(text))

/** The right answer, changed. */
const changed =
  (change: (data: Record<string, unknown> & { _entities: unknown[] }) => unknown) =>
  ({ socket, body }: IllCall): void =>
    void socket.write(httpAnswer(JSON.stringify(change(JSON.parse(wellAnswer(body)).data))))

const redirect = (status: string, to: (call: IllCall) => string) => (call: IllCall) =>
  void call.socket.write(httpAnswer('', status, `location: ${to(call)}\r\n`))

const toItself = ({ subgraph }: IllCall): string => subgraph.url

const hasEncoding = (coding: string, bytes: Buffer) =>
  says(httpAnswer(bytes, '200 OK', `content-type: application/json\r\ncontent-encoding: ${coding}\r\n`))

const retryAfter = (status: string, value: string) =>
  says(httpAnswer(HTML, status, `content-type: text/html\r\nretry-after: ${value}\r\n`))

const BOMB = Buffer.alloc(32 * 1024 * 1024, ' ')
/** The usual quality takes more than a second for it, and makes it no smaller. */
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The subgraph does not answer, or not to the end: only the time limit ends these calls. */
const SILENT: readonly Illness[] = [
  { name: 'accepts and never answers', asked: () => {} },
  { name: 'sends headers and nothing more', asked: says(`${JSON_HEAD}content-length: 99\r\n\r\n`) },
  {
    name: 'sends half a body and nothing more',
    asked: says(`${JSON_HEAD}content-length: 99\r\n\r\n{"data":`),
  },
  {
    name: 'sends one byte of its body every 100 ms',
    asked: drips(`${JSON_HEAD}content-length: 1000000\r\n\r\n`, ' '),
  },
  { name: 'sends one byte of its headers every 100 ms', asked: drips(`${JSON_HEAD}x-slow: `, 'x') },
].map((illness) => ({ ...illness, gives: 'SUBGRAPH_TIMEOUT', isSilent: true as const }))

const BROKEN: readonly Illness[] = [
  {
    name: 'resets each new connection',
    connected: (socket) => socket.resetAndDestroy(),
    gives: 'SUBGRAPH_UNREACHABLE',
  },
  { name: 'resets when it is asked', asked: saysAndResets(''), gives: 'SUBGRAPH_UNREACHABLE' },
  { name: 'closes when it is asked', asked: ({ socket }) => socket.end(), gives: 'SUBGRAPH_UNREACHABLE' },
  {
    name: 'resets amid its headers',
    asked: saysAndResets('HTTP/1.1 200 OK\r\nx-a'),
    gives: 'SUBGRAPH_UNREACHABLE',
  },
  {
    name: 'resets after its headers',
    asked: saysAndResets(`${JSON_HEAD}content-length: 99\r\n\r\n`),
    gives: 'SUBGRAPH_INVALID_RESPONSE',
  },
  {
    name: 'resets amid its body',
    asked: saysAndResets(`${JSON_HEAD}content-length: 99\r\n\r\n{"data":`),
    gives: 'SUBGRAPH_INVALID_RESPONSE',
  },
  {
    name: 'closes amid a chunk of its body',
    asked: ({ socket }) => socket.end(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\nff\r\n{"data":`),
    gives: 'SUBGRAPH_INVALID_RESPONSE',
  },
]

const ENDLESS: readonly Illness[] = [
  {
    name: 'answers 10 GB, and says so',
    asked: floods(`${JSON_HEAD}content-length: ${TEN_GIGABYTES}\r\n\r\n`, PIECE),
    gives: 'SUBGRAPH_RESPONSE_TOO_LARGE',
    opensCircuit: false,
  },
  {
    name: 'answers 10 GB in chunks',
    asked: floods(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\n`, CHUNK),
    gives: 'SUBGRAPH_RESPONSE_TOO_LARGE',
    opensCircuit: false,
  },
  {
    name: 'answers 10 GB up to the end of the connection',
    asked: floods(`${JSON_HEAD}connection: close\r\n\r\n`, PIECE),
    gives: 'SUBGRAPH_RESPONSE_TOO_LARGE',
    opensCircuit: false,
  },
  {
    name: 'sends a header of 10 GB',
    asked: floods(`${JSON_HEAD}x-endless: `, Buffer.alloc(64 * 1024, 'x')),
    gives: 'SUBGRAPH_UNREACHABLE',
  },
  {
    name: 'sends 100,000 headers',
    asked: says(`${JSON_HEAD}${'x-many: yes\r\n'.repeat(100_000)}content-length: 2\r\n\r\n{}`),
    gives: 'SUBGRAPH_UNREACHABLE',
  },
  {
    name: 'sends interim answers (102) without end',
    asked: floods('', Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000))),
    gives: 'SUBGRAPH_UNREACHABLE',
  },
  {
    name: 'answers 32 MiB packed by gzip into 32 KiB',
    asked: hasEncoding('gzip', gzipSync(BOMB)),
    gives: 'SUBGRAPH_RESPONSE_TOO_LARGE',
    opensCircuit: false,
  },
  {
    name: 'answers in Brotli without being asked to',
    asked: hasEncoding('br', brotliCompressSync(BOMB, FAST_BROTLI)),
    gives: 'SUBGRAPH_INVALID_RESPONSE',
  },
  {
    name: 'says gzip and sends something else',
    asked: hasEncoding('gzip', Buffer.from('{"data":{}}')),
    gives: 'SUBGRAPH_INVALID_RESPONSE',
  },
]

const NO_GRAPHQL: readonly Illness[] = [
  { name: 'answers HTML with 200', asked: says(httpAnswer(HTML, '200 OK', 'content-type: text/html\r\n')) },
  { name: 'answers HTML and calls it JSON', asked: json(HTML) },
  { name: 'answers with an empty body', asked: json('') },
  { name: 'answers JSON that is cut', asked: json('{"data":{"report":{"title":"x"') },
  { name: 'answers what is not UTF-8', asked: json(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])) },
  { name: 'answers 100,000 brackets', asked: json('['.repeat(100_000)) },
  { name: 'answers 100,000 brackets that close', asked: json(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) },
  { name: 'answers a list', asked: json('[{"data":{"report":null}}]') },
  { name: 'answers data that is a list', asked: json('{"data":[]}') },
  { name: 'answers errors that are no list', asked: json('{"errors":{"message":"x"}}') },
  { name: 'redirects to itself (301)', asked: redirect('301 Moved Permanently', toItself) },
  { name: 'redirects to itself (302)', asked: redirect('302 Found', toItself) },
  { name: 'redirects to itself (307)', asked: redirect('307 Temporary Redirect', toItself) },
  { name: 'redirects to itself (308)', asked: redirect('308 Permanent Redirect', toItself) },
].map((illness) => ({ ...illness, gives: 'SUBGRAPH_INVALID_RESPONSE' }))

const REFUSING: readonly Illness[] = [
  {
    name: 'speaks another protocol',
    asked: says('SSH-2.0-OpenSSH_9\r\n'),
    gives: 'SUBGRAPH_UNREACHABLE',
  },
  {
    name: 'answers HTML with 502',
    asked: says(httpAnswer(HTML, '502 Bad Gateway', 'content-type: text/html\r\n')),
    gives: 'SUBGRAPH_HTTP_ERROR',
  },
  ...['99999999999999999999', '-5', 'soon', 'Fri, 31 Dec 9999 23:59:59 GMT'].map((value) => ({
    name: `answers 503 and asks to wait (Retry-After: ${value})`,
    asked: retryAfter('503 Service Unavailable', value),
    gives: 'SUBGRAPH_HTTP_ERROR',
  })),
  {
    name: 'answers 429 and asks to wait (Retry-After: 99999999999999999999)',
    asked: retryAfter('429 Too Many Requests', '99999999999999999999'),
    gives: 'SUBGRAPH_HTTP_ERROR',
    opensCircuit: false,
  },
]

/** Answers that are GraphQL, and wrong: what can be used of them is. The circuit stays closed. */
const ODD: readonly Omit<Illness, 'opensCircuit'>[] = [
  {
    name: 'answers with values of wrong types',
    asked: changed(() => ({ data: { report: 5, _entities: [{ count: 'many' }, 7] } })),
    gives: {
      report: null,
      counts: [null, null],
      errors: ['items.0.count SUBGRAPH_INVALID_VALUE', 'report SUBGRAPH_INVALID_VALUE'],
    },
  },
  {
    name: 'answers with too few entities',
    asked: changed(({ _entities, ...data }) => ({ data: { ...data, _entities: _entities.slice(0, 1) } })),
    gives: { report: REPORT, counts: [3, null], errors: ['items.1.count ENTITY_COUNT_MISMATCH'] },
  },
  {
    name: 'answers with too many entities',
    asked: changed(({ _entities, ...data }) => ({ data: { ...data, _entities: [..._entities, 1, {}] } })),
    gives: { report: REPORT, counts: [3, 5], errors: ['items ENTITY_COUNT_MISMATCH'] },
  },
  {
    name: 'answers with nulls for entities',
    asked: changed(({ _entities, ...data }) => ({ data: { ...data, _entities: _entities.map(() => null) } })),
    gives: { report: REPORT, counts: [null, null], errors: [] },
  },
  {
    name: 'answers with entities that are no list',
    asked: changed((data) => ({ data: { ...data, _entities: { 0: 1 } } })),
    gives: {
      report: REPORT,
      counts: [null, null],
      errors: ['items.0.count ENTITY_COUNT_MISMATCH', 'items.1.count ENTITY_COUNT_MISMATCH'],
    },
  },
  {
    name: 'reports errors at paths that lead nowhere',
    asked: json(
      '{"data":null,"errors":[{"message":"x","path":["nowhere",99,{}],"extensions":{"code":"LOST"}}]}',
    ),
    gives: {
      report: null,
      counts: [null, null],
      errors: ['items.0.count LOST', 'items.1.count LOST', 'report LOST'],
    },
  },
  {
    name: 'answers twice',
    asked: (call: IllCall) => {
      answerWell(call)
      call.socket.write(httpAnswer('{"data":{"report":{"title":"of another"},"_entities":[],"restock":9}}'))
    },
    gives: { report: REPORT, counts: [3, 5], errors: [] },
  },
  {
    name: 'sends some interim answers, one as if it were the answer',
    asked: (call: IllCall) => {
      const html = 'content-type: text/html\r\ncontent-encoding: br\r\n'
      call.socket.write(
        `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n${html}\r\n`,
      )
      answerWell(call)
    },
    gives: { report: REPORT, counts: [3, 5], errors: [] },
  },
].map((illness) => ({ ...illness, opensCircuit: false }))

export const ILLNESSES: readonly Illness[] = [
  ...SILENT,
  ...BROKEN,
  ...ENDLESS,
  ...NO_GRAPHQL,
  ...REFUSING,
  ...ODD,
]

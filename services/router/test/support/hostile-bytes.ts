/** What nobody who means well sends: requests of HTTP/1.1 and HTTP/2, broken on one layer or several. */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'

/** The bytes of one connection, and where they are cut into pieces that are sent one after the other. */
export type HostileInput = { readonly kind: string; readonly bytes: Buffer; readonly cuts: readonly number[] }

const QUERY = '{ topProducts(first: 2) { upc name reviews { body } } version }'
const MUTATION = 'mutation($upc: ID!) { rename(upc: $upc, name: "x") { upc } }'

const garbage = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

/** A text with a few of its characters replaced, doubled, left out, or with something put in between. */
function spoilt(text: fc.Arbitrary<string>, pieces: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(fc.nat(), fc.nat(12), pieces)
  return fc
    .tuple(text, fc.oneof(fc.constant([]), fc.array(change, { maxLength: 4 })))
    .map(([whole, changes]) =>
      changes.reduce((spoiled, [at, length, piece]) => {
        const from = spoiled.length === 0 ? 0 : at % spoiled.length
        return spoiled.slice(0, from) + piece + spoiled.slice(from + length)
      }, whole),
    )
}

const documents = spoilt(
  fc.constantFrom(
    QUERY,
    MUTATION,
    '{ ...F } fragment F on Query { ...F }',
    'query A { version } query B { version }',
  ),
  fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '(',
      ')',
      '...',
      '@defer',
      '@skip(if: $x)',
      '"""',
      '"\\u{FFFFFFFF}"',
      '#',
      '\u0000',
      '$x',
      '[1,[2]]',
      '!',
    ),
    fc.constantFrom(
      '{ a '.repeat(200),
      '[[[['.repeat(200),
      'a:b '.repeat(100),
      '__schema { types { name } }',
    ),
    garbage,
  ),
)

const variables = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '{"upc":1e999}',
    '{"__proto__":{"a":1}}',
    '{"upc":"\\ud800"}',
    `${'['.repeat(3000)}1`,
    '{"a":',
    '-',
    '1e',
  ),
)

const json = spoilt(
  fc.oneof(
    fc
      .tuple(documents, variables)
      .map(([query, values]) => `{"query":${JSON.stringify(query)},"variables":${values}}`),
    documents.map((query) =>
      JSON.stringify({ query, operationName: 'A', extensions: { persistedQuery: {} } }),
    ),
    documents.map((query) => `[${JSON.stringify({ query })}]`),
    fc
      .array(documents, { maxLength: 12 })
      .map((queries) => JSON.stringify(queries.map((query) => ({ query })))),
    fc
      .tuple(documents, fc.constantFrom('documentId', 'doc_id'), fc.oneof(fc.string(), fc.jsonValue()))
      .map(([query, name, id]) => JSON.stringify({ query, [name]: id })),
    documents.map((query) => {
      const sha256Hash = createHash('sha256').update(query).digest('hex')
      return JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } })
    }),
    documents.map((query) => `{"query":${JSON.stringify(query)},"query":5}`),
    fc.json(),
  ),
  fc.oneof(fc.constantFrom('"', '\\', ',', ':', '{', '}', '[', ']', 'null', '\ud800', '\ufeff'), garbage),
)

const token = fc.oneof(
  fc.constantFrom(
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
    'Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA',
    `Bearer ${'a'.repeat(9000)}`,
    'Bearer ..',
    'bearer',
  ),
  fc
    .tuple(fc.base64String(), fc.base64String(), fc.base64String())
    .map((parts) => `Bearer ${parts.join('.')}`),
)

const header = fc.oneof(
  fc.constantFrom(
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: gzip',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Content-Length: 1, 1',
    'Content-Encoding: br',
    'Connection: close, upgrade',
    'Upgrade: h2c\r\nHTTP2-Settings: AAAA',
    'Expect: 100-continue',
    'Expect: everything',
    'Trailer: X-A',
    'X-Feature-Flag: next',
    'X-Feature-Flag: ../../etc',
    'Cookie: feature_flag=%00; feature_flag=next',
    'X-WG-Trace: true',
    'If-None-Match: "a"',
    'Accept: multipart/mixed;incrementalSpec=v0.2',
    'Accept: */*;q=7',
    'Accept-Encoding: gzip;q=nan',
    'Traceparent: 00-0-0-0',
    `X-Long: ${'x'.repeat(40_000)}`,
    'Folded: a\r\n b',
    'No colon',
    ': no name',
    'Sp ace: x',
    'X-Nul: \u0000',
  ),
  token.map((value) => `Authorization: ${value}`),
  garbage.map((value) => `X-Garbage: ${value}`),
)

const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/graphql',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset="',
    '',
  ),
)

const multipart = fc
  .tuple(json, garbage)
  .map(
    ([operations, more]) =>
      `--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${operations}\r\n--x\r\n${more}\r\n--x--`,
  )

const body = fc.oneof({ weight: 3, arbitrary: json }, multipart, garbage)

const chunked = fc
  .tuple(
    body,
    fc.constantFrom('', ';a=b', ' ', '\u0000'),
    fc.constantFrom('0\r\n\r\n', '0\r\nA: b\r\n\r\n', '', '-1\r\n'),
  )
  .map(([text, extension, end]) => {
    const bytes = Buffer.from(text, 'latin1')
    return `${bytes.length.toString(16)}${extension}\r\n${bytes.toString('latin1')}\r\n${end}`
  })

const requestLine = fc.oneof(
  { weight: 4, arbitrary: fc.constant('POST /graphql HTTP/1.1') },
  documents.map(
    (query) => `GET /graphql?query=${encodeURIComponent(query.replaceAll(/[\ud800-\udfff]/g, ''))} HTTP/1.1`,
  ),
  variables.map(
    (values) => `GET /graphql?query=%7Bversion%7D&variables=${encodeURIComponent(values)} HTTP/1.1`,
  ),
  fc.constantFrom(
    'GET /graphql?query=%zz HTTP/1.1',
    'GET //graphql/../health/live HTTP/1.1',
    'GET /health/ready?x=%00 HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'CONNECT a:1 HTTP/1.1',
    'TRACE /graphql HTTP/1.1',
    'POST http://elsewhere/graphql HTTP/1.1',
    'POST /graphql HTTP/1.0',
    'POST /graphql HTTP/9.9',
    'POST /graphql',
    'PRI * HTTP/2.0',
    '\u0016\u0003\u0001',
  ),
)

const request = fc
  .record({
    line: requestLine,
    type: contentType,
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 })),
    content: fc.oneof(
      body.map((text) => ({ text, framing: 'length' })),
      chunked.map((text) => ({ text, framing: 'chunked' })),
    ),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r'),
    stated: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -5, max: 100_000 })),
  })
  .map(({ line, type, headers, content, end, stated }) => {
    const framing =
      content.framing === 'chunked'
        ? 'Transfer-Encoding: chunked'
        : `Content-Length: ${Buffer.byteLength(content.text, 'latin1') + stated}`
    return [line, 'Host: x', `Content-Type: ${type}`, framing, ...headers, '', ''].join(end) + content.text
  })

const http1 = fc
  .array(spoilt(request, garbage), { minLength: 1, maxLength: 3 })
  .map((requests) => requests.join(''))

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
/** `:method: POST`, `:scheme: http`, `:path: /graphql`, `:authority: x`, `content-type: application/json`. */
const POST_HEADERS = Buffer.concat([
  Buffer.from([0x83, 0x86, 0x44, 0x08]),
  Buffer.from('/graphql'),
  Buffer.from([0x41, 0x01, 0x78, 0x5f, 0x10]),
  Buffer.from('application/json'),
])

const frame = fc
  .record({
    type: fc.oneof(fc.constantFrom(0, 1, 3, 4, 6, 8), fc.integer({ min: 0, max: 255 })),
    flags: fc.oneof(fc.constantFrom(0, 1, 4, 5), fc.integer({ min: 0, max: 255 })),
    stream: fc.constantFrom(0, 1, 1, 1, 3, 5, 2, 0x7fffffff),
    payload: fc.oneof(
      json.map((text) => Buffer.from(text)),
      fc.constant(POST_HEADERS),
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    ),
    stated: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -4, max: 70_000 })),
  })
  .map(({ type, flags, stream, payload, stated }) =>
    frameOf(type, flags, stream, payload, payload.length + stated),
  )

function frameOf(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(Math.max(0, length), 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

const http2 = fc
  .record({
    preface: fc.oneof({ weight: 5, arbitrary: fc.constant(PREFACE) }, spoilt(fc.constant(PREFACE), garbage)),
    first: fc.boolean(),
    content: json,
    frames: fc.array(frame, { maxLength: 6 }),
  })
  .map(({ preface, first, content, frames }) => {
    const whole = first
      ? [
          frameOf(4, 0, 0, Buffer.alloc(0)),
          frameOf(1, 4, 1, POST_HEADERS),
          frameOf(0, 1, 1, Buffer.from(content)),
        ]
      : [frameOf(4, 0, 0, Buffer.alloc(0))]
    return Buffer.concat([Buffer.from(preface, 'latin1'), ...whole, ...frames])
  })

/** What one connection sends. */
export const HOSTILE_INPUTS: fc.Arbitrary<HostileInput> = fc
  .record({
    input: fc.oneof(
      { weight: 3, arbitrary: http1.map((text) => ({ kind: 'HTTP/1', bytes: Buffer.from(text, 'latin1') })) },
      { weight: 1, arbitrary: http2.map((bytes) => ({ kind: 'HTTP/2', bytes })) },
    ),
    cuts: fc.array(fc.nat(4000), { maxLength: 4 }),
  })
  .map(({ input: { kind, bytes }, cuts }) => ({ kind, bytes, cuts: cuts.toSorted((a, b) => a - b) }))

import { describe, expect, it } from 'vitest'
import {
  MAX_EXTENSIONS,
  MAX_FIELDS,
  MAX_HEAD_SIZE,
  MAX_INTERIM_ANSWERS,
} from '../../../src/transport/http1/limits.ts'
import type { ResponseHead } from '../../../src/transport/http1/response-head.ts'
import { ResponseParser, type ResponseSink } from '../../../src/transport/http1/response-parser.ts'

/** What a parser told of one answer. */
type Read = {
  readonly status: number | null
  readonly body: string
  readonly ended: boolean
  readonly keepAlive: boolean | null
  readonly keptFor: number | null
  /** Bytes behind the answer. */
  readonly left: number
  readonly problem: string | null
}

class Recorded implements ResponseSink {
  heads: ResponseHead[] = []
  body = ''
  /** Of other answers. */
  #before = 0
  #hasWhole = false
  ends = 0
  head(head: ResponseHead): void {
    this.heads.push(head)
    this.#before = this.body.length
    this.#hasWhole = false
  }
  data(bytes: Buffer, isWhole: boolean): void {
    expect(this.#hasWhole || (isWhole && this.body.length > this.#before), 'more than the whole body').toBe(
      false,
    )
    this.#hasWhole = isWhole
    this.body += bytes.toString('latin1')
  }
  end(): void {
    this.ends++
  }
}

/** `pieces` arrive one after the other; then the connection is closed, if nothing is wrong by then. */
function read(...pieces: readonly string[]): Read {
  const sink = new Recorded()
  const parser = new ResponseParser(sink)
  let left = 0
  let problem: string | null = null
  try {
    for (const piece of pieces) {
      // What follows an answer is never read: its connection is closed.
      if (sink.ends > 0) left += piece.length
      else left += piece.length - parser.read(Buffer.from(piece, 'latin1'), piece.length)
    }
    if (sink.ends === 0) parser.finish()
  } catch (error) {
    problem = (error as Error).message
  }
  expect(sink.heads.length).toBeLessThanOrEqual(1)
  expect(sink.ends).toBeLessThanOrEqual(1)
  const [head] = sink.heads
  return {
    status: head?.status ?? null,
    body: sink.body,
    ended: sink.ends === 1,
    keepAlive: head?.keepAlive ?? null,
    keptFor: head?.keptFor ?? null,
    left,
    problem,
  }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const chunked = (body: string) => `${OK}Transfer-Encoding: chunked\r\n\r\n${body}`
const counted = (body: string, fields = '') => `${OK}${fields}Content-Length: ${body.length}\r\n\r\n${body}`

const ANSWERS: readonly (readonly [string, string, Partial<Read>])[] = [
  ['with a length', counted('{"a":1}'), { body: '{"a":1}', keepAlive: true }],
  ['without a body', counted(''), { body: '', keepAlive: true }],
  ['with a status without words', 'HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx', { body: 'x' }],
  ['with a status and a space', 'HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx', { body: 'x' }],
  ['with words in Latin-1', 'HTTP/1.1 200 d\xe9j\xe0\r\nContent-Length: 1\r\n\r\nx', { body: 'x' }],
  ['with an unknown status', 'HTTP/1.1 799 Odd\r\nContent-Length: 1\r\n\r\nx', { status: 799, body: 'x' }],
  ['with white space around a value', `${OK}Content-Length: \t 1 \t\r\n\r\nx`, { body: 'x' }],
  ['with a field without a value', `${OK}X:\r\nContent-Length:1\r\n\r\nx`, { body: 'x' }],
  ['with fields in capitals', `${OK}CONTENT-LENGTH: 1\r\n\r\nx`, { body: 'x' }],
  [
    'with a field named like a member of every object',
    counted('x', '__proto__: 1\r\nconstructor: 2\r\n'),
    { body: 'x' },
  ],
  ['that ends with the connection', `${OK}\r\nabc`, { body: 'abc', keepAlive: false }],
  ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx', { body: 'x', keepAlive: false }],
  [
    'of HTTP/1.0 on a connection that is kept',
    'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nx',
    { body: 'x', keepAlive: true },
  ],
  [
    'of HTTP/1.0 in chunks',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    { body: 'x', keepAlive: false },
  ],
  ['on a connection that is closed', counted('x', 'Connection: close\r\n'), { body: 'x', keepAlive: false }],
  [
    'on a connection that is closed, said among other words',
    counted('x', 'Connection: a, \tClose\r\nConnection: keep-alive\r\n'),
    { body: 'x', keepAlive: false },
  ],
  [
    'on a connection that is kept for a time',
    counted('x', 'Keep-Alive: timeout=5, max=100\r\n'),
    { body: 'x', keepAlive: true, keptFor: 5000 },
  ],
  ['with status 204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, keepAlive: true }],
  [
    'with status 204 that declares a body',
    'HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n',
    { status: 204, keepAlive: false },
  ],
  ['with status 304', 'HTTP/1.1 304 Not Modified\r\n\r\n', { status: 304, keepAlive: true }],
  [
    'with status 304 that declares chunks',
    'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n',
    { status: 304, keepAlive: false },
  ],
  [
    'after others that announce it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${counted('x')}`,
    { status: 200, body: 'x' },
  ],
  [
    'in chunks',
    chunked('3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n'),
    { body: 'abc0123456789', keepAlive: true },
  ],
  [
    'in large chunks',
    chunked(`3e8\r\n${'y'.repeat(1000)}\r\n40\r\n${'z'.repeat(64)}\r\n0\r\n\r\n`),
    { body: 'y'.repeat(1000) + 'z'.repeat(64) },
  ],
  ['in no chunks', chunked('0\r\n\r\n'), { body: '', keepAlive: true }],
  ['in chunks with zeros before their sizes', chunked('0003\r\nabc\r\n000\r\n\r\n'), { body: 'abc' }],
  [
    'in chunks with extensions',
    chunked('3;a=b;c="d e"\r\nabc\r\n0;last\r\n\r\n'),
    { body: 'abc', keepAlive: true },
  ],
  [
    'in chunks with trailers',
    chunked('3\r\nabc\r\n0\r\nX-Checksum: 1\r\nY: 2\r\n\r\n'),
    { body: 'abc', keepAlive: true },
  ],
  ['in chunks, declared in capitals', `${OK}Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`, { body: '' }],
]

const UNFINISHED: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['half a status line', 'HTTP/1.1 20'],
  ['half the fields', `${OK}Content-Len`],
  ['no empty line', `${OK}Content-Length: 0\r\n`],
  ['less than its length', `${OK}Content-Length: 9\r\n\r\nabc`],
  ['a chunk cut off', chunked('5\r\nab')],
  ['a chunk without its line break', chunked('2\r\nab')],
  ['no last chunk', chunked('2\r\nab\r\n')],
  ['no end of trailers', chunked('0\r\nX: 1\r\n')],
  ['an interim answer only', 'HTTP/1.1 100 Continue\r\n\r\n'],
]

const START = /does not begin with a status line/
const FIELD = /header field that is malformed/
const EXTENSION = /has a chunk extension that is malformed/
const CHUNK = /chunk that is malformed/
const LINE = /does not end with CR LF|header field that is malformed|does not begin with a status line/
const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['another protocol', 'SSH-2.0-OpenSSH_9\r\n', START],
  ['an empty line first', `\r\n${counted('x')}`, START],
  ['HTTP/2', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n', START],
  ['HTTP/0.9', 'HTTP/0.9 200 OK\r\nContent-Length: 0\r\n\r\n', START],
  ['another spelling', 'http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', START],
  ['no status', 'HTTP/1.1 OK\r\n\r\n', START],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', START],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', START],
  ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n', START],
  ['two spaces before the status', 'HTTP/1.1  200 OK\r\n\r\n', START],
  ['a NUL in the words of the status', 'HTTP/1.1 200 O\0K\r\n\r\n', START],
  [
    'a switch of protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
    /switches to a protocol/,
  ],
  ['line feeds alone', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', LINE],
  ['a line feed alone after a field', `${OK}X: 1\nContent-Length: 0\r\n\r\n`, LINE],
  ['a carriage return alone', `${OK}X: 1\rContent-Length: 0\r\n\r\n`, FIELD],
  ['a folded field', `${OK}X: 1\r\n 2\r\nContent-Length: 0\r\n\r\n`, FIELD],
  ['a folded field with a tab', `${OK}X: 1\r\n\t2\r\nContent-Length: 0\r\n\r\n`, FIELD],
  ['space before a colon', `${OK}Content-Length : 0\r\n\r\n`, FIELD],
  ['space before a name', `${OK} Content-Length: 0\r\n\r\n`, FIELD],
  ['no name', `${OK}: 1\r\n\r\n`, FIELD],
  ['no colon', `${OK}Content-Length 0\r\n\r\n`, FIELD],
  ['a NUL in a value', `${OK}X: a\0b\r\n\r\n`, FIELD],
  ['a control character in a value', `${OK}X: a\x01b\r\n\r\n`, FIELD],
  ['a NUL in a name', `${OK}X\0: a\r\n\r\n`, FIELD],
  ['a letter outside of ASCII in a name', `${OK}X\xe9: a\r\n\r\n`, FIELD],
  [
    'both framings',
    `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /both Content-Length and/,
  ],
  [
    'both framings in turn',
    `${OK}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    /both Content-Length and/,
  ],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, /several Content-Length/],
  ['the same length twice', `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`, /several Content-Length/],
  ['two lengths in one field', `${OK}Content-Length: 1, 1\r\n\r\na`, /not a usable number/],
  ['no length', `${OK}Content-Length:\r\n\r\n`, /not a usable number/],
  ['a length with a sign', `${OK}Content-Length: +1\r\n\r\na`, /not a usable number/],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\na`, /not a usable number/],
  ['a length with a point', `${OK}Content-Length: 1.0\r\n\r\na`, /not a usable number/],
  ['a hexadecimal length', `${OK}Content-Length: 0x1\r\n\r\na`, /not a usable number/],
  ['a length beyond counting', `${OK}Content-Length: 18446744073709551617\r\n\r\na`, /not a usable number/],
  ['a coding that is not chunked', `${OK}Transfer-Encoding: gzip\r\n\r\n`, /other than "chunked"/],
  ['a coding below chunks', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, /other than "chunked"/],
  [
    'chunks twice',
    `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /other than "chunked"/,
  ],
  ['a coding with a vertical tab', `${OK}Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n`, FIELD],
  ['a chunk without a size', chunked('\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk whose size is no number', chunked('g\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk whose size has a sign', chunked('+3\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk whose size begins with 0x', chunked('0x3\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk with space before its size', chunked(' 3\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk with space behind its size', chunked('3 \r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk beyond counting', chunked('10000000000000\r\nabc'), CHUNK],
  ['a chunk whose size ends with a line feed', chunked('3\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk that is longer than it says', chunked('2\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk that is shorter than it says', chunked('4\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a chunk that ends with a line feed', chunked('3\r\nabc\n0\r\n\r\n'), CHUNK],
  ['a NUL in an extension', chunked('3;a\0\r\nabc\r\n0\r\n\r\n'), CHUNK],
  ['an extension without a name', chunked('3;"a"\r\nabc\r\n0\r\n\r\n'), EXTENSION],
  ['a quoted string that is not closed', chunked('3;a="b\r\nabc\r\n0\r\n\r\n'), EXTENSION],
  ['a line feed in an extension', chunked('3;a\nabc\r\n0\r\n\r\n'), CHUNK],
  ['a trailer that is malformed', chunked('0\r\nX\r\n\r\n'), FIELD],
  ['a trailer that ends with a line feed', chunked('0\r\nX: 1\n\r\n'), CHUNK],
  ['a trailer that declares a length', chunked('0\r\nContent-Length: 3\r\n\r\n'), /in its trailer fields/],
  ['too long a head', `${OK}X: ${'a'.repeat(MAX_HEAD_SIZE)}\r\n\r\n`, /more than 16384 bytes of header/],
  ['a head without end', `${OK}X: ${'a'.repeat(2 * MAX_HEAD_SIZE)}`, /more than 16384 bytes of header/],
  ['too many fields', `${OK}${'a:\r\n'.repeat(MAX_FIELDS + 1)}\r\n`, /more than 250 header fields/],
  ['too many interim answers', 'HTTP/1.1 100 C\r\n\r\n'.repeat(MAX_INTERIM_ANSWERS + 1), /interim answers/],
  [
    'too many extensions',
    chunked(`1;${'e'.repeat(MAX_EXTENSIONS / 2)}\r\nx\r\n1;${'e'.repeat(MAX_EXTENSIONS)}\r\nx\r\n`),
    /chunk extensions/,
  ],
  ['too many trailers', chunked(`0\r\nX: ${'a'.repeat(MAX_HEAD_SIZE)}\r\n\r\n`), /trailer fields/],
]

/**
 * In two pieces, cut everywhere, and in pieces of one byte. Of long ones only cuts near the ends of lines.
 */
function piecesOf(answer: string): readonly (readonly string[])[] {
  const cuts = Array.from({ length: Math.max(0, answer.length - 1) }, (_, index) => index + 1)
  const usual = cuts.filter((cut) => answer.length < 400 || /[\r\n]/.test(answer.slice(cut - 1, cut + 1)))
  return [
    ...usual.slice(0, 1500).map((cut) => [answer.slice(0, cut), answer.slice(cut)]),
    ...(answer.length < 400 ? [answer.split('')] : []),
  ]
}

describe('an answer', () => {
  it.each(ANSWERS)('%s is read', (_name, answer, expected) => {
    expect(read(answer)).toMatchObject({ status: 200, ended: true, left: 0, problem: null, ...expected })
  })

  it.each(ANSWERS)('%s is read the same however it is cut', (_name, answer) => {
    for (const pieces of piecesOf(answer)) expect(read(...pieces)).toEqual(read(answer))
  })

  it.each(UNFINISHED)('with %s has no end', (_name, answer) => {
    expect(read(answer)).toMatchObject({ ended: false, problem: null })
    for (const pieces of piecesOf(answer)) expect(read(...pieces)).toEqual(read(answer))
  })

  it.each(REFUSED)('with %s is refused', (_name, answer, problem) => {
    expect(read(answer)).toMatchObject({ ended: false, problem: expect.stringMatching(problem) })
  })

  it.each(REFUSED)('with %s is refused however it is cut', (_name, answer, problem) => {
    for (const pieces of piecesOf(answer))
      expect(read(...pieces)).toMatchObject({ ended: false, problem: expect.stringMatching(problem) })
  })

  it('may have as long a head as is allowed, and no longer', () => {
    const withHead = (size: number) => {
      const rest = `${OK}Content-Length: 1\r\nX: `
      return `${rest}${'a'.repeat(size - rest.length - 2)}\r\n\r\nx`
    }
    expect(read(withHead(MAX_HEAD_SIZE))).toMatchObject({ body: 'x', ended: true })
    expect(read(withHead(MAX_HEAD_SIZE).slice(0, -2), '\nx')).toMatchObject({ body: 'x', ended: true })
    expect(read(withHead(MAX_HEAD_SIZE + 1)).problem).toMatch(/16384/)
    expect(read(`${OK}${'a:\r\n'.repeat(MAX_FIELDS - 1)}Content-Length: 1\r\n\r\nx`).body).toBe('x')
    expect(read('HTTP/1.1 100 C\r\n\r\n'.repeat(MAX_INTERIM_ANSWERS) + counted('x')).body).toBe('x')
  })

  it.each([
    ['its length', counted('x')],
    ['no body', counted('')],
    ['the last chunk', chunked('1\r\nx\r\n0\r\n\r\n')],
    ['status 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('ends with %s, and what follows is left', (_name, answer) => {
    const next = counted('another')
    expect(read(answer + next)).toMatchObject({ ended: true, left: next.length })
    expect(read(answer, next)).toMatchObject({ ended: true, left: next.length })
  })

  it('keeps all values of a field, and names like those of every object', () => {
    const sink = new Recorded()
    const text = counted('', 'Set-Cookie: a\r\n__proto__: p\r\nset-cookie: b\r\nSET-COOKIE: c\r\n')
    new ResponseParser(sink).read(Buffer.from(text), text.length)
    const fields = sink.heads[0]?.fields ?? {}
    expect(Object.entries(fields)).toEqual([
      ['set-cookie', ['a', 'b', 'c']],
      ['__proto__', 'p'],
      ['content-length', '0'],
    ])
  })

  it('leaves nothing behind for the next on its connection', () => {
    const sink = new Recorded()
    const parser = new ResponseParser(sink)
    const answers = ANSWERS.map(([, answer]) => answer).filter((answer) => !answer.startsWith(`${OK}\r\n`))
    for (const answer of answers)
      expect(parser.read(Buffer.from(answer, 'latin1'), answer.length)).toBe(answer.length)
    expect(sink.ends).toBe(answers.length)
  })
})

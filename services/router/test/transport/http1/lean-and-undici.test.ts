/**
 * Our own client against undici, on answers that are right, nearly right and wrong, and that arrive in
 * pieces. Where both take an answer, they must take it for the same. What undici refuses, ours refuses; what
 * only ours refuses has to be one of the cases that ADR 51 lists.
 */
import type { Socket } from 'node:net'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLean, openUndici, type Outcome, RawServer, send } from './support.ts'

const INPUTS = new RandomRun(import.meta.url, 2000, 3000)

/** The bytes of an answer, and where they are cut into pieces. */
type Input = { readonly bytes: string; readonly cuts: readonly number[] }

/** Reasons for which only our client refuses an answer. */
const STRICTER = [
  /Transfer-Encoding other than "chunked"/,
  /does not begin with a status line of HTTP\/1\.1/,
  /has a chunk extension that is malformed/,
]

const STATUS = fc.oneof(
  { weight: 8, arbitrary: fc.constant('HTTP/1.1 200 OK') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/1.0 200 OK',
      'HTTP/1.1 204 No Content',
      'HTTP/1.1 304 N',
      'HTTP/1.1 500',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK',
      'HTTP/1.1 999 ',
      'HTTP/2 200',
    ),
  },
)
const FIELD = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Connection: close',
      'Connection: keep-alive',
      'Keep-Alive: timeout=5',
      'Content-Type: application/json',
      'X: a\tb',
      'X: \xe9\xff',
      'X:',
      '__proto__: x',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Content-Length: 3',
      'Content-Length: 0',
      'Transfer-Encoding: chunked',
      'transfer-encoding: Chunked',
      'Transfer-Encoding: gzip',
      'Transfer-Encoding: gzip, chunked',
      'X : a',
      ' X: folded',
      'X: \x7f',
      'X: a\0b',
      ':',
    ),
  },
)
const BODY = fc.oneof(
  fc.constant('{"data":{"a":1}}'),
  fc.string({ maxLength: 40, unit: 'binary-ascii' }),
  fc.constant('x'.repeat(70_000)),
)
const CHUNK_TAIL = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', '', '', ';a=b', ';a="b;c"', ' ') },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(';', 'a', '=', '"', '\\', ' ', '\t', '\xe9', 'b=c', '"d"'), { maxLength: 8 })
      .map((parts) => `;${parts.join('')}`),
  },
)

/** An answer as a server writes it, mostly. */
const ANSWER = fc
  .record({
    status: STATUS,
    fields: fc.array(FIELD, { maxLength: 3 }),
    body: BODY,
    framing: fc.constantFrom('length', 'length', 'chunked', 'chunked', 'until-close'),
    chunks: fc.array(fc.record({ size: fc.integer({ min: 1, max: 30 }), tail: CHUNK_TAIL }), {
      maxLength: 4,
    }),
    trailer: fc.constantFrom('', '', '', 'X-Trailer: 1\r\n', 'Content-Length: 4\r\n'),
    more: fc.constantFrom('', '', '', '\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  })
  .map(({ status, fields, body, framing, chunks, trailer, more }) => {
    const own =
      framing === 'length'
        ? [`Content-Length: ${body.length}`]
        : framing === 'chunked'
          ? ['Transfer-Encoding: chunked']
          : []
    const head = [status, ...fields, ...own].join('\r\n')
    return `${head}\r\n\r\n${framing === 'chunked' ? inChunks(body, chunks, trailer) : body}${more}`
  })

function inChunks(body: string, chunks: readonly { size: number; tail: string }[], trailer: string): string {
  let text = ''
  let at = 0
  for (const { size, tail } of [...chunks, { size: body.length, tail: '' }]) {
    const piece = body.slice(at, at + size)
    if (piece !== '') text += `${piece.length.toString(16)}${tail}\r\n${piece}\r\n`
    at += size
  }
  return `${text}0\r\n${trailer}\r\n`
}

/** What happens to the bytes of some answers. */
const DAMAGE = fc.record({
  kind: fc.constantFrom('none', 'none', 'none', 'none', 'insert', 'remove', 'replace', 'cut-off', 'repeat'),
  at: fc.nat(400),
  length: fc.integer({ min: 1, max: 6 }),
  text: fc.oneof(
    fc.constantFrom('\r', '\n', '\r\n', '\0', ' ', ':', '\t', '0', 'f'),
    fc.string({ maxLength: 3, unit: 'binary-ascii' }),
  ),
})

const INPUT: fc.Arbitrary<Input> = fc
  .tuple(ANSWER, DAMAGE, fc.array(fc.nat(300), { maxLength: 4 }))
  .map(([answer, { kind, at, length, text }, cuts]) => {
    const where = Math.min(at, answer.length)
    const before = answer.slice(0, where)
    const after = answer.slice(where)
    const bytes = {
      none: answer,
      insert: before + text + after,
      remove: before + after.slice(length),
      replace: before + text + after.slice(text.length),
      'cut-off': before,
      repeat: before + after.slice(0, length) + after,
    }[kind]
    return { bytes, cuts: [...new Set(cuts)].filter((cut) => cut < bytes.length).toSorted((a, b) => a - b) }
  })

const stack = new AsyncDisposableStack()
let current: Input = { bytes: '', cuts: [] }
let server: RawServer

beforeAll(async () => {
  server = stack.use(
    await RawServer.start((socket, request) => (request === 1 ? void answer(socket, current) : undefined)),
  )
})
afterAll(() => stack.disposeAsync())

async function answer(socket: Socket, { bytes, cuts }: Input): Promise<void> {
  let at = 0
  for (const cut of [...cuts, bytes.length]) {
    if (socket.destroyed) return
    await new Promise<void>((written) =>
      socket.write(bytes.slice(at, cut), 'latin1', () => setImmediate(written)),
    )
    at = cut
  }
  socket.end()
}

async function outcomeOf(
  pool: ReturnType<typeof openLean> | ReturnType<typeof openUndici>,
): Promise<Outcome> {
  const outcome = await send(pool).done
  await pool.destroy()
  return outcome
}

describe('our client and undici', () => {
  it(
    'take the same answers for the same, and ours refuses what undici refuses',
    async () => {
      const told = { both: 0, neither: 0, stricter: 0 }
      await fc.assert(
        fc.asyncProperty(INPUT, async (input) => {
          current = input
          const lean = await outcomeOf(openLean(server.origin))
          const undici = await outcomeOf(openUndici(server.origin))
          if (lean.error === null && undici.error === null) {
            told.both++
            expect({ status: lean.status, body: lean.body }).toEqual({
              status: undici.status,
              body: undici.body,
            })
          } else if (lean.error !== null && undici.error === null) {
            told.stricter++
            expect(
              STRICTER.some((reason) => reason.test(lean.error?.message ?? '')),
              lean.error.message,
            ).toBe(true)
          } else {
            told.neither++
            expect(lean.error, String(undici.error)).not.toBeNull()
          }
        }),
        INPUTS.parameters,
      )
      expect(told.both).toBeGreaterThan(INPUTS.runs / 4)
      expect(told.neither).toBeGreaterThan(INPUTS.runs / 10)
    },
    INPUTS.timeout(60_000),
  )
})

/** The parser of multipart bodies. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MultipartParser } from '../../src/subscribe/multipart-parser.ts'

/** Returns what a parser tells of a body in these pieces. */
function told(pieces: readonly (Buffer | string)[], limit = 1000): string[] {
  const told: string[] = []
  const sink = {
    part: (body: Buffer) => void told.push(body.toString()),
    closed: () => void told.push('<closed>'),
    tooLarge: () => void told.push('<too large>'),
  }
  const parser = new MultipartParser(sink, 'graphql', limit)
  for (const piece of pieces) parser.read(Buffer.from(piece))
  return told
}

describe('a multipart body', () => {
  it.each([
    ['one part', '--graphql\r\na: b\r\n\r\n{}\r\n--graphql--', ['{}', '<closed>']],
    ['a part that goes out with its boundary', '--graphql\r\na: b\r\n\r\n{}\r\n--graphql', ['{}']],
    ['a part without headers', '--graphql\r\n\r\n{}\r\n--graphql', ['{}']],
    ['line feeds alone', '--graphql\na: b\n\n{}\n--graphql--\n', ['{}', '<closed>']],
    ['a line end before it', '\r\n--graphql\r\n\r\n1\r\n--graphql', ['1']],
    ['text before the first boundary', 'hello\r\n--graphql\r\n\r\n1\r\n--graphql', ['1']],
    ['text after the last boundary', '--graphql--\r\n\r\n1\r\n--graphql', ['<closed>']],
    ['blank lines in a part', '--graphql\r\n\r\n1\r\n\r\n2\r\n--graphql', ['1\r\n\r\n2']],
    ['an empty part', '--graphql\r\n\r\n\r\n--graphql', ['']],
    ['a part that has not ended', '--graphql\r\n\r\n1', []],
  ])('reads %s', (_what, text, expected) => {
    expect(told([text])).toEqual(expected)
  })

  it('is the same however it is cut', () => {
    const part = fc.oneof(
      fc.constantFrom('--graphql', '\r\n', '\n', '--', '\r\n\r\n', '{}', '\r\n--graphql', '\r\n--graphql--'),
      fc.string({ maxLength: 5 }),
    )
    const body = fc.array(part, { maxLength: 30 }).map((parts) => Buffer.from(parts.join('')))
    fc.assert(
      fc.property(body, fc.array(fc.nat({ max: 200 }), { maxLength: 12 }), (bytes, places) => {
        const whole = told([bytes])
        const cuts = [0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length]
        const ordered = cuts.toSorted((a, b) => a - b)
        const pieces = ordered.slice(1).map((end, index) => bytes.subarray(ordered[index], end))
        expect(told(pieces)).toEqual(whole)
        expect(told([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('is given up within a part that does not end', () => {
    const piece = Buffer.alloc(10_000, 'x')
    expect(told(['--graphql\r\n\r\n', piece, piece, piece])).toEqual(['<too large>'])
    expect(told([piece, piece, piece])).toEqual(['<too large>'])
  })
})

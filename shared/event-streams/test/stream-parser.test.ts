/** The parser of event streams. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StreamParser } from '../src/stream-parser.ts'

const LIMIT = 1000

/** Returns what a parser tells of a stream in these pieces. */
function told(pieces: readonly (Buffer | string)[], limit = LIMIT): string[] {
  const told: string[] = []
  const parser = new StreamParser(
    {
      event: (name, data) => void told.push(`${name}|${Buffer.from(data).toString()}`),
      tooLarge: () => void told.push('too large'),
    },
    limit,
  )
  // The pieces are overwritten afterwards, as connections do with theirs.
  for (const piece of pieces) {
    const bytes = Buffer.from(piece)
    parser.read(bytes)
    bytes.fill('x')
  }
  return told
}

describe('an event stream', () => {
  it.each([
    ['an event', 'event: next\ndata: {"a":1}\n\n', ['next|{"a":1}']],
    ['several events', 'event: next\ndata: 1\n\nevent: next\ndata: 2\n\n', ['next|1', 'next|2']],
    ['an event without data', 'event: complete\n\n', ['complete|']],
    ['an event with empty data', 'event: complete\ndata:\n\n', ['complete|']],
    ['fields without a colon', 'event: complete\ndata\n\n', ['complete|']],
    ['an event without a name', 'data: 1\n\n', ['|1']],
    ['data over several lines', 'data: {"a":\ndata: 1}\n\n', ['|{"a":\n1}']],
    ['carriage returns', 'event: next\rdata: 1\r\revent: next\rdata: 2\r\r', ['next|1', 'next|2']],
    ['both as the end of a line', 'event: next\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n', ['next|1', '|2']],
    ['no space after the colon', 'event:next\ndata:1\n\n', ['next|1']],
    ['only the first space is dropped', 'data:  1\n\n', ['| 1']],
    ['comments', ':\n\n: ping\ndata: 1\n: again\n\n:\n\n', ['|1']],
    ['other fields', 'id: 7\nretry: 1\ndata: 1\nnonsense: 2\n\n', ['|1']],
    ['a byte order mark at its beginning', '\ufeffdata: 1\n\n', ['|1']],
    ['one in the middle, which is a name', 'data: 1\n\n\ufeffdata: 2\n\n', ['|1']],
    ['empty lines', '\n\n\r\n\r\n\n', []],
    ['an event that is not complete', 'data: 1\n', []],
    ['the last of several names', 'event: a\nevent: b\ndata: 1\n\n', ['b|1']],
  ])('reads %s', (_what, text, expected) => {
    expect(told([text])).toEqual(expected)
  })

  it('is the same however it is cut', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'data',
        'event',
        'data: ',
        'event: next',
        ':',
        ' ',
        '\n',
        '\r',
        '\r\n',
        '\n\n',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    const stream = fc.array(part, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')))
    const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 })
    fc.assert(
      fc.property(stream, cuts, fc.integer({ min: 1, max: 60 }), (bytes, places, limit) => {
        const whole = told([bytes], limit)
        const ordered = [0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length].toSorted(
          (a, b) => a - b,
        )
        const pieces = ordered.slice(1).map((end, index) => bytes.subarray(ordered[index], end))
        expect(told(pieces, limit)).toEqual(whole)
        expect(
          told(
            [...bytes].map((byte) => Buffer.from([byte])),
            limit,
          ),
        ).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('may have events as large as allowed, and none that is larger', () => {
    const text = 'é'.repeat(LIMIT / 2)
    expect(told([`data: ${text}\n\n`])).toEqual([`|${text}`])
    expect(told([`data: ${text}x\n\ndata: 1\n\n`])).toEqual(['too large'])
    const half = 'x'.repeat(LIMIT / 2)
    expect(told([`data: ${half}\ndata: ${half}\n\n`])).toEqual(['too large'])
  })

  it('is given up within a line that does not end', () => {
    const piece = Buffer.alloc(LIMIT, 'x')
    expect(told([piece, piece, piece])).toEqual(['too large'])
    expect(told([':', piece, piece, piece])).toEqual(['too large'])
  })
})

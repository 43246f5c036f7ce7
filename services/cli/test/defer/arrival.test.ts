/** Judging how parts arrived, from recordings: every moment is given, so nothing here depends on a clock. */
import { describe, expect, it } from 'vitest'
import { type Arrival, measure } from '../../src/defer/arrival.ts'
import { readAnswer } from '../../src/defer/read-answer.ts'
import type { Chunk } from '../../src/defer/recording.ts'

const BEGUN = 10_000
const SPACING = 100
const RECEIVED = { httpVersion: '1.1', accept: null, acceptEncoding: null, via: null, hopHeaders: [] }

function part(number: number, count: number, padding: number): string {
  const facts = { part: number, sentAt: (number - 1) * SPACING, padding: 'x'.repeat(padding) }
  const hasNext = number < count
  const json =
    number === 1
      ? { data: { probe: { ...facts, enableDefer: true, received: RECEIVED } }, hasNext }
      : { incremental: [{ data: { [`part${number}`]: facts }, id: '1' }], completed: [{ id: '1' }], hasNext }
  const start = number === 1 ? '--graphql' : ''
  return `${start}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(json)}\r\n--graphql${hasNext ? '' : '--\r\n'}`
}

/** Parts as the router writes them. */
function written(count = 4, padding = 0): readonly string[] {
  return Array.from({ length: count }, (_, index) => part(index + 1, count, padding))
}

/** `[milliseconds after the request had begun, text]` */
function judge(...arrived: readonly (readonly [number, string])[]): Arrival | undefined {
  const chunks: Chunk[] = arrived.map(([at, text]) => ({ at: BEGUN + at, bytes: Buffer.from(text) }))
  return measure(readAnswer(Buffer.concat(chunks.map(({ bytes }) => bytes))), chunks, BEGUN)?.arrival
}

/** What `hold` lets through of all that was written, at the moment of each write. */
function through(
  parts: readonly string[],
  hold: (whole: string) => number,
): readonly (readonly [number, string])[] {
  let whole = ''
  let passed = 0
  return parts.map((text, index) => {
    whole += text
    const until = index === parts.length - 1 ? whole.length : hold(whole)
    const chunk = whole.slice(passed, until)
    passed = until
    return [index * SPACING + 20, chunk]
  })
}

describe('how parts arrived', () => {
  it('in time: each one before the next was written, however late that was within the pause', () => {
    const parts = written()
    for (const delay of [0, 50, 99]) {
      expect(judge(...parts.map((text, index) => [index * SPACING + delay, text] as const))).toEqual({
        kind: 'in-time',
      })
    }
  })

  it('in time, into whatever pieces a connection cuts them', () => {
    const [first = '', ...rest] = written(3)
    for (let cut = 1; cut < first.length; cut++) {
      const pieces = [
        [5, first.slice(0, cut)],
        [60, first.slice(cut)],
      ] as const
      expect(
        judge(...pieces, ...rest.map((text, index) => [(index + 1) * SPACING + 5, text] as const)),
      ).toEqual({ kind: 'in-time' })
    }
  })

  it('not in time when the line itself takes as long as the pause: nothing proves it', () => {
    const parts = written()
    const late = parts.map((text, index) => [index * SPACING + 150, text] as const)
    expect(judge(...late)).toEqual({ kind: 'one-late' })
  })

  it('all at the end', () => {
    expect(judge(...through(written(), () => 0))).toEqual({ kind: 'at-the-end' })
  })

  it.each([512, 4096, 8192, 16_384, 32_768, 65_536])('in blocks of %i bytes', (size) => {
    const parts = written(4, 23_000)
    const blocks = through(parts, (whole) => Math.floor(whole.length / size) * size)
    expect(judge(...blocks)).toEqual({
      kind: 'in-blocks',
      size: expect.toSatisfy((found) => found % size === 0),
    })
  })

  it('in blocks, the first of which is shorter by the headers that were counted', () => {
    const parts = written(4, 23_000)
    const blocks = through(parts, (whole) => Math.floor((whole.length + 317) / 8192) * 8192 - 317)
    expect(judge(...blocks)).toEqual({
      kind: 'in-blocks',
      size: expect.toSatisfy((found) => found % 8192 === 0),
    })
  })

  it('in pieces of no size', () => {
    const sizes = [1000, 23_777, 60_001]
    expect(judge(...through(written(4, 23_000), () => sizes.shift() ?? 0))).toEqual({
      kind: 'in-blocks',
      size: null,
    })
  })

  it('each with the next one', () => {
    expect(
      judge(
        ...through(
          written(),
          (whole) => whole.lastIndexOf('\r\nContent-Type') * (whole.split('sentAt').length > 2 ? 1 : 0),
        ),
      ),
    ).toEqual({
      kind: 'one-late',
    })
  })

  it('the boundary behind each with the next one', () => {
    expect(judge(...through(written(), (whole) => whole.length - '\r\n--graphql'.length))).toEqual({
      kind: 'boundaries-late',
    })
  })

  it('the first ones late, the others in time', () => {
    expect(
      judge(...through(written(), (whole) => (whole.split('sentAt').length > 2 ? whole.length : 0))),
    ).toEqual({ kind: 'start-held', parts: 1 })
  })
})

describe('reading an answer', () => {
  it('finds the boundary that the body uses, with any line ends and a text before it', () => {
    const body = written(2).join('')
    const plain = readAnswer(Buffer.from(body))
    expect(plain).toMatchObject({ boundary: 'graphql', isClosed: true })
    expect(plain.parts.map(({ json }) => json)).toHaveLength(2)
    for (const other of [
      body.replaceAll('\r\n', '\n'),
      `preamble\r\n${body}`,
      `\r\n${body}`,
      body.replaceAll('--graphql', '---'),
      `${body}epilogue`,
    ]) {
      const read = readAnswer(Buffer.from(other))
      expect(read.isClosed, other).toBe(true)
      expect(read.parts.map(({ json }) => json)).toEqual(plain.parts.map(({ json }) => json))
    }
  })

  it('is not taken in by whatever comes instead', () => {
    for (const text of [
      '',
      '{}',
      '<html>--</html>',
      '--',
      '--\r\n',
      '--a',
      '--a\r\n',
      '--a\r\n\r\nnot json\r\n--a--',
    ]) {
      expect(readAnswer(Buffer.from(text)).parts, text).toEqual([])
    }
  })

  it('of an answer that was cut has what was complete, and knows that it was cut', () => {
    const body = written(3, 5).join('')
    for (let end = 0; end < body.length - 2; end++) {
      const read = readAnswer(Buffer.from(body.slice(0, end)))
      expect(read.isClosed && end < body.lastIndexOf('--'), body.slice(0, end)).toBe(false)
      expect(read.parts.filter(({ boundaryEnd }) => boundaryEnd !== null).length).toBe(
        [...body.slice(0, end).matchAll(/\}\r\n--graphql/g)].length,
      )
    }
  })

  it('gives no measure of parts that are not those of a probe, in their order', () => {
    const [first = '', second = '', third = ''] = written(3)
    const swapped = [first, third.replace('--\r\n', ''), `${second}--\r\n`]
    const chunks = swapped.map((text, index) => ({ at: BEGUN + index, bytes: Buffer.from(text) }))
    expect(measure(readAnswer(Buffer.from(swapped.join(''))), chunks, BEGUN)).toBeNull()
  })
})

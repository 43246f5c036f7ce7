import { ExactNumber } from '@switchyard/engine'
import { parseTrace, type Trace } from '@switchyard/request-trace'
import { Meter } from '../../src/tracing/cleaning/meter.ts'
import { describe, expect, it } from 'vitest'
import { JsonValues } from '../../src/tracing/cleaning/json-values.ts'
import { limitTrace } from '../../src/tracing/limit-trace.ts'
import type { RecordedTrace } from '../../src/tracing/cleaning/recorded-trace.ts'
import { answered, asked, createTrace, done, loadsOf } from './traces.ts'

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

function limit(trace: Trace | RecordedTrace, maxSize: number): RecordedTrace {
  const before = JSON.stringify(trace)
  const limited = limitTrace(trace, maxSize)
  expect(JSON.stringify(trace)).toBe(before)
  parseTrace(JSON.parse(JSON.stringify(limited)))
  return limited
}

const VALUES = [
  null,
  true,
  false,
  0,
  -0,
  1e21,
  1.5e-9,
  NaN,
  '',
  'é👍"\\\n\u0000\u007f',
  '\ud800',
  [],
  {},
  [[], {}, null, undefined],
  { a: undefined, b: [1, 'x'], 'k"\n': { c: {} } },
  { n: new ExactNumber('12345678901234567890.00') },
  JSON.parse('{"__proto__":1,"toJSON":2}'),
]

describe('a value of a trace', () => {
  it.each(VALUES)('has the size and the text that JSON gives it: %j', (value) => {
    const values = new JsonValues(new Meter())
    expect(done(values.sizeOf(value))).toBe(sizeOf(value))
    expect(done(values.textOf(value))).toBe(JSON.stringify(value))
  })

  it('has them also when it is written piece by piece', () => {
    const value = {
      large: Array.from({ length: 9 }, () => VALUES.map((each) => ({ each, x: 'x'.repeat(999) }))),
    }
    const values = new JsonValues(new Meter())
    expect(done(values.sizeOf(value))).toBe(sizeOf(value))
    expect(done(values.textOf(value))).toBe(JSON.stringify(value))
  })

  it('is cut off where it nests too deeply', () => {
    let value: unknown = 'x'.repeat(100_000)
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    const text = done(new JsonValues(new Meter()).textOf(value))
    expect(text).toBe(`${'['.repeat(400)}"[nested too deeply]"${']'.repeat(400)}`)
  })
})

describe('a trace that may have a size', () => {
  const big = (size: number) => ({ text: 'x'.repeat(size - 11) })
  const trace = createTrace({
    loads: [
      { raw_input_data: big(3000), ...asked(big(1000)), ...answered(big(2000)) },
      { raw_input_data: [], ...asked({}), ...answered(big(5000)), error: { code: 'A', message: 'short' } },
    ],
  })

  it('is left as it is when it fits', () => expect(limit(trace, sizeOf(trace))).toBe(trace))

  it('loses the largest piece of data first, and no more than it must', () => {
    const without = (member: 'raw_input_data' | 'output') =>
      loadsOf(trace).map((load) => sizeOf(load[member]))
    const [, largest = 0] = without('output')
    const limited = limit(trace, sizeOf(trace) - 1)
    expect(loadsOf(limited)[1]?.output).toEqual({ truncated: largest })
    expect(loadsOf(limited)[0]).toBe(loadsOf(trace)[0])
    const further = limit(trace, sizeOf(limited) - 1)
    expect(loadsOf(further)[0]).toMatchObject({
      raw_input_data: { truncated: 3000 },
      input: loadsOf(trace)[0]?.input,
      output: loadsOf(trace)[0]?.output,
    })
  })

  it('fits exactly, for each limit that leaves its skeleton', () => {
    const limited = limit(trace, 0)
    for (let max = sizeOf(trace); max > sizeOf(limited); max -= 97) {
      expect(sizeOf(limit(trace, max))).toBeLessThanOrEqual(max)
    }
  })

  it('counts bytes, not characters', () => {
    const wide = createTrace({ loads: [answered('é'.repeat(1000))] })
    expect(sizeOf(limit(wide, sizeOf(wide) - 1))).toBeLessThan(sizeOf(wide) - 1900)
  })

  it('loses texts of the request and of errors when data is not enough', () => {
    const query = `{ ${'a '.repeat(2000)}}`
    const trace = createTrace({
      request: { url: '/graphql', body: { query, variables: { a: 'b'.repeat(3000) } } },
      loads: [{ error: { code: 'A', message: 'm'.repeat(2500) } }],
    })
    const limited = limit(trace, 3000)
    expect(limited.request.body).toEqual({
      query: `[truncated: ${query.length} bytes]`,
      operationName: null,
      variables: { truncated: 3008 },
    })
    expect(loadsOf(limited)).toMatchObject([{ error: { code: 'A', message: '[truncated: 2500 bytes]' } }])
    expect(limited.request.url).toBe('/graphql')
  })

  it('loses its fetches and headers when nothing else is enough, and says so', () => {
    const trace = createTrace({
      request: { headers: { a: 'x'.repeat(5000) }, body: { operationName: 'o'.repeat(5000) } },
      loads: Array.from({ length: 200 }, () => asked({})),
      warnings: ['w'.repeat(5000)],
    })
    const limited = limit(trace, 4000)
    expect(sizeOf(limited)).toBeLessThan(2000)
    expect(limited).toMatchObject({
      fetches: { kind: 'Sequence', children: [] },
      request: { headers: {}, body: { operationName: '[truncated: 5000 bytes]' } },
      warnings: [
        'The trace is larger than the 4000 bytes it may have: its 200 fetches, and all headers, were left out.',
      ],
    })
  })

  it('says how large a piece that many fetches share was for each of them', () => {
    const shared = big(1500)
    const trace = createTrace({
      loads: Array.from({ length: 50 }, () => ({ raw_input_data: [shared, shared] })),
    })
    const limited = limit(trace, sizeOf(trace) - 1)
    expect(
      loadsOf(limited).filter(
        (load) => load.raw_input_data !== undefined && 'truncated' in Object(load.raw_input_data),
      ),
    ).toHaveLength(1)
    expect(loadsOf(limit(trace, 20_000))[0]?.raw_input_data).toEqual({ truncated: 3003 })
  })
})

/** Large answers are written in slices; what comes of it is what `JSON.stringify` writes. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../src/json/exact-number.ts'
import { type JsonEscape, JsonPrinter } from '../../src/json/json-printer.ts'
import { JsonText } from '../../src/json/json-text.ts'
import { WorkBudget } from '../../src/work/budget.ts'

const RUN = new RandomRun(import.meta.url, 60, 400)

function print(value: unknown, steps = 1, escape: JsonEscape | null = null) {
  const budget = new WorkBudget(1e12, () => new RangeError('too much'))
  const printer = new JsonPrinter(value, budget, escape)
  let slices = 1
  let mostInSlice = 0
  for (let before = 0; !printer.proceed(steps); before = budget.spent) {
    slices++
    mostInSlice = Math.max(mostInSlice, budget.spent - before)
  }
  const bytes = Buffer.concat(printer.pieces)
  expect(printer.size).toBe(bytes.length)
  return { text: bytes.toString(), slices, mostInSlice, steps: budget.spent, pieces: printer.pieces }
}

/**
 * Texts up to some pieces long, of characters that have to be escaped, take two units, or are half of one
 * that does.
 */
const texts = fc
  .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }), fc.constantFrom(1, 1, 1, 3000, 9000))
  .map(([text, times]) => text.repeat(times))
const halves = fc
  .tuple(fc.constantFrom('\ud834', '\udd1e', '\ud834\udd1e', 'a\ud834'), fc.nat(17_000))
  .map(([text, times]) => `${'x'.repeat(times)}${text.repeat(20_000)}`.slice(0, 40_000))
const leaf = fc.oneof(
  { weight: 8, arbitrary: fc.jsonValue({ maxDepth: 1, stringUnit: 'binary' }) },
  { weight: 4, arbitrary: texts },
  halves,
  fc.constantFrom(
    undefined,
    -0,
    1e300,
    new ExactNumber('12345678901234567890'),
    new ExactNumber('1'.repeat(20_000)),
  ),
  fc.constantFrom(
    new JsonText('{"of":[1,2]}'),
    new JsonText(JSON.stringify({ a: '漢\ud834\udd1e'.repeat(20_000) })),
  ),
)
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', '12', '3', 'k'.repeat(20_000))),
      tie('value'),
    ),
    fc
      .tuple(tie('value'), fc.constantFrom(2, 100, 5000))
      .filter(([item, times]) => (JSON.stringify(item)?.length ?? 0) * times < 300_000)
      .map(([item, times]) => Array.from({ length: times }, () => item)),
    fc
      .tuple(tie('value'), fc.nat(300))
      .filter(([item]) => (JSON.stringify(item)?.length ?? 0) < 300_000)
      .map(([item, levels]) => nested(levels, item)),
  ),
}))

describe('a printed value', () => {
  it(`is what JSON.stringify makes of it (seed ${RUN.seed})`, { timeout: RUN.timeout(60_000) }, () => {
    let large = 0
    const property = fc.property(
      values.filter((value) => value !== undefined),
      fc.constantFrom(1, 100, 20_000),
      (value, steps) => {
        const expected = JSON.stringify(value)
        const { text, slices } = print(value, steps)
        // Two texts of megabytes are not to be shown side by side.
        expect(text === expected).toBe(true)
        if (slices > 2) large++
      },
    )
    fc.assert(property, RUN.parameters)
    expect(large).toBeGreaterThan(RUN.runs / 20)
  })

  it.each([
    ['many small objects', Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${id}` }))],
    ['many members', Object.fromEntries(Array.from({ length: 50_000 }, (_, id) => [`m${id}`, id]))],
    ['a long string', { text: 'é\n'.repeat(500_000) }],
    ['a long text that is JSON', { text: new JsonText(JSON.stringify('é'.repeat(1_000_000))) }],
    ['lists that nest', Array.from({ length: 300 }, () => nested(400))],
  ])('is written in slices of about the same size: %s', (_, value) => {
    const { text, slices, mostInSlice, steps } = print(value, 5000)
    expect(text === JSON.stringify(value)).toBe(true)
    expect(slices).toBeGreaterThan(text.length / 16 / 5000 / 5)
    expect(mostInSlice).toBeLessThan(7000)
    expect(steps).toBeGreaterThan(text.length / 16 / 5)
  })

  it('comes in pieces that are small, but not very small', () => {
    const { pieces } = print(Array.from({ length: 50_000 }, (_, id) => ({ id, name: '漢'.repeat(20) })))
    for (const { length } of pieces) expect(length).toBeLessThan(300_000)
    for (const { length } of pieces.slice(0, -1)) expect(length).toBeGreaterThan(60_000)
  })

  it('is weighed once, not at each level that it is in', () => {
    const looks: string[] = []
    const watched = (name: string, value: object) =>
      new Proxy(value, {
        get: (target, key) => {
          if (key === '0') looks.push(name)
          return Reflect.get(target, key) as unknown
        },
      })
    const inner = watched(
      'inner',
      Array.from({ length: 20_000 }, () => 1),
    )
    const value = nested(500, inner)
    expect(print(value, 5000).text === JSON.stringify(value)).toBe(true)
    // Weighed, found large, weighed for the first piece, copied; and once more by JSON.stringify here.
    expect(looks.length).toBeLessThan(10)
  })

  it('is written up to a budget', () => {
    const budget = new WorkBudget(1000, () => new RangeError('too much'))
    const printer = new JsonPrinter('a'.repeat(100_000), budget)
    expect(() => {
      while (!printer.proceed(500));
    }).toThrow('too much')
    expect(printer.size).toBeLessThan(70_000)
  })

  it('holds nothing of what is to be escaped, wherever a piece ends', () => {
    const escape = { text: '--graphql', as: String.raw`\u002d-graphql` }
    for (let before = 16_365; before < 16_390; before++) {
      const long = 'a'.repeat(before) + '--graphql'.repeat(3) + '𝄞'.repeat(10_000)
      const value = { list: [long, '--graphql'], '--graphql': new JsonText(JSON.stringify(long)) }
      const { text } = print(value, 1, escape)
      expect(text).not.toContain('--graphql')
      expect(text === JSON.stringify(value).replaceAll(escape.text, escape.as)).toBe(true)
    }
  })
})

function nested(depth: number, innermost: unknown = 1): unknown {
  let around = innermost
  for (let level = 0; level < depth; level++) around = [around]
  return around
}

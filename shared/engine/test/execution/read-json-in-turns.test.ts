/** Large JSON is read by code of our own; `JSON.parse` reads and refuses the same. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../src/json/exact-number.ts'
import { readJsonInTurns } from '../../src/json/read-json-in-turns.ts'
import { WorkBudget } from '../../src/work/budget.ts'

const RUN = new RandomRun(import.meta.url, 3000)

const exceeded = (limit: string) => new RangeError(limit)
const limitsOf = (maxValues = 1e9, maxDepth = 1e9) => ({
  budget: new WorkBudget(maxValues, () => new RangeError('values')),
  maxDepth,
  exceeded,
})

const counted = () => {
  const turns = {
    count: 0,
    next: () => {
      turns.count++
      return Promise.resolve()
    },
  }
  return turns
}

async function read(text: string): Promise<unknown> {
  try {
    return { value: await readJsonInTurns(text, counted(), limitsOf()) }
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON'
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return 'no JSON'
  }
}

/** Texts with one character changed, removed or added are mostly no JSON. */
const text = fc
  .tuple(
    fc.json({ maxDepth: 5 }),
    fc.constantFrom('', ' ', '\n', '\t'),
    fc.nat(),
    fc.constantFrom('', ...'{}[]",:0-1.eE+\\ \u0000\u00a0nu/'.split('')),
    fc.constantFrom('keep', 'replace', 'insert'),
  )
  .map(([json, space, draw, character, change]) => {
    const spaced = json.replaceAll(/([,:[\]{}])/g, `${space}$1${space}`)
    if (change === 'keep') return spaced
    const at = draw % (spaced.length + 1)
    return spaced.slice(0, at) + character + spaced.slice(change === 'replace' ? at + 1 : at)
  })

describe('large JSON', () => {
  it(`is read as JSON.parse reads it (seed ${RUN.seed})`, { timeout: RUN.timeout(60_000) }, async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(text, async (json) => {
        const expected = parsed(json)
        if (expected === 'no JSON') refused++
        expect(await read(json), json).toStrictEqual(expected)
      }),
      RUN.parameters,
    )
    expect(refused).toBeGreaterThan(RUN.runs / 10)
    expect(refused).toBeLessThan(RUN.runs * 0.9)
  })

  it.each([
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '-',
    '1e',
    '[1,]',
    '{"a":1,}',
    '{,}',
    '[,]',
    '{"a"}',
    '"a',
    '"\\x"',
    '"\t"',
    '[}',
    '{]',
    '1 2',
    'nul',
    'nulll',
    '"\\u12"',
    '{"__proto__":1,"a":1,"a":2,"1":0}',
    '"\\\\"',
    '"\\\\\\""',
    '-0',
  ])('has no special cases: %s', async (json) => {
    expect(await read(json)).toStrictEqual(parsed(json))
  })

  it('is read in slices of 5000 values, and no further than the limits', async () => {
    const turns = counted()
    const json = `[${'{"a":1},'.repeat(50_000)}0]`
    expect(await readJsonInTurns(json, turns, limitsOf())).toEqual(JSON.parse(json))
    expect(turns.count).toBe(20)
    const stopped = counted()
    await expect(readJsonInTurns(json, stopped, limitsOf(10_000))).rejects.toThrow('values')
    expect(stopped.count).toBe(2)
    const deep = '['.repeat(2_600_000)
    await expect(readJsonInTurns(deep, counted(), limitsOf(1e9, 500))).rejects.toThrow('depth')
  })

  it('is read in slices that count characters where values are few', async () => {
    const piece = 5000 * 64
    for (const [json, slices] of [
      [`[${' '.repeat(10 * piece)}1]`, 10],
      [JSON.stringify('a'.repeat(10 * piece)), 9],
      [JSON.stringify({ ['a'.repeat(10 * piece)]: 1 }), 9],
      // Escapes are two characters, and ends of pieces fall into some of them.
      [JSON.stringify(`a${'\n"\\'.repeat(1.5 * piece)}`), 8],
      [`"${'\\u00e9'.repeat(piece)}b"`, 5],
    ] as const) {
      const turns = counted()
      const read = await readJsonInTurns(json, turns, limitsOf())
      expect(JSON.stringify(read) === JSON.stringify(JSON.parse(json)), json.slice(0, 20)).toBe(true)
      expect(turns.count, json.slice(0, 20)).toBeGreaterThanOrEqual(slices)
    }
  })

  it('ends escapes where they end, wherever a piece does', async () => {
    for (let before = 32_755; before < 32_775; before++)
      for (const escape of ['\\u00e9', '\\\\', '\\"', '\\n', '\\\\\\"', 'é']) {
        const json = `["${'a'.repeat(before)}${escape.repeat(12)}${'b'.repeat(40_000)}",1]`
        expect(await readJsonInTurns(json, counted(), limitsOf())).toStrictEqual(JSON.parse(json))
      }
  })

  it.each([
    ['an object of too many members', `{${members(250_001)}}`, 'members'],
    ['a list of too many items', `[${'0,'.repeat(5_000_000)}0]`, 'items'],
    ['a number of too many digits', `[${'1'.repeat(10_001)}]`, 'numbers'],
  ])('is refused with %s', async (_, json, limit) => {
    await expect(readJsonInTurns(json, counted(), limitsOf())).rejects.toThrow(limit)
  })

  it('keeps all digits of numbers if it is told to', async () => {
    const json = '[12345678901234567890,1,{"a":0.1234567890123456789}]'
    const exact = await readJsonInTurns(json, counted(), { ...limitsOf(), exactNumbers: true })
    expect(exact).toMatchObject([new ExactNumber('12345678901234567890'), 1, { a: expect.any(ExactNumber) }])
    expect(JSON.stringify(exact)).toBe(json)
    expect(await readJsonInTurns(json, counted(), limitsOf())).toStrictEqual(JSON.parse(json))
  })
})

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')
}

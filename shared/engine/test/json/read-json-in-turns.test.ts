/** Large JSON is read by code of our own; `JSON.parse` reads and refuses the same. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../src/json/exact-number.ts'
import { readJsonInTurns } from '../../src/json/read-json-in-turns.ts'
import { parseExactly } from '../../src/json/parse-exactly.ts'
import { WorkBudget } from '../../src/work/budget.ts'

const RUN = new RandomRun(import.meta.url, 1000, 3000)

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

const chunksOf = (text: string) => [Buffer.from(text)]

async function read(chunks: readonly Uint8Array[], bytes: number, values = bytes): Promise<unknown> {
  try {
    const limits = { ...limitsOf(), window: { bytes, values } }
    return { value: await readJsonInTurns(chunks, counted(), limits) }
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

const bytes = fc.constantFrom(1, 2, 3, 7, 20, 65_536)
const values = fc.constantFrom(1, 2, 3, 5, 65_536)

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
      fc.asyncProperty(text, bytes, values, fc.nat(), async (json, window, most, cut) => {
        const expected = parsed(json)
        if (expected === 'no JSON') refused++
        const whole = Buffer.from(json)
        const at = cut % (whole.length + 1)
        const chunks = [whole.subarray(0, at), whole.subarray(at)]
        expect(await read(chunks, window, most), json).toStrictEqual(expected)
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
    for (const window of [1, 2, 3, 4, 5, 65_536])
      expect(await read(chunksOf(json), window), `window ${window}`).toStrictEqual(parsed(json))
  })

  it('is read in slices of a window or some, and no further than the limits', async () => {
    const turns = counted()
    const json = `[${'{"a":1},'.repeat(50_000)}0]`
    expect(await readJsonInTurns(chunksOf(json), turns, limitsOf())).toEqual(JSON.parse(json))
    expect(turns.count).toBe(6)
    const stopped = counted()
    await expect(readJsonInTurns(chunksOf(json), stopped, limitsOf(40_000))).rejects.toThrow('values')
    expect(stopped.count).toBe(2)
    const deep = '['.repeat(2_600_000)
    await expect(readJsonInTurns(chunksOf(deep), counted(), limitsOf(1e9, 500))).rejects.toThrow('depth')
  })

  it('is read in slices that count characters where values are few', async () => {
    const piece = 5000 * 64
    for (const [json, slices] of [
      [`[${' '.repeat(10 * piece)}1]`, 9],
      [`{"a"${' '.repeat(5 * piece)}:${' '.repeat(5 * piece)}[]}`, 9],
      [JSON.stringify('a'.repeat(10 * piece)), 9],
      [JSON.stringify({ a: [1, 'a'.repeat(10 * piece), 2], b: 'b'.repeat(70_000) }), 9],
      // Escapes are two characters, and ends of pieces fall into some of them.
      [JSON.stringify(`a${'\n"\\'.repeat(1.5 * piece)}`), 8],
      [`"${'\\u00e9'.repeat(piece)}b"`, 5],
    ] as const) {
      const turns = counted()
      const read = await readJsonInTurns(chunksOf(json), turns, limitsOf())
      expect(JSON.stringify(read) === JSON.stringify(JSON.parse(json)), json.slice(0, 20)).toBe(true)
      expect(turns.count, json.slice(0, 20)).toBeGreaterThanOrEqual(slices)
    }
  })

  it('ends escapes where they end, wherever a piece does', async () => {
    for (let before = 32_755; before < 32_775; before++)
      for (const escape of ['\\u00e9', '\\\\', '\\"', '\\n', '\\\\\\"', 'é']) {
        const json = `["${'a'.repeat(before)}${escape.repeat(12)}${'b'.repeat(40_000)}",1]`
        expect(await readJsonInTurns(chunksOf(json), counted(), limitsOf())).toStrictEqual(JSON.parse(json))
      }
  })

  it.each([
    ['an object of too many members', `{${members(100_001)}}`, 'members'],
    ['a list of too many items', `[${'0,'.repeat(5_000_000)}0]`, 'items'],
    ['a number of too many digits', `[${'1'.repeat(200_000)}]`, 'numbers'],
    ['a name of too many characters', `{"${'a'.repeat(200_000)}":1}`, 'names'],
    ['a name that V8 hashes by its length alone', `{"${'a'.repeat(16_384)}":1}`, 'names'],
    ['the same before white space, further inside', `[{"b":{"${'a'.repeat(16_384)}" \n : 1}}]`, 'names'],
  ])('is refused with %s', async (_, json, limit) => {
    await expect(readJsonInTurns(chunksOf(json), counted(), limitsOf())).rejects.toThrow(limit)
  })

  it('takes names as long as V8 hashes them, and values of any length', async () => {
    const json = `{"${'a'.repeat(16_383)}":"${'b'.repeat(100_000)}","c":["${'d'.repeat(20_000)}"]}`
    expect(await readJsonInTurns(chunksOf(json), counted(), limitsOf())).toStrictEqual(JSON.parse(json))
  })

  it.each([
    ['what is neither a number nor a word', `[${'x'.repeat(400_000)}`],
    ['values without commas', `[${'1 '.repeat(400_000)}`],
    ['lists without commas', `[${'[]'.repeat(400_000)}`],
    ['a string that does not end', `["${'a'.repeat(400_000)}`],
  ])('is given up early where it is no JSON: %s', async (_, json) => {
    const turns = counted()
    await expect(readJsonInTurns([...chunksOf(json), ...chunksOf(json)], turns, limitsOf())).rejects.toThrow(
      SyntaxError,
    )
    expect(turns.count).toBeLessThan(20)
  })

  it(`keeps all digits wherever a window ends (seed ${RUN.seed})`, {
    timeout: RUN.timeout(60_000),
  }, async () => {
    const number = fc.constantFrom('1', '12345678901234567890', '0.12345678901234567890', '-1e400', '1.0')
    const json = fc
      .tuple(fc.array(number, { minLength: 1, maxLength: 4 }), fc.json({ maxDepth: 2 }))
      .map(([numbers, other]) => `{"a":[${numbers.join()}],"b":${other},"a2":{"c":${numbers[0]}}}`)
    const property = fc.asyncProperty(json, bytes, values, async (given, window, most) => {
      const limits = { ...limitsOf(), window: { bytes: window, values: most }, exactNumbers: true }
      expect(await readJsonInTurns(chunksOf(given), counted(), limits)).toStrictEqual(parseExactly(given))
    })
    await fc.assert(property, { ...RUN.parameters, numRuns: RUN.runs / 10 })
  })

  it('keeps all digits of numbers if it is told to', async () => {
    const json = '[12345678901234567890,1,{"a":0.1234567890123456789}]'
    const exact = await readJsonInTurns(chunksOf(json), counted(), { ...limitsOf(), exactNumbers: true })
    expect(exact).toMatchObject([new ExactNumber('12345678901234567890'), 1, { a: expect.any(ExactNumber) }])
    expect(JSON.stringify(exact)).toBe(json)
    expect(await readJsonInTurns(chunksOf(json), counted(), limitsOf())).toStrictEqual(JSON.parse(json))
  })
})

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')
}

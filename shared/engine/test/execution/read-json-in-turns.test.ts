/** Large JSON is read by code of our own; `JSON.parse` reads and refuses the same. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonInTurns } from '../../src/json/read-json-in-turns.ts'

const RUN = new RandomRun(import.meta.url, 3000)

const exceeded = (limit: string) => new RangeError(limit)
const NO_LIMITS = { maxValues: 1e9, maxDepth: 1e9, exceeded }

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
    return { value: await readJsonInTurns(text, counted(), NO_LIMITS) }
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
    expect(await readJsonInTurns(json, turns, NO_LIMITS)).toEqual(JSON.parse(json))
    expect(turns.count).toBe(20)
    const stopped = counted()
    await expect(readJsonInTurns(json, stopped, { ...NO_LIMITS, maxValues: 10_000 })).rejects.toThrow(
      'values',
    )
    expect(stopped.count).toBe(2)
    const deep = '['.repeat(2_600_000)
    await expect(readJsonInTurns(deep, counted(), { ...NO_LIMITS, maxDepth: 500 })).rejects.toThrow('depth')
  })
})

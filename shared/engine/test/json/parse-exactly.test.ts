/**
 * Numbers are read exactly by code of our own; `JSON.parse` with a reviver, which is slow, reads the same.
 */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber, exactNumber } from '../../src/json/exact-number.ts'
import { parseExactly, parseExactlyInTurns } from '../../src/json/parse-exactly.ts'

const RUN = new RandomRun(import.meta.url, 3000)

const slowly = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, ...[context]: readonly { readonly source?: string }[]) =>
    typeof value === 'number' && context?.source !== undefined ? exactNumber(context.source) : value,
  )

const LONG = '12345678901234567890'
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '1.5',
    '-12',
    LONG,
    `-${LONG}`,
    '9007199254740993',
    '1e999',
    '1e-400',
    '1E+5',
  ),
  fc.constantFrom(
    '0.10000000000000000001',
    '1.00000000000000000001',
    '12345678901234567891',
    '1e21',
    '123456789012345680',
  ),
)
/** Not a backslash alone: once V8 has met that key, it takes others for it that begin with an escape. */
const key = fc.constantFrom(
  'a',
  'b',
  '__proto__',
  String.raw`\"`,
  String.raw`\\x`,
  String.raw`\u0061`,
  LONG,
  '',
)
/** Texts, not values: the same key twice, spaces, escapes. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    number,
    fc.constantFrom('null', 'true', `"${LONG}"`, '"1,2"', String.raw`"\\\"[${LONG}"`),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[ ${items.join(' , ')}]`),
    fc
      .array(fc.tuple(key, tie('json')), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => ` "${name}" : ${value}`).join(',')} }`),
  ),
}))

describe('random JSON', () => {
  it(`has the same exact numbers as with a reviver (seed ${RUN.seed})`, {
    timeout: RUN.timeout(60_000),
  }, () => {
    let exact = 0
    fc.assert(
      fc.property(json, (text) => {
        const expected = JSON.stringify(slowly(text))
        const parsed: unknown = JSON.parse(text)
        const before = JSON.stringify(parsed)
        const read = parseExactly(text, parsed)
        expect(JSON.stringify(read), text).toBe(expected)
        expect(JSON.stringify(parseExactly(text)), text).toBe(expected)
        expect(JSON.stringify(parsed), 'what was parsed before').toBe(before)
        if (read !== parsed) exact++
      }),
      RUN.parameters,
    )
    expect(exact).toBeGreaterThan(RUN.runs / 10)
  })
})

describe('five megabytes with one number of 20 digits', () => {
  const turns = () => {
    let count = 0
    return {
      next: () => {
        count++
        return Promise.resolve()
      },
      get count() {
        return count
      },
    }
  }

  it('are read once more in slices, and nothing is copied but the lists around that number', async () => {
    const others = '{"a":[7,7]},'.repeat(430_000)
    const text = `{"variables":{"others":[${others}0],"id":[[${LONG}],[1]]}}`
    const parsed: unknown = JSON.parse(text)
    const counted = turns()
    const read = await parseExactlyInTurns(text, parsed, counted)
    const { variables: before } = parsed as Record<string, Record<string, unknown[]>>
    const { variables } = read as Record<string, Record<string, unknown[]>>
    expect(variables?.['id']).toEqual([[new ExactNumber(LONG)], [1]])
    expect(variables?.['others']).toBe(before?.['others'])
    expect(variables?.['id']?.[1]).toBe(before?.['id']?.[1])
    // Each slice has 5000 steps of 32 characters.
    expect(counted.count).toBe(Math.ceil(text.length / 160_000) - 1)
  })

  it('are not read again when no number is long', async () => {
    const text = `[${'"1234567 12345678",'.repeat(100)}7]`
    const parsed: unknown = JSON.parse(text)
    const counted = turns()
    expect(await parseExactlyInTurns(text, parsed, counted)).toBe(parsed)
    expect(counted.count).toBe(0)
  })

  it('may nest 200,000 deep', () => {
    const text = `${`[${LONG},`.repeat(200_000)}1${']'.repeat(200_000)}`
    let read = parseExactly(text)
    let depth = 0
    for (; Array.isArray(read); read = read[1]) {
      if (!(read[0] instanceof ExactNumber)) break
      depth++
    }
    expect(depth).toBe(200_000)
  })
})

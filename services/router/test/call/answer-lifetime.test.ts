import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CacheLimit, FetchHints } from '@switchyard/engine'
import { AnswerLifetime, limitIn } from '../../src/call/in-flight/answer-lifetime.ts'

const NEVER = { maxAge: 0, isPrivate: false }
const limitOf = (cacheControl: string, others: Record<string, string> = {}) =>
  limitIn({ 'cache-control': cacheControl, ...others })

describe('what an answer of a subgraph says', () => {
  it.each([
    ['max-age=60', 60, false],
    ['public, max-age=60', 60, false],
    ['Public,MAX-AGE=60', 60, false],
    ['max-age="60"', 60, false],
    ['max-age=60, private', 60, true],
    ['private="set-cookie, x-user", max-age=60', 60, true],
    ['max-age=600, s-maxage=60', 60, false],
    ['s-maxage=60', 60, false],
    ['max-age=60, max-age=600', 60, false],
    [', ,max-age=60 ,', 60, false],
    ['max-age=60, extension="a, \\" b", other=1', 60, false],
    ['max-age=99999999999999999999', 2 ** 31, false],
  ])('%s', (text, maxAge, isPrivate) => {
    expect(limitOf(text)).toEqual({ maxAge, isPrivate })
  })

  it.each([
    'no-store',
    'max-age=60, no-store',
    'no-cache, max-age=60',
    'no-cache="x", max-age=60',
    'public',
    '',
    'max-age',
    'max-age=',
    'max-age=-1',
    'max-age=1.5',
    'max-age=60 60',
    'max-age=60; private',
    'max-age="60',
    '"max-age"=60',
  ])('may be kept by nobody: %j', (text) => {
    expect(limitOf(text)).toMatchObject({ maxAge: 0 })
  })

  it('is as much less as the answer is old', () => {
    expect(limitOf('max-age=60', { age: '45' })).toEqual({ maxAge: 15, isPrivate: false })
    expect(limitOf('max-age=60', { age: '61' })?.maxAge).toBe(0)
    expect(limitOf('max-age=60', { age: 'old' })?.maxAge).toBe(0)
  })

  it('is nothing without the header, and never where the answer varies by everything', () => {
    expect(limitIn({})).toBeNull()
    expect(limitOf('max-age=60', { vary: 'accept, *' })).toEqual(NEVER)
    expect(limitOf('max-age=60', { vary: 'accept' })?.maxAge).toBe(60)
  })

  it('may stand in several lines', () => {
    expect(limitIn({ 'cache-control': ['max-age=60', 'private'] })).toEqual({ maxAge: 60, isPrivate: true })
  })

  it('is read at once, however it is written', () => {
    for (const filler of [' ', ',', 'a', '"', '\\', '=', 'a=', 'a ,', '"a",'])
      expect(limitOf(`max-age=60, ${filler.repeat(16_000 / filler.length)}`)?.isPrivate).toBe(false)
  })
})

/** What is written of one answer. null: no header. */
const written = fc.option(
  fc.record({
    maxAge: fc.option(fc.nat(100)),
    shared: fc.option(fc.nat(100)),
    isPrivate: fc.boolean(),
    noStore: fc.boolean(),
    age: fc.option(fc.nat(100)),
  }),
)
const limit: fc.Arbitrary<CacheLimit> = fc.record({
  maxAge: fc.oneof(fc.nat(100), fc.constant(Number.POSITIVE_INFINITY)),
  isPrivate: fc.boolean(),
})
const hint: fc.Arbitrary<FetchHints> = fc.record({ said: limit, assumed: limit })

it('the strictest of all answers holds, in whatever order they come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ written, hint }), { maxLength: 5 }),
      fc.boolean(),
      fc.boolean(),
      (answers, hasHints, isReversed) => {
        const lifetime = new AnswerLifetime(hasHints ? answers.map((answer) => answer.hint) : null)
        const order = [...answers.entries()]
        for (const [index, answer] of isReversed ? order.toReversed() : order)
          lifetime.answered(index, fieldsOf(answer.written))
        const limits = answers.map((answer) => expected(answer.written, hasHints ? answer.hint : null))
        const maxAge = Math.min(Number.POSITIVE_INFINITY, ...limits.map((one) => one.maxAge))
        const isPrivate = limits.some((one) => one.isPrivate)
        expect(lifetime.limit).toEqual(
          maxAge < 1 || maxAge === Number.POSITIVE_INFINITY ? null : { maxAge, isPrivate },
        )
      },
    ),
  )
})

type Written = typeof written extends fc.Arbitrary<infer T> ? T : never

function fieldsOf(one: Written): Record<string, string> {
  if (one === null) return {}
  const directives = [
    ...(one.maxAge === null ? [] : [`max-age=${one.maxAge}`]),
    ...(one.shared === null ? [] : [`s-maxage=${one.shared}`]),
    one.isPrivate ? 'private' : 'public',
    ...(one.noStore ? ['no-store'] : []),
  ]
  return { 'cache-control': directives.join(', '), ...(one.age === null ? {} : { age: String(one.age) }) }
}

/** The same, told by the values that were written. */
function expected(one: Written, hints: FetchHints | null): CacheLimit {
  if (one === null) return hints?.assumed ?? NEVER
  const said = hints?.said ?? { maxAge: Number.POSITIVE_INFINITY, isPrivate: false }
  const ages = [one.maxAge, one.shared].filter((age) => age !== null)
  const own = one.noStore || ages.length === 0 ? 0 : Math.max(0, Math.min(...ages) - (one.age ?? 0))
  return { maxAge: Math.min(own, said.maxAge), isPrivate: (own > 0 && one.isPrivate) || said.isPrivate }
}

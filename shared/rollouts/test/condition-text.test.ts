import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RolloutCondition } from '@switchyard/contracts'
import { printRolloutCondition, readRolloutCondition } from '../src/index.ts'

function problemOf(text: string): string {
  const read = readRolloutCondition(text)
  return read.kind === 'problem' ? read.problem : 'none'
}

describe('the text of a condition', () => {
  it.each<[string, RolloutCondition]>([
    ['claim:plan in pro,team', { on: 'claim:plan', in: ['pro', 'team'] }],
    ['claim:plan not equals free', { on: 'claim:plan', not: { equals: 'free' } }],
    ['header:X-Region exists', { on: 'header:X-Region', exists: true }],
    ['cookie:beta not exists', { on: 'cookie:beta', not: { exists: true } }],
    ['client_version semver >=2.1.0 <3', { on: 'client_version', semver: '>=2.1.0 <3' }],
    ['client starts_with ios-', { on: 'client', starts_with: 'ios-' }],
    ['claim:email ends_with @example.com', { on: 'claim:email', ends_with: '@example.com' }],
    ['address in 10.0.0.0/8,192.0.2.1', { on: 'address', in: ['10.0.0.0/8', '192.0.2.1'] }],
    [
      'claim:["https://a.example/my plan"] equals pro',
      {
        on: 'claim:["https://a.example/my plan"]',
        equals: 'pro',
      },
    ],
    ['"claim:my plan" equals pro plus', { on: 'claim:my plan', equals: 'pro plus' }],
    ['claim:city in "Reykjavík, Iceland",Oslo', { on: 'claim:city', in: ['Reykjavík, Iceland', 'Oslo'] }],
    ['claim:note equals " \\"quoted\\"\\n"', { on: 'claim:note', equals: ' "quoted"\n' }],
  ])('%s is read and printed', (text, condition) => {
    expect(readRolloutCondition(text)).toEqual({ kind: 'condition', condition })
    expect(printRolloutCondition(condition)).toBe(text)
  })

  it('may have spaces where they mean nothing', () => {
    expect(readRolloutCondition('  claim:plan   not  in  pro , team ')).toEqual({
      kind: 'condition',
      condition: { on: 'claim:plan', not: { in: ['pro', 'team'] } },
    })
  })

  it.each([
    ['', 'it is empty. The form is <source> [not] <test> <values>'],
    ['plan in pro', '"plan" is no property of a request; expected claim:<path>, header:<name>'],
    ['visitor_cookie exists', '"visitor_cookie" is no property'],
    ['claim:plan', 'a test was expected behind claim:plan: equals, in, starts_with'],
    ['claim:plan not', 'a test was expected behind not: equals, in, starts_with, ends_with, exists, semver'],
    ['claim:plan is pro', '"is" is no test (did you mean in?); expected equals, in'],
    ['claim:plan startswith p', '"startswith" is no test (did you mean starts_with?)'],
    ['claim:plan not not in a', '"not" is no test; expected equals'],
    ['claim:plan in', 'a value was expected behind in'],
    ['claim:plan in pro,,team', 'a value was expected behind the comma'],
    ['claim:plan in pro,', 'a value was expected behind the comma'],
    ['claim:plan equals pro,team', 'equals takes one value, and a comma begins another one'],
    ['claim:plan in "pro', 'the quotation mark before pro is not closed'],
    ['claim:plan in "pro" team', 'a comma or the end was expected behind "pro", not "team"'],
    ['claim:plan in "\\x"', 'is no JSON string'],
    ['claim:plan exists yes', 'nothing was expected behind exists, not "yes"'],
    ['claim:plan equals ""', 'a value has at least one character'],
    [`claim:plan equals ${'x'.repeat(201)}`, 'a value has at most 200 characters'],
    [`claim:plan in ${'x,'.repeat(100)}x`, 'a condition names at most 100 values'],
  ])('%j is refused with the text and what was expected', (text, problem) => {
    expect(problemOf(text)).toContain(problem)
    expect(problemOf(text)).toMatch(/^"[^]*" is no condition: /)
    expect(problemOf(text).slice(1)).toContain(text.slice(0, 200))
  })

  it('is read as the condition that was printed, whatever its values are', () => {
    const value = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' })
    const bare = fc.constantFrom('a', ',', ' ', '"', '\\', '\n', 'not', 'in', '\u00a0', '\ud800')
    const anyValue = fc.oneof(
      value,
      fc.array(bare, { minLength: 1, maxLength: 6 }).map((all) => all.join('')),
    )
    const test: fc.Arbitrary<object> = fc.oneof(
      fc.constant({ exists: true }),
      fc.array(anyValue, { minLength: 1, maxLength: 5 }).map((values) => ({ in: values })),
      fc
        .tuple(fc.constantFrom('equals', 'starts_with', 'ends_with', 'semver'), anyValue)
        .map(([name, one]) => ({ [name]: one })),
    )
    const on = fc.oneof(
      fc.constantFrom('client', 'address', 'header:X-A', 'claim:["a b","c\\"d"]'),
      fc.string({ minLength: 1, maxLength: 20 }).map((name) => `claim:${name}`),
    )
    const condition = fc
      .tuple(on, test, fc.boolean())
      .map(([property, given, isNegated]) =>
        isNegated ? { on: property, not: given } : { on: property, ...given },
      )
      .filter((given) => RolloutCondition.safeParse(given).success)
    fc.assert(
      fc.property(condition, (given) => {
        const parsed = RolloutCondition.parse(given)
        expect(readRolloutCondition(printRolloutCondition(parsed))).toEqual({
          kind: 'condition',
          condition: parsed,
        })
      }),
    )
  })
})

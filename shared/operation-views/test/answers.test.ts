/** Answers as they come, put together, and what is said of them. */
import { deferredResponses } from './deferred-responses.ts'
import { mergeParts } from '@switchyard/incremental-delivery'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerBuilder, type Answer } from '../src/answers/answer.ts'
import { compareAnswers } from '../src/answers/compare-answers.ts'
import { hasOperation, prettyPrinted } from '../src/answers/pretty-print.ts'
import { printAnswer } from '../src/answers/print-answer.ts'

const FIRST = {
  data: { products: [{ name: 'Chair' }, { name: 'Table' }] },
  pending: [
    { id: '0', path: ['products', 0], label: 'slow' },
    { id: '1', path: ['products', 1] },
  ],
  hasNext: true,
}
const SECOND = { incremental: [{ id: '0', data: { stock: 3 } }], completed: [{ id: '0' }], hasNext: true }
const THIRD = {
  incremental: [{ id: '1', data: { stock: null }, errors: [{ message: 'gone' }] }],
  completed: [{ id: '1' }],
  hasNext: false,
}

function answerOf(...parts: readonly unknown[]): Answer {
  const builder = new AnswerBuilder()
  for (const [index, part] of parts.entries()) builder.add(part, index * 10)
  return builder.answer
}

const litLines = (answer: Answer, part: number) => {
  const { text, lines } = printAnswer(answer)
  const all = text.split('\n')
  return (lines[part] ?? []).flatMap(({ from, to }) => all.slice(from - 1, to))
}

describe('the parts of an answer', () => {
  const answer = answerOf(FIRST, SECOND, THIRD)

  it('are put together, and each knows what it added and completed', () => {
    expect(answer).toMatchObject({
      data: {
        products: [
          { name: 'Chair', stock: 3 },
          { name: 'Table', stock: null },
        ],
      },
      errors: [{ message: 'gone' }],
      hasNext: false,
      parts: [
        { number: 1, after: 0, added: [[]], completed: [] },
        { number: 2, after: 10, added: [['products', 0, 'stock']], completed: ['slow'] },
        { number: 3, after: 20, added: [['products', 1, 'stock']], completed: ['products.1'], errors: 1 },
      ],
    })
  })

  it('have lines of their own in the merged answer', () => {
    expect(litLines(answer, 1)).toEqual(['        "stock": 3'])
    expect(litLines(answer, 2)).toEqual(['        "stock": null'])
    expect(litLines(answer, 0).join()).toContain('Chair')
    expect(litLines(answer, 0).join()).not.toContain('stock')
  })

  it('keep the trace apart from what clients read', () => {
    const traced = answerOf({ data: { a: 1 }, extensions: { trace: { version: '1' }, cost: 2 } })
    expect(traced.trace).toEqual({ version: '1' })
    expect(JSON.parse(printAnswer(traced).text)).toEqual({ data: { a: 1 }, extensions: { cost: 2 } })
  })

  it.each([
    ['a text', 'data'],
    ['a list', []],
    ['errors that are no list', { errors: 'no' }],
    ['a part without a place', { ...FIRST, pending: [{ id: '0', path: 'products' }] }],
  ])('are refused if one of them is %s', (_, part) => {
    expect(() => answerOf(part)).toThrow('A part of the answer is no response of GraphQL')
  })

  it('are refused if nothing was announced for one of them', () => {
    expect(() => answerOf(FIRST, { incremental: [{ id: '9', data: {} }] })).toThrow('Nothing was announced')
  })

  it('give what clients merge, whatever the response, and print as it', () => {
    fc.assert(
      fc.property(deferredResponses(), (parts) => {
        const whole = answerOf(...parts)
        const merged = mergeParts(parts)
        expect(whole.data).toEqual(merged.data)
        const { text, lines } = printAnswer(whole)
        expect(JSON.parse(text)).toEqual({
          ...(merged.errors.length > 0 ? { errors: merged.errors } : {}),
          data: merged.data,
        })
        // No line belongs to two parts, and each part that added something has lines.
        const owned = lines
          .flat()
          .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (__, at) => from + at))
        expect(new Set(owned).size).toBe(owned.length)
        for (const [index, { added }] of whole.parts.entries())
          if (added.length > 0) expect(lines[index]).not.toEqual([])
      }),
    )
  })
})

describe('an answer as text', () => {
  const limits = { characters: 2_000, lines: 50, text: 100, depth: 5 }

  it.each([
    ['very many entries', Array.from({ length: 100_000 }, (_, at) => ({ at })), '99,9'],
    ['a very long text', 'x'.repeat(1_000_000), '999,900 more characters'],
    ['objects inside of objects', nested(90), '{ … }'],
  ])('is bounded with %s, and says so', (_, value, said) => {
    const { text, isCut } = printAnswer(answerOf({ data: { value } }), limits)
    expect(isCut).toBe(true)
    expect(text).toContain(said)
    expect(text.length).toBeLessThan(5_000)
  })

  it('has control characters as JSON has them', () => {
    expect(printAnswer(answerOf({ data: { a: '\u0007</script>' } })).text).toContain('"\\u0007</script>"')
  })
})

describe('the difference of two answers', () => {
  const values = fc.jsonValue({ maxDepth: 3 })
  const answer = (value: unknown) => answerOf({ data: { value } })

  it('is empty for the same answer, and only then', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const [left, right] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))]
        expect(compareAnswers(answer(left), answer(structuredClone(left))).places).toEqual([])
        const { places, before, after } = compareAnswers(answer(left), answer(right))
        const isSame = sorted(left) === sorted(right)
        expect(places?.length === 0).toBe(isSame)
        if (before === after) expect(places).toEqual([])
      }),
    )
  })

  it('names each place with both values, and what only one has', () => {
    const [base, flag] = [
      { price: 1, name: 'Chair' },
      { name: 'Chair', discount: 5 },
    ]
    expect(compareAnswers(answer(base), answer(flag)).places).toEqual([
      { path: 'data.value.price', a: '1', b: null },
      { path: 'data.value.discount', a: null, b: '5' },
    ])
  })

  it('counts errors, and no extensions', () => {
    const one = answerOf({ data: null, errors: [{ message: 'a' }], extensions: { cost: 1 } })
    const other = answerOf({ data: null, errors: [{ message: 'b' }], extensions: { cost: 2 } })
    expect(compareAnswers(one, other).places?.map(({ path }) => path)).toEqual(['errors.0.message'])
  })

  it('says when answers are too large to be compared', () => {
    const large = (end: number) => answer([...Array.from({ length: 300_000 }, () => 0), end])
    expect(compareAnswers(large(1), large(2)).places).toBeNull()
  })
})

describe('an operation that is pasted', () => {
  it('is printed in lines, and means the same', () => {
    expect(prettyPrinted('query A($a:Int){products(first:$a){name ...on Chair@defer{stock}}}')).toBe(
      'query A($a: Int) {\n  products(first: $a) {\n    name\n    ... on Chair @defer {\n      stock\n    }\n  }\n}\n',
    )
  })

  it.each(['', 'not { graphql', '# why\n{ a }', `{ ${'a '.repeat(60_000)}}`])(
    'is left as it is: %.20s',
    (text) => expect(prettyPrinted(text)).toBeNull(),
  )

  it('is known to be a subscription, or a mutation', () => {
    const kinds = (text: string) => [hasOperation(text, 'subscription'), hasOperation(text, 'mutation')]
    expect(['subscription { a }', 'mutation { a }', '{ a }', 'no {'].map(kinds)).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ])
  })
})

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { a: nested(depth - 1) }
}

/** JSON with the members of objects in the order of their names. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

import { buildSchema, type GraphQLError, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { SourceLines } from '../../src/operation/source-lines.ts'
import { allRules, rulesFor } from '../../src/operation/validation-rules.ts'

const schema = buildSchema(`
  type Query { self: Query other: Other list: [Int] }
  type Other { name: String }
  type Subscription { a: Int b: Int }
`)

/** Parts that stand where a selection may, each of which some rule has to judge. */
const SELECTIONS = [
  '__typename',
  'nothing',
  'a: __typename b: __typename a: nothing',
  '__typename { x }',
  '__schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } }',
  '__type',
  '__type(name: 1) { name }',
  '__type(name: "a", name: "b", other: {a: 1, a: 2}) { name }',
  '__type(name: $name) { name }',
  '__typename @nothing',
  '__typename @include(if: $name) @include(if: true)',
  '__typename @skip',
  '... @stream(initialCount: 1) { __typename }',
  'self @stream { list @stream(initialCount: 1) }',
  'other { ... on Query { list } }',
  'a: self { list } a: other { name }',
  '... { __typename }',
  '... on Query { __typename }',
  '... on Nothing { __typename }',
  '... on Boolean { __typename }',
  '...F',
  '...Missing',
] as const
const HEADS = ['', 'query', 'query A', 'query A($name: String)', 'query A($name: Nothing, $name: Query)']
const OTHERS = [
  '',
  'query A { __typename }',
  'subscription S { a b }',
  'mutation M { x }',
  'fragment F on Query { __typename }',
  'fragment F on Query { ...F } fragment F on Nothing { x }',
  'fragment G on Boolean { ...F } fragment F on Query { ...G }',
  'type Nothing @nothing { field(argument: Missing): Missing }',
  'extend schema @nothing',
  '# $ @ ( ... fragment subscription __',
]

const messages = (errors: readonly GraphQLError[]) =>
  errors.map(({ message, locations }) => [message, locations])

describe('the rules that documents are validated by', () => {
  it('find the same errors in the same order as all rules do', () => {
    let found = 0
    for (const head of HEADS)
      for (const selection of SELECTIONS)
        for (const other of OTHERS) {
          const text = `${head} { ${selection} } ${other}`
          const lines = new SourceLines(text)
          const document = parse(text)
          const all = validate(schema, document, allRules(lines))
          const chosen = validate(schema, document, rulesFor(document, lines))
          expect(messages(chosen), text).toEqual(messages(all))
          found += all.length
        }
    expect(found).toBeGreaterThan(1000)
  })

  it('are each seen to find something', () => {
    const seen = new Set<string>()
    for (const head of HEADS)
      for (const selection of SELECTIONS)
        for (const other of OTHERS) {
          const text = `${head} { ${selection} } ${other}`
          const lines = new SourceLines(text)
          for (const rule of allRules(lines)) {
            if (seen.has(rule.name)) continue
            if (validate(schema, parse(text), [rule]).length > 0) seen.add(rule.name)
          }
        }
    const names = allRules(new SourceLines('')).map(({ name }) => name)
    expect(names.filter((name) => !seen.has(name))).toEqual([])
  })

  it('are fewer where a document has no fragments, variables, directives and arguments', () => {
    const rules = (text: string) => rulesFor(parse(text), new SourceLines(text)).length
    expect(rules('{ a { b } }')).toBeLessThan(12)
    expect(rules('query ($a: Int) { a(b: $a) @skip(if: true) { ... { __typename } } }')).toBeGreaterThan(20)
  })
})

import { checkSdl, compose, printCompositionErrors } from '@switchyard/composition'
import * as fc from 'fast-check'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { RandomRun } from '@switchyard/testkit/random-run'
import { FED2 } from './subgraph-fixtures.ts'

const NAMES = [
  'Query',
  'Mutation',
  'T',
  'U',
  'I',
  'E',
  'a',
  'b',
  'id',
  'constructor',
  '__proto__',
  'toString',
  '_Any',
]
const DIRECTIVES = [
  '@key(fields: "id")',
  '@key(fields: "id { a }", resolvable: false)',
  '@key(fields: 3)',
  '@key',
  '@requires(fields: "a")',
  '@provides(fields: "a { b }")',
  '@external',
  '@shareable',
  '@inaccessible',
  '@override(from: "b")',
  '@override(from: null)',
  '@interfaceObject',
  '@link(url: "x")',
  '@link',
]
const TOKENS =
  'type interface union enum input scalar extend schema directive implements { } ( ) [ ] : ! = | & @ on FIELD query String Int ID " ""'
const SNIPPETS = [
  'type T @key(fields: "id") { id: ID! }',
  'type Query { t: T u: U }',
  'interface I { id: ID! }',
  'type constructor { a: Int }',
  'enum E { A B }',
  'union U = T',
  'extend schema',
  '"""d"""',
  FED2,
]
const PIECES = [...NAMES, ...DIRECTIVES, ...TOKENS.split(' '), ...SNIPPETS]

const definition = fc
  .record({
    head: fc.constantFrom('type', 'interface', 'input', 'extend type', 'extend interface'),
    name: fc.constantFrom(...NAMES),
    directives: fc.array(fc.constantFrom(...DIRECTIVES), {
      maxLength: 2,
    }),
    fields: fc.array(
      fc.record({
        name: fc.constantFrom(...NAMES),
        type: fc.constantFrom('ID!', 'Int', '[T!]!', 'U', 'I', 'E', 'Query', 'constructor', 'Missing'),
        directives: fc.array(fc.constantFrom(...DIRECTIVES), {
          maxLength: 2,
        }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(
    ({ head, name, directives, fields }) =>
      `${head} ${name} ${directives.join(' ')} { ${fields.map((field) => `${field.name}: ${field.type} ${field.directives.join(' ')}`).join('\n')} }`,
  )

const sdl = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(' ')),
  fc.array(definition, { minLength: 1, maxLength: 6 }).map((definitions) => definitions.join('\n')),
  fc
    .array(definition, { minLength: 1, maxLength: 6 })
    .map((definitions) => `${FED2}type Query { t: T }\n${definitions.join('\n')}`),
)

/** `SEED=… RUNS=… vitest run shared/composition/test/nonsense.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 400)

const subgraph = fc.record({
  name: fc.oneof(
    fc.constantFrom('a', 'b', 'A', 'constructor', '__proto__', '', '_'),
    fc.string({ maxLength: 8 }),
  ),
  routingUrl: fc.string({ maxLength: 8 }),
  sdl,
})

describe('nonsense', () => {
  it('is answered with a value, the same one each time, never with an exception', {
    timeout: RUN.timeout(60_000),
  }, () => {
    fc.assert(
      fc.property(fc.array(subgraph, { maxLength: 4 }), (subgraphs) => {
        const result = compose({ subgraphs })
        expect(compose({ subgraphs: subgraphs.toReversed() }).kind).toBe(result.kind)
        if (result.kind === 'composed') {
          parse(result.supergraphSdl)
          return
        }
        expect(result.errors.length).toBeGreaterThan(0)
        expect(() => JSON.stringify(result)).not.toThrow()
        const sources = new Map(subgraphs.map(({ name, sdl }) => [name, { sdl }]))
        expect(printCompositionErrors(result.errors, sources)).toContain('error[')
        for (const location of result.errors.flatMap((error) => error.locations)) {
          expect(sources.has(location.subgraph)).toBe(true)
        }
      }),
      RUN.parameters,
    )
  })

  it('gets a problem with a place inside the text from checkSdl', {
    timeout: RUN.timeout(60_000),
  }, () => {
    fc.assert(
      fc.property(sdl, (text) => {
        for (const { line, column } of checkSdl(text)) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(line).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length)
        }
      }),
      RUN.parameters,
    )
  })

  it('that is nested too deeply is told as a mistake of the selection', () => {
    const key = `${'t { '.repeat(50_000)} id ${'}'.repeat(50_000)}`
    const sdl = `type Query { t: T } type T @key(fields: "${key}") { t: T id: ID! }`
    expect(compose({ subgraphs: [{ name: 'a', routingUrl: '', sdl }] })).toMatchObject({
      kind: 'failed',
      errors: [{ code: 'KEY_INVALID_FIELDS', subgraphs: ['a'] }],
    })
  })
})

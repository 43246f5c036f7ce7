import { buildSchema, validateSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { SETS } from './sets/index.ts'
import { composeSdls, expectComposed, mergeSdls } from './subgraph-fixtures.ts'
import { readFacts } from './supergraph-facts.ts'

/** Where the merge says something else than the composition library, and why the merge is right. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  // An external field that nothing in its subgraph needs is left out of Federation 1, as everywhere else.
  'an external field of a Federation 1 extension stays external where another subgraph has it in a key': [
    '- Product.tag @a external',
  ],
  // The interface object of b does not resolve what c has taken over.
  'an interface object overrides a field of an interface object': ['- Media.stars @b'],
}

const COMPOSING = Object.values(SETS)
  .flat()
  .filter((set) => 'facts' in set)

describe('the merge', () => {
  it.each(COMPOSING)('says the same as the library: $name', ({ name, subgraphs }) => {
    const theirs = new Set(readFacts(expectComposed(composeSdls(subgraphs))))
    const sdl = mergeSdls(subgraphs)
    expect(validateSchema(buildSchema(sdl))).toEqual([])
    const ours = new Set(readFacts(sdl))
    const differences = [
      ...[...theirs].filter((fact) => !ours.has(fact)).map((fact) => `- ${fact}`),
      ...[...ours].filter((fact) => !theirs.has(fact)).map((fact) => `+ ${fact}`),
    ]
    expect(differences).toEqual(DIFFERENCES[name] ?? [])
  })

  it('takes as many directives on one definition as an author writes', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => `@tag(name: "t${String(index)}")`)
    const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@tag"])'
    const sdl = mergeSdls({ a: `${link} type Query { x: Int ${tags.join(' ')} }` })
    expect(sdl.match(/@tag\(name: "t/g)).toHaveLength(20_000)
  })

  it('is tried with every set that composes', () => {
    expect(COMPOSING.length).toBeGreaterThan(200)
    expect(Object.keys(DIFFERENCES).filter((name) => !COMPOSING.some((set) => set.name === name))).toEqual([])
  })
})

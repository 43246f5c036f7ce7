import { buildSchema, validateSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { composeByLibrary } from '../differential/library.ts'
import { SETS } from './sets/index.ts'
import { mergeSdls } from './subgraph-fixtures.ts'
import { readFacts } from '../differential/supergraph-facts.ts'

/** Sets of which the composition library says something else, and why the merge is right. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'the key of an extension of Federation 1 is resolved by it, and an external field that nothing needs is left out':
    [
      'a Federation 1 extension resolves its external key field, also where it is provided',
      'a Federation 1 extension without a key resolves the first key of another subgraph',
      'another key than the first is external in a Federation 1 extension without a key',
      'an external field of a Federation 1 extension stays external where another subgraph has it in a key',
    ],
  'each subgraph keeps the type that it has itself, where another one is published': [
    'the weaker nullability of a shared field is published',
    'the wider of two output types of a shared field is published: an interface over its object',
    'the wider of two output types of a shared field is published: a union over its member',
    'the union wins in lists, under non-null, and whichever subgraph comes first',
    'a field of an entity is a union in one subgraph and a member in two others',
    'a shared field has an interface here and a union member implementing it there',
    'nullability of interface fields differs between subgraphs',
  ],
  'what an interface object requires, provides or lost to another subgraph is said of it': [
    'an interface object requires fields of its interface',
    'an interface object provides fields of what it returns',
    'an interface object overrides a field of an interface object',
  ],
  'a field that is external in its type is as hidden as the interface object that resolves it': [
    'a field that objects declare as external is hidden and tagged where an interface object resolves it',
  ],
  'an argument that one subgraph hides is hidden everywhere': [
    'an argument of an interface object field is hidden, on the interface and on its types',
    'an argument is hidden on an interface and on the types that implement it',
  ],
  'a rule of who may see a field is kept, whatever the directive that imports it is called': [
    'who may see a field is kept where the directive that links has another name',
  ],
  'a default that only some subgraphs give is not sent to the others': [
    'a default that only some subgraphs give is not published',
  ],
  'operations may use a directive that all subgraphs define': [
    'executable directives are kept when all subgraphs define them',
  ],
}

const COMPOSING = Object.values(SETS)
  .flat()
  .filter((set) => 'facts' in set)
const DIFFERING = new Set(Object.values(DIFFERENCES).flat())
/** Of many sets the library makes nothing, since it refuses what the specification allows. */
const COMPARED = COMPOSING.flatMap(({ name, subgraphs }) => {
  const supergraphSdl = composeByLibrary(subgraphs)
  return supergraphSdl === null ? [] : [{ name, subgraphs, supergraphSdl }]
})

describe('the merge', () => {
  it.each(COMPARED)('is compared with the library: $name', ({ name, subgraphs, supergraphSdl }) => {
    const theirs = new Set(readFacts(supergraphSdl))
    const ours = new Set(readFacts(mergeSdls(subgraphs)))
    if (DIFFERING.has(name)) expect(ours).not.toEqual(theirs)
    else expect(ours).toEqual(theirs)
  })

  it.each(COMPOSING)('makes a valid schema: $name', ({ subgraphs }) => {
    expect(validateSchema(buildSchema(mergeSdls(subgraphs)))).toEqual([])
  })

  it('takes as many directives on one definition as an author writes', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => `@tag(name: "t${String(index)}")`)
    const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@tag"])'
    const sdl = mergeSdls({ a: `${link} type Query { x: Int ${tags.join(' ')} }` })
    expect(sdl.match(/@tag\(name: "t/g)).toHaveLength(20_000)
  })

  it('is tried with every set that composes', () => {
    expect(COMPOSING.length).toBeGreaterThan(200)
    expect(COMPARED.length).toBeGreaterThan(150)
    expect([...DIFFERING].filter((name) => !COMPARED.some((set) => set.name === name))).toEqual([])
  })
})

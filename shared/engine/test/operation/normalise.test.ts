import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { normaliseOperation } from '../../src/operation/normalise/normalise.ts'
import type { Selection } from '../../src/operation/normalise/normalised.ts'
import { supergraph } from '../graph/supergraph-text.ts'

const graph = openGraph(
  compileSupergraph(
    supergraph(
      ['A'],
      `
      type Query @join__type(graph: A) { pet(id: ID, like: String): Pet pets: [Pet!] thing: Thing }
      interface Pet @join__type(graph: A) { name: String friend: Pet }
      interface Furry @join__type(graph: A) { fur: String }
      type Cat implements Pet & Furry @join__type(graph: A) { name: String friend: Cat fur: String lives: Int }
      type Dog implements Pet & Furry @join__type(graph: A) { name: String friend: Pet fur: String }
      type Fish implements Pet @join__type(graph: A) { name: String friend: Pet }
      union Thing @join__type(graph: A) = Cat | Fish`,
    ),
  ),
)

function normalise(source: string, booleans: Readonly<Record<string, unknown>> = {}) {
  const document = parse(source)
  return normaliseOperation(graph, document, operationOf(document), new Map(Object.entries(booleans)))
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) return definition
  throw new Error('The document has no operation.')
}

/** `{ key: name(args) {...} }` per object type, in order of types. */
function text(selection: Selection): string {
  const byType = [...selection.byType].map(([type, goals]) => {
    const fields = goals.map((goal) =>
      goal.kind === 'field'
        ? `${goal.key}:${goal.name}${goal.args}${goal.child === null ? '' : `{${text(goal.child)}}`}`
        : `${goal.key}:${goal.kind}`,
    )
    return `${graph.compiled.types[type]?.name ?? ''}(${fields.join(' ')})`
  })
  return byType.join(' ')
}

const normalised = (source: string, booleans?: Readonly<Record<string, unknown>>): string =>
  text(normalise(source, booleans).selection)

describe('normalisation', () => {
  it('merges a response key that appears several times, in order of first appearance', () => {
    expect(
      normalised(
        '{ pets { name } thing { __typename } pets { n: name } ...F } fragment F on Query { pets { name } }',
      ),
    ).toBe(
      'Query(pets:pets{Cat(name:name n:name) Dog(name:name n:name) Fish(name:name n:name)} thing:thing{Cat(__typename:typename) Fish(__typename:typename)})',
    )
  })

  it('decides type conditions per object type', () => {
    expect(normalised('{ pets { ... on Furry { fur ... on Cat { lives } } ... on Fish { name } } }')).toBe(
      'Query(pets:pets{Cat(fur:fur lives:lives) Dog(fur:fur) Fish(name:name)})',
    )
  })

  it('drops what can never apply', () => {
    expect(normalised('{ thing { ... on Furry { ... on Dog { name } fur } } }')).toBe(
      'Query(thing:thing{Cat(fur:fur) Fish()})',
    )
  })

  it('merges below fields whose conditions overlap', () => {
    expect(
      normalised(
        '{ thing { ... on Pet { f: name } ... on Cat { friend { name } } ... on Furry { ... on Cat { friend { lives } } } } }',
      ),
    ).toBe('Query(thing:thing{Cat(f:name friend:friend{Cat(name:name lives:lives)}) Fish(f:name)})')
  })

  it('uses the type that the field has on each object type', () => {
    expect(normalised('{ pets { friend { name } } }')).toBe(
      'Query(pets:pets{Cat(friend:friend{Cat(name:name)}) Dog(friend:friend{Cat(name:name) Dog(name:name) Fish(name:name)}) Fish(friend:friend{Cat(name:name) Dog(name:name) Fish(name:name)})})',
    )
  })

  it('shares the goals of object types of which the same is asked', () => {
    const goals = normalise('{ pets { name } }').selection.byType.get(graph.compiled.roots.query) ?? []
    const [pets] = goals
    const lists = pets?.kind === 'field' ? [...(pets.child?.byType.values() ?? [])] : []
    expect(new Set(lists).size).toBe(1)
    expect(lists).toHaveLength(3)
  })

  it('decides conditions: included only if @include says so and @skip does not', () => {
    const query =
      'query ($a: Boolean!, $b: Boolean!) { pet { name @include(if: $a) @skip(if: $b) } pets @skip(if: $b) { name } }'
    const pet = (fields: string) => `pet:pet{Cat(${fields}) Dog(${fields}) Fish(${fields})}`
    expect(normalised(query, { a: true, b: true })).toBe(`Query(${pet('')})`)
    expect(normalised(query, { a: true, b: false })).toContain(pet('name:name'))
    expect(normalised(query, { a: false, b: false })).toContain(pet(''))
    expect(normalised('{ pet { name @skip(if: true) } ... @include(if: false) { pets { name } } }')).toBe(
      `Query(${pet('')})`,
    )
  })

  it('makes equal arguments equal, whatever their order', () => {
    expect(normalised('{ pet(like: "a\\"b", id: 1) { name } }')).toContain('pet:pet(id:1,like:"a\\"b"){')
  })

  it('does not walk a fragment twice for the same types', () => {
    const fragments = Array.from(
      { length: 40 },
      (_, index) => `fragment F${index} on Pet { ...F${index + 1} ...F${index + 1} }`,
    )
    const query = `{ pet { ...F0 } } ${fragments.join(' ')} fragment F40 on Pet { name }`
    expect(normalised(query)).toBe('Query(pet:pet{Cat(name:name) Dog(name:name) Fish(name:name)})')
  })

  it('splits introspection off with the fragments and variables it uses', () => {
    const { selection, introspection } = normalise(
      'query ($n: String!, $id: ID) { pet(id: $id) { name } t: __type(name: $n) { ...T } } fragment T on __Type { name } fragment U on Pet { name }',
    )
    expect(text(selection)).toContain('t:introspection')
    expect(introspection?.responseKeys).toEqual(['t'])
    expect(introspection?.variables).toEqual(['n'])
    expect(introspection?.document.replaceAll(/\s+/g, ' ')).toBe(
      'query ($n: String!) { t: __type(name: $n) { ...T } } fragment T on __Type { name }',
    )
  })
})

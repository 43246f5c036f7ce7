import { describe, expect, it } from 'vitest'
import { prepareOperation } from '../../src/operation/operation.ts'
import { fetches, lines, type World, worldOf } from './support/planned.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const TYPES = ['Album', 'Book', 'Comic', 'Disc']

/**
 * Objects lead to objects; only below a disc `extra` of discs is provided, and each type has a field of its
 * own.
 */
const provided = worldOf({
  a: `type Query { root: Node } interface Node { id: ID! next: [Node] }
    ${TYPES.map((name) => nodeType(name, name === 'Disc' ? '[Node] @provides(fields: "... on Disc { extra }")' : '[Node]')).join('\n')}`,
  b: TYPES.map((name) => `type ${name} @key(fields: "id") { id: ID! extra: Int more: Int }`).join('\n'),
})

function nodeType(name: string, next: string): string {
  const extra = name === 'Disc' ? 'extra: Int @external' : ''
  return `type ${name} implements Node @key(fields: "id") { id: ID! own${name}: Int next: ${next} ${extra} }`
}

/** Discs lead to others in another subgraph than the other types do. */
const divided = worldOf({
  a: `type Query { root: Node } interface Node { id: ID! next: [Node] }
    ${TYPES.map((name) => linked(name, name === 'Disc' ? '@external' : '@shareable')).join('\n')}`,
  b: `interface Node { id: ID! next: [Node] }
    ${TYPES.map((name) => linked(name, name === 'Disc' ? '@shareable' : '@external')).join('\n')}`,
})

function linked(name: string, directive: string): string {
  return `type ${name} implements Node @key(fields: "id") { id: ID! next: [Node] ${directive} }`
}

function nested(depth: number, selectionAt: (level: number) => string): string {
  let selection = '{ id }'
  for (let level = depth; level > 0; level--) selection = `{ next ${selection} ${selectionAt(level)} }`
  return `{ root ${selection} }`
}

const EXTRA = '... on Disc { extra }'
const OWN = TYPES.map((name) => `... on ${name} { own${name} }`).join(' ')

const SHAPES: readonly { name: string; world: World; at: (level: number) => string }[] = [
  { name: 'wanted at one level', world: provided, at: (level) => (level === 3 ? EXTRA : '') },
  { name: 'wanted at every level', world: provided, at: () => EXTRA },
  { name: 'not wanted, but a field of each type is', world: provided, at: () => OWN },
  { name: 'absent, but one type is answered elsewhere', world: divided, at: () => '' },
]

/**
 * Of the longest request. All were valid for their subgraphs, within the work that graphql-js allows itself
 * for that.
 */
function longest(world: World, query: string): number {
  return Math.max(...fetches(world, query).map((line) => line.length))
}

describe('nested interfaces where one type provides more than the others', () => {
  it.each(SHAPES)(
    'are asked for in valid requests that grow with the depth and not faster: $name',
    (shape) => {
      const sizes = [2, 4, 6, 8].map((depth) => longest(shape.world, nested(depth, shape.at)))
      const growth = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0))
      expect(Math.max(...growth), `sizes ${sizes.join(', ')}`).toBeLessThanOrEqual(sizes[1] ?? 0)
    },
  )

  it('keep their fields on the interface where nothing that is provided is wanted', () => {
    const own = '...on Album{ownAlbum} ...on Book{ownBook} ...on Comic{ownComic} ...on Disc{ownDisc}'
    expect(
      fetches(
        provided,
        nested(2, () => OWN),
      ),
    ).toEqual([`0 a {root{__typename next{__typename next{__typename id} ${own}} ${own}}}`])
  })

  it('do so, too, where all of them are asked of another subgraph', () => {
    expect(fetches(provided, '{ root { next { next { ... on Disc { id more } } } } }')).toEqual([
      '0 a {root{__typename next{__typename next{__typename ...on Disc{id}}}}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Disc{more}}}',
    ])
  })

  it('do so, too, where that is deferred', () => {
    const document = '{ root { next { next { ... on Disc { id ... @defer { more } } } } } }'
    const plan = planOperation(prepareOperation(provided.graph, { document, defer: true }), new Map())
    expect(plan.fetches.map(({ group }) => group)).toEqual([0, 1])
    expect(lines(provided.graph, plan)).toEqual([
      '0 a {root{__typename next{__typename next{__typename ...on Disc{id}}}}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Disc{more}}}',
    ])
  })

  it('are asked for type by type only at the level above what is provided', () => {
    const others = ['Album', 'Book', 'Comic'].map((name) => `...on ${name}{next{__typename ...on Disc{id}}}`)
    expect(fetches(provided, '{ root { next { next { ... on Disc { extra } } } } }')).toEqual([
      `0 a {root{__typename next{__typename ${others.join(' ')} ...on Disc{next{__typename ...on Disc{extra}}}}}}`,
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Disc{extra}}}',
    ])
  })
})

describe('a long selection that several types have in common', () => {
  it('stands in the request once, as a named fragment', () => {
    const names = 'aLongName: id anotherLongName: id aThirdLongName: id'
    const query = `{ root { ... on Album { next { ${names} } } ... on Book { next { ${names} } } ... on Comic { next { id } } } }`
    expect(fetches(provided, query)).toEqual([
      '0 a {root{__typename ...on Album{next{..._f0}} ...on Book{next{..._f0}} ...on Comic{next{__typename id}}}}' +
        ' fragment _f0 on Node{__typename aLongName:id anotherLongName:id aThirdLongName:id}',
    ])
  })

  it('stays in its places where it is of a root type, which may have another name in the subgraph', () => {
    const world = worldOf({
      a: `schema { query: Start } type Start { node: Node } interface Node { id: ID! }
        type Left implements Node { id: ID! back: Start } type Right implements Node { id: ID! back: Start }
        type Top implements Node { id: ID! }`,
    })
    const below = '{ node { aLongName: id anotherLongName: id aThirdLongName: id } }'
    expect(
      fetches(world, `{ node { ... on Left { back ${below} } ... on Right { back ${below} } } }`),
    ).toEqual([
      '0 a {node{__typename ...on Left{back{node{..._f0}}} ...on Right{back{node{..._f0}}}}}' +
        ' fragment _f0 on Node{__typename aLongName:id anotherLongName:id aThirdLongName:id}',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { differenceCommand } from '../src/page/pages/difference/command.ts'
import { placesOf } from '../src/page/pages/errors/sources.ts'
import {
  type CompositionTypes,
  fieldOf,
  type FieldInSubgraph,
  listedTypes,
  rolesOf,
} from '../src/page/pages/schema/types.ts'

const TYPES: CompositionTypes = {
  namespace: 'default',
  graph: 'shop',
  composition: 'base',
  artifact: 'a'.repeat(64),
  subgraphs: ['products'],
  roots: { query: 'Query', mutation: null, subscription: null },
  names: ['Color', 'PriceRange', 'Query', 'UnitPrice'],
  kinds: [3, 5, 0, 0],
  sizes: [2, 2, 1, 3],
  subgraphSets: [[0]],
  definedBy: [0, 0, 0, 0],
}
const FIELD: FieldInSubgraph = {
  subgraph: 'stock',
  type: null,
  external: false,
  requires: null,
  provides: null,
  override: null,
  overrideLabel: null,
  usedOverridden: false,
  resolves: true,
}

describe('the list of types', () => {
  const namesOf = (...asked: [kind: Parameters<typeof listedTypes>[1], text: string]) =>
    listedTypes(TYPES, ...asked).map(({ name }) => name)

  it('begins with the types of operations', () => {
    expect(namesOf(undefined, '')).toEqual(['Query', 'Color', 'PriceRange', 'UnitPrice'])
  })

  it('begins with names that begin with what is sought, in any case', () => {
    expect(namesOf(undefined, 'pri')).toEqual(['PriceRange', 'UnitPrice'])
  })

  it('has types of one kind', () => {
    expect(namesOf('enum', '')).toEqual(['Color'])
    expect(namesOf('input', 'color')).toEqual([])
  })
})

it('finds the field of a coordinate', () => {
  expect(['Product', 'Product.price', 'Query.search(term:)', 'Color.RED'].map(fieldOf)).toEqual([
    null,
    'price',
    'search',
    'RED',
  ])
})

describe('the roles of a subgraph about a field', () => {
  it('say what it needs, and from whom it took the field over', () => {
    const field = { ...FIELD, requires: 'weight', override: 'products', overrideLabel: 'percent(5)' }
    expect(rolesOf(field)).toEqual([
      'resolves it',
      'requires weight',
      'took it over from products while percent(5)',
    ])
  })

  it('tell a field that is only referred to from one that another subgraph took over', () => {
    const idle = { ...FIELD, resolves: false }
    expect(rolesOf({ ...idle, external: true })).toEqual(['only refers to it (external)'])
    expect(rolesOf({ ...idle, usedOverridden: true })).toEqual(['gave it away, and uses it in keys'])
    expect(rolesOf(idle)).toEqual(['does not answer it'])
  })
})

it('gathers the places of an error by subgraph, and says of which no source is known', () => {
  const place = { subgraph: 'stock', line: 3, column: 1 }
  const error = { code: 'X', message: 'x', subgraphs: ['products', 'stock'], locations: [place, place] }
  expect(placesOf(error, [{ subgraph: 'stock', sha256: 'b' }])).toEqual([
    { subgraph: 'stock', sha256: 'b', places: [place, place] },
    { subgraph: 'products', sha256: null, places: [] },
  ])
  expect(placesOf(error, null).map(({ sha256 }) => sha256)).toEqual([null, null])
})

it('writes the command that compares revisions and flags', () => {
  const graph = { namespace: 'default', graph: 'shop' }
  const command = (from: string, to: string) => differenceCommand(graph, from, to).slice(3, -2).join(' ')
  expect(command('base', 'flag:prices')).toBe('shop latest latest --to-flag prices')
  expect(command('revision:3', 'revision:12/flag:new')).toBe('shop 3 12 --to-flag new')
  expect(command('revision:3/flag:old', 'base')).toBe('shop 3 latest --from-flag old')
})

import { FED2, find, type Suite, type Tables } from '../harness/suite.ts'

/**
 * Keys that hold lists of entities which hold values: each hop can only be made with the key the one before
 * gave.
 */
export const deepKeys: Suite = {
  name: 'keys with lists of entities in them',
  monolith: `
    type Query { top: Basket! baskets: [Basket] }
    type Basket { items: [Item!]! first: Item chosen: Item total: Int }
    type Item { id: ID! pid: ID group: Group cost: Cost label: String }
    type Group { id: ID! tag: String main: Item title: String }
    type Cost { amount: Float unit: String }
  `,
  tables: () => {
    const groups = [
      { __typename: 'Group', id: 'g1', tag: 't1', main: '1', title: 'tools' },
      { __typename: 'Group', id: 'g2', tag: 't2', main: '2', title: new Error('no title') },
    ]
    const items = [
      {
        __typename: 'Item',
        id: '1',
        pid: 'p1',
        group: groups[0],
        cost: { __typename: 'Cost', amount: 100, unit: 'kr' },
        label: 'saw',
      },
      {
        __typename: 'Item',
        id: '2',
        pid: 'p2',
        group: groups[1],
        cost: { __typename: 'Cost', amount: 50.5, unit: null },
        label: new Error('no label'),
      },
    ]
    return {
      Group: groups,
      Item: items,
      Basket: [
        { __typename: 'Basket', items, total: 2 },
        { __typename: 'Basket', items: [items[1]], total: null },
      ],
    }
  },
  fields: {
    'Query.top': (_row, _args, tables) => tables['Basket']?.[0],
    'Query.baskets': (_row, _args, tables) => [tables['Basket']?.[1], null, tables['Basket']?.[0]],
    'Basket.first': (row) => (row['items'] as unknown[])[0],
    'Basket.chosen': (row) => (row['items'] as unknown[]).at(-1),
    'Group.main': (row, _args, tables: Tables) => find(tables['Item'], 'id', row['main']),
  },
  subgraphs: {
    shop: {
      sdl: `${FED2}
        type Query { top: Basket! baskets: [Basket] }
        type Basket @key(fields: "items { id }") { items: [Item!]! @shareable }
        type Item @key(fields: "id") { id: ID! group: Group @shareable label: String }
        type Group @key(fields: "id") { id: ID! main: Item @shareable title: String }`,
    },
    links: {
      sdl: `${FED2}
        type Item @key(fields: "id") @key(fields: "id pid") { id: ID! pid: ID! }`,
    },
    lists: {
      sdl: `${FED2}
        type Basket @key(fields: "items { id pid }") { items: [Item!]! @shareable first: Item @shareable chosen: Item @shareable total: Int }
        type Item @key(fields: "id pid") { id: ID! pid: ID }`,
    },
    costs: {
      sdl: `${FED2}
        type Basket @key(fields: "items { id pid group { id tag } } chosen { id }") { items: [Item!]! @shareable first: Item @shareable chosen: Item @shareable }
        type Item @key(fields: "id pid group { id tag }") { id: ID! pid: ID group: Group @shareable cost: Cost }
        type Group @key(fields: "id tag") { id: ID! tag: String @shareable }
        type Cost { amount: Float unit: String }`,
    },
    groups: {
      sdl: `${FED2} type Group @key(fields: "id") { id: ID! tag: String @shareable main: Item @shareable } type Item @key(fields: "id", resolvable: false) { id: ID! }`,
    },
  },
  operations: [
    { name: 'nothing but the key', query: '{ top { items { id } } }' },
    {
      name: 'the longest way: every hop gives the key of the next',
      query: '{ top { items { id pid cost { amount unit } } } }',
    },
    {
      name: 'below the second hop',
      query: '{ top { first { id label } chosen { id cost { amount } } total } }',
    },
    {
      name: 'values of the entities in the key',
      query: '{ baskets { items { group { id tag title } } } }',
      errors: 'exact',
    },
    {
      name: 'from the nested entity out again',
      query: '{ top { items { group { tag main { id cost { unit } } } } } }',
    },
    {
      name: 'aliases inside and outside the key',
      query:
        '{ top { things: items { id: pid pid: id g: group { id: tag tag: id } c: cost { amount: unit } } n: total } }',
    },
    {
      name: 'conditions that leave parts of the way out',
      query:
        'query ($a: Boolean!, $b: Boolean!) { top { items { id cost @include(if: $a) { amount } pid @skip(if: $b) } total @include(if: $b) } }',
      variables: { a: false, b: true },
    },
    {
      name: 'an error at the entity in the list',
      query: '{ baskets { items { pid label } } }',
      errors: 'exact',
    },
    {
      name: 'fragments',
      query:
        '{ baskets { ...B } } fragment B on Basket { ...C chosen { ... on Item { pid cost { amount } } } } fragment C on Basket { total }',
    },
  ],
}

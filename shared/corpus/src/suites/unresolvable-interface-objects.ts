import { FED2, type Suite } from '../harness/suite.ts'

/** An interface object that gives references but takes none: its own fields come from its own roots only. */
export const unresolvableInterfaceObjects: Suite = {
  name: 'interface objects that cannot be entered',
  monolith: `
    type Query { film: Film all: [Media!]! log: [Entry!]! lost: Media strict: [Media!] }
    interface Media { id: ID! title: String length: Int }
    type Film implements Media { id: ID! title: String length: Int cut: String! }
    type Clip implements Media { id: ID! title: String length: Int }
    type Entry { at: Int media: Media }
  `,
  tables: () => ({
    Film: [
      { __typename: 'Film', id: 'f1', title: 'Ute', length: 90, cut: 'long' },
      { __typename: 'Film', id: 'f2', title: new Error('no title'), length: null, cut: new Error('no cut') },
    ],
    Clip: [{ __typename: 'Clip', id: 'c1', title: null, length: 2 }],
  }),
  fields: {
    'Query.film': (_row, _args, tables) => tables['Film']?.[0],
    'Query.all': (_row, _args, tables) => [...(tables['Film'] ?? []), ...(tables['Clip'] ?? [])],
    'Query.log': (_row, _args, tables) => [
      { __typename: 'Entry', at: 1, media: tables['Clip']?.[0] },
      { __typename: 'Entry', at: 2, media: null },
      { __typename: 'Entry', at: 3, media: tables['Film']?.[1] },
      { __typename: 'Entry', at: 4, media: tables['Film']?.[0] },
    ],
    'Query.lost': (_row, _args, tables) => tables['Clip']?.[0],
    'Query.strict': (_row, _args, tables) => tables['Film'],
  },
  subgraphs: {
    library: {
      sdl: `${FED2}
        type Query { film: Film all: [Media!]! }
        interface Media @key(fields: "id") { id: ID! title: String length: Int }
        type Film implements Media @key(fields: "id") { id: ID! title: String length: Int }
        type Clip implements Media @key(fields: "id") { id: ID! title: String length: Int }`,
    },
    logbook: {
      sdl: `${FED2}
        type Query { log: [Entry!]! lost: Media strict: [Media!] }
        type Entry { at: Int media: Media }
        type Media @interfaceObject @key(fields: "id", resolvable: false) { id: ID! }`,
    },
    cuts: { sdl: `${FED2} type Film @key(fields: "id") { id: ID! cut: String! }` },
  },
  operations: [
    { name: 'the key alone asks nobody else', query: '{ log { at media { id } } lost { id } }' },
    { name: 'a field of the interface', query: '{ log { media { id length } } }' },
    { name: 'the true type', query: '{ lost { __typename id } log { media { __typename } } }' },
    {
      name: 'fields of a type in a third subgraph',
      query: '{ film { cut } lost { ... on Film { cut } ... on Clip { title } } }',
    },
    { name: 'aliases', query: '{ log { id: at m: media { length: id id: length } } }' },
    {
      name: 'fragments',
      query:
        '{ log { ...E } } fragment E on Entry { media { ... on Media { ... on Clip { length } } ... on Film { id } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($t: Boolean = false) { log { media { id length @include(if: $t) ... on Film @include(if: $t) { cut } } } }',
    },
    { name: 'an error of the interface field', query: '{ log { at media { id title } } }', errors: 'exact' },
    {
      name: 'a non-null error of a type',
      query: '{ strict { id length ... on Film { cut } } all { length } }',
      errors: 'exact',
    },
    { name: 'lists from both sides', query: '{ all { id length } strict { length id } }' },
  ],
}

import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * One interface over five subgraphs: parts of it external, parts required by its types, a union known in
 * pieces.
 */
export const spreadInterfaces: Suite = {
  name: 'an interface spread over many subgraphs',
  monolith: `
    type Query { exhibits: [Exhibit!]! exhibit(id: ID!): Exhibit makers: [Maker] loaned: [Loanable] }
    interface Exhibit { id: ID! code: String extent: Extent maker: Maker related: [Exhibit] notes: [Note!] freight(zip: String!): Freight }
    interface Loanable { id: ID! freight(zip: String!): Freight }
    type Painting implements Exhibit & Loanable { id: ID! code: String extent: Extent maker: Maker related: [Exhibit] notes: [Note!] freight(zip: String!): Freight hall: Int frame: String! }
    type Statue implements Exhibit & Loanable { id: ID! code: String extent: Extent maker: Maker related: [Exhibit] notes: [Note!] freight(zip: String!): Freight hall: Int stone: String }
    type Extent { grams: Int! box: String }
    type Freight { days: Int text: String }
    union Maker = Person | Studio
    type Person { id: ID! name: String born: Int }
    type Studio { id: ID! title: String mail: String }
    type Note { id: ID! text: String about: Exhibit }
  `,
  tables: () => ({
    Painting: [
      {
        __typename: 'Painting',
        id: 'p1',
        code: 'P-1',
        extent: { __typename: 'Extent', grams: 900, box: 'flat' },
        maker: 'm1',
        related: ['s1', 'p2'],
        hall: 3,
        frame: 'oak',
      },
      {
        __typename: 'Painting',
        id: 'p2',
        code: null,
        extent: null,
        maker: 'm2',
        related: [],
        hall: 4,
        frame: new Error('no frame'),
      },
    ],
    Statue: [
      {
        __typename: 'Statue',
        id: 's1',
        code: 'S-1',
        extent: { __typename: 'Extent', grams: 70000, box: null },
        maker: null,
        related: ['p1', null],
        hall: null,
        stone: 'marble',
      },
    ],
    Person: [{ __typename: 'Person', id: 'm1', name: 'Nikolai', born: 1890 }],
    Studio: [{ __typename: 'Studio', id: 'm2', title: 'Verk', mail: 'v@x.test' }],
    Note: [
      { __typename: 'Note', id: 'n1', text: 'mended', about: 'p1' },
      { __typename: 'Note', id: 'n2', text: null, about: 's1' },
    ],
  }),
  fields: {
    'Query.exhibits': (_row, _args, tables) => [...(tables['Painting'] ?? []), ...(tables['Statue'] ?? [])],
    'Query.exhibit': (_row, { id }, tables) => exhibit(id, tables),
    'Query.makers': (_row, _args, tables) => [tables['Studio']?.[0], null, tables['Person']?.[0]],
    'Query.loaned': (_row, _args, tables) => [tables['Statue']?.[0], tables['Painting']?.[0]],
    'Exhibit.related': (row, _args, tables) => (row['related'] as unknown[]).map((id) => exhibit(id, tables)),
    'Exhibit.maker': (row, _args, tables) =>
      find(tables['Person'], 'id', row['maker']) ?? find(tables['Studio'], 'id', row['maker']),
    'Exhibit.notes': (row, _args, tables) => tables['Note']?.filter(({ about }) => about === row['id']),
    'Painting.related': (row, _args, tables) =>
      (row['related'] as unknown[]).map((id) => exhibit(id, tables)),
    'Statue.related': (row, _args, tables) => (row['related'] as unknown[]).map((id) => exhibit(id, tables)),
    'Painting.maker': (row, _args, tables) =>
      find(tables['Person'], 'id', row['maker']) ?? find(tables['Studio'], 'id', row['maker']),
    'Statue.maker': () => null,
    'Painting.notes': (row, _args, tables) => tables['Note']?.filter(({ about }) => about === row['id']),
    'Statue.notes': (row, _args, tables) => tables['Note']?.filter(({ about }) => about === row['id']),
    'Note.about': (row, _args, tables) => exhibit(row['about'], tables),
  },
  computed: {
    'Painting.freight': { compute: (inputs, { zip }) => freight(inputs, zip, 'van') },
    'Statue.freight': { compute: (inputs, { zip }) => freight(inputs, zip, 'crane') },
  },
  subgraphs: {
    halls: {
      sdl: `${FED2}
        type Query { exhibits: [Exhibit!]! exhibit(id: ID!): Exhibit }
        interface Exhibit { id: ID! code: String related: [Exhibit] }
        type Painting implements Exhibit @key(fields: "id") { id: ID! code: String related: [Exhibit] hall: Int }
        type Statue implements Exhibit @key(fields: "id") { id: ID! code: String related: [Exhibit] hall: Int }`,
    },
    scales: {
      sdl: `${FED2}
        interface Exhibit { id: ID! extent: Extent }
        type Painting implements Exhibit @key(fields: "id") { id: ID! extent: Extent frame: String! }
        type Statue implements Exhibit @key(fields: "id") { id: ID! extent: Extent stone: String }
        type Extent @shareable { grams: Int! box: String }`,
    },
    transport: {
      sdl: `${FED2}
        type Query { loaned: [Loanable] }
        interface Exhibit { id: ID! extent: Extent freight(zip: String!): Freight }
        interface Loanable { id: ID! freight(zip: String!): Freight }
        type Painting implements Exhibit & Loanable @key(fields: "id") { id: ID! extent: Extent @external freight(zip: String!): Freight @requires(fields: "extent { grams }") }
        type Statue implements Exhibit & Loanable @key(fields: "id") { id: ID! extent: Extent @external freight(zip: String!): Freight @requires(fields: "extent { grams box }") }
        type Extent @shareable { grams: Int! box: String }
        type Freight { days: Int text: String }`,
    },
    people: {
      sdl: `${FED2}
        type Query { makers: [Maker] }
        interface Exhibit { id: ID! maker: Maker }
        type Painting implements Exhibit @key(fields: "id") { id: ID! maker: Maker }
        type Statue implements Exhibit @key(fields: "id") { id: ID! maker: Maker }
        union Maker = Person | Studio
        type Person @key(fields: "id") { id: ID! name: String }
        type Studio @key(fields: "id") { id: ID! }`,
    },
    studios: {
      sdl: `${FED2} union Maker = Studio type Studio @key(fields: "id") { id: ID! title: String mail: String }`,
    },
    births: { sdl: `${FED2} type Person @key(fields: "id") { id: ID! born: Int }` },
    notes: {
      sdl: `${FED2}
        interface Exhibit { id: ID! notes: [Note!] }
        type Painting implements Exhibit @key(fields: "id") { id: ID! notes: [Note!] }
        type Statue implements Exhibit @key(fields: "id") { id: ID! notes: [Note!] }
        type Note @key(fields: "id") { id: ID! text: String about: Exhibit }`,
    },
  },
  operations: [
    { name: 'plain fields of the owner', query: '{ exhibits { id code } }' },
    { name: 'a requirement of every type', query: '{ exhibits { freight(zip: "5003") { days text } } }' },
    {
      name: 'a requirement through an interface that only its subgraph knows',
      query: '{ loaned { id freight(zip: "1") { text } ... on Exhibit { code } } }',
    },
    {
      name: 'from the interface to notes and back to the interface',
      query:
        '{ exhibits { notes { text about { code ... on Painting { hall } ... on Statue { stone } } } } }',
    },
    {
      name: 'objects of the same interface inside each other',
      query:
        '{ exhibit(id: "p1") { related { code related { id extent { grams } related { __typename } } } } }',
    },
    {
      name: 'members of a union that is known in pieces',
      query: '{ makers { __typename ... on Person { name born } ... on Studio { title mail } } }',
    },
    {
      name: 'the union below the interface',
      query: '{ exhibits { maker { ... on Studio { mail } ... on Person { born } } } }',
    },
    {
      name: 'aliases that exchange the names of key and fields',
      query:
        '{ exhibits { code: id id: code here: freight(zip: "a") { text } there: freight(zip: "b") { text } ... on Painting { freight: hall } } }',
    },
    {
      name: 'conditions on requirements of one type',
      query:
        'query ($no: Boolean!, $yes: Boolean!) { exhibits { id one: freight(zip: "1") @skip(if: $yes) { days } ... on Painting @include(if: $no) { extent { grams } } ... on Statue @include(if: $yes) { freight(zip: "2") { text } } } }',
      variables: { no: false, yes: true },
    },
    {
      name: 'an error in a non-null field of one type',
      query: '{ exhibits { id ... on Painting { frame freight(zip: "1") { days } } } }',
      errors: 'exact',
    },
    {
      name: 'an error below the list of another',
      query:
        '{ exhibit(id: "s1") { related { id ... on Painting { frame } } } exhibits { related { ... on Painting { frame } } } }',
      errors: 'exact',
    },
    {
      name: 'nothing but type names, three deep',
      query: '{ exhibits { __typename related { __typename notes { __typename about { __typename } } } } }',
    },
  ],
}

function exhibit(id: unknown, tables: Parameters<NonNullable<Suite['fields']>[string]>[2]) {
  return find(tables['Painting'], 'id', id) ?? find(tables['Statue'], 'id', id)
}

function freight(inputs: Readonly<Record<string, unknown>>, zip: unknown, by: string) {
  const extent = inputs['extent'] as null | { grams: number }
  return {
    __typename: 'Freight',
    days: extent === null ? null : extent.grams / 100,
    text: `${by} to ${String(zip)}`,
  }
}

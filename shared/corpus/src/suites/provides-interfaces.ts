import { FED2, find, findAll, type Suite } from '../harness/suite.ts'

/** Provided fields on an interface: some for the interface, some for one of its types. */
export const providesInterfaces: Suite = {
  name: 'provided fields of interfaces',
  monolith: `
    type Query { media: Media medias: [Media] shelf: Shelf book: Book }
    type Shelf { id: ID! items: [Media!] deep: [[Media]] }
    interface Media { id: ID! animals: [Animal] }
    interface Animal { id: ID! name: String }
    type Book implements Media { id: ID! animals: [Animal] title: String! }
    type Disc implements Media { id: ID! animals: [Animal] label: String }
    type Dog implements Animal { id: ID! name: String age: Int }
    type Cat implements Animal { id: ID! name: String lives: Int! }
  `,
  tables: () => ({
    Book: [
      { __typename: 'Book', id: 'b1', animals: ['d1', 'c1'], title: 'Zoo' },
      { __typename: 'Book', id: 'b2', animals: [null], title: new Error('no title') },
    ],
    Disc: [{ __typename: 'Disc', id: 'x1', animals: null, label: 'EMI' }],
    Dog: [{ __typename: 'Dog', id: 'd1', name: 'Rex', age: new Error('no age') }],
    Cat: [{ __typename: 'Cat', id: 'c1', name: null, lives: 9 }],
    Shelf: [{ __typename: 'Shelf', id: 's' }],
  }),
  fields: {
    'Query.media': (_row, _args, tables) => tables['Book']?.[0],
    'Query.medias': (_row, _args, tables) => [tables['Disc']?.[0], null, tables['Book']?.[0]],
    'Query.book': (_row, _args, tables) => tables['Book']?.[0],
    'Query.shelf': (_row, _args, tables) => tables['Shelf']?.[0],
    'Shelf.items': (_row, _args, tables) => [tables['Book']?.[1], tables['Disc']?.[0]],
    'Shelf.deep': (_row, _args, tables) => [[tables['Disc']?.[0], null], null, [tables['Book']?.[0]]],
    'Book.animals': (row, _args, tables) =>
      (row['animals'] as unknown[]).map(
        (id) => find(tables['Dog'], 'id', id) ?? find(tables['Cat'], 'id', id),
      ),
    'Disc.animals': (row, _args, tables) =>
      row['animals'] === null ? null : findAll(tables['Dog'], 'id', row['animals']),
  },
  subgraphs: {
    lender: {
      sdl: `${FED2}
        type Query { media: Media @provides(fields: "animals { id name }") medias: [Media] shelf: Shelf book: Book @provides(fields: "animals { ... on Dog { name } }") }
        type Shelf { id: ID! items: [Media!] @provides(fields: "... on Book { title } ... on Disc { label animals { id } }") deep: [[Media]] @provides(fields: "animals { ... on Dog { name age } ... on Cat { id } }") }
        interface Media { id: ID! animals: [Animal] }
        interface Animal { id: ID! name: String }
        type Book implements Media @key(fields: "id") { id: ID! animals: [Animal] @external title: String! @external }
        type Disc implements Media @key(fields: "id") { id: ID! animals: [Animal] @external label: String @external }
        type Dog implements Animal @key(fields: "id") { id: ID! @external name: String @external age: Int @external }
        type Cat implements Animal @key(fields: "id") { id: ID! @external name: String @external }`,
    },
    owner: {
      sdl: `${FED2}
        interface Media { id: ID! animals: [Animal] }
        interface Animal { id: ID! name: String }
        type Book implements Media @key(fields: "id") { id: ID! animals: [Animal] @shareable title: String! @shareable }
        type Disc implements Media @key(fields: "id") { id: ID! animals: [Animal] @shareable label: String @shareable }
        type Dog implements Animal @key(fields: "id") { id: ID! name: String @shareable age: Int @shareable }
        type Cat implements Animal @key(fields: "id") { id: ID! name: String @shareable lives: Int! }`,
    },
  },
  operations: [
    { name: 'what is provided through the interface', query: '{ media { id animals { id name } } }' },
    { name: 'where nothing is provided', query: '{ medias { id animals { name } } }' },
    {
      name: 'a field that is not among the provided',
      query: '{ media { animals { id name ... on Cat { lives } } } }',
    },
    { name: 'provided for one type only', query: '{ book { animals { ... on Dog { name } } } }' },
    { name: 'the other type as well', query: '{ book { animals { name } title } }' },
    {
      name: 'provided per type of the interface',
      query: '{ shelf { items { ... on Disc { label animals { id } } } } }',
    },
    {
      name: 'lists of lists',
      query: '{ shelf { deep { animals { ... on Cat { id name } ... on Dog { name } } } } }',
    },
    {
      name: 'aliases',
      query: '{ m: media { a: animals { id: name name: id } b: animals { k: __typename } } }',
    },
    {
      name: 'fragments',
      query:
        '{ media { ...M } shelf { deep { ...M } } } fragment M on Media { animals { ...A } } fragment A on Animal { name ... on Dog { id } }',
    },
    {
      name: 'conditions',
      query:
        'query ($l: Boolean!) { media { animals { name ... on Cat @include(if: $l) { lives } } ... on Book @skip(if: $l) { title } } }',
      variables: { l: false },
    },
    {
      name: 'an error in a provided field',
      query: '{ shelf { deep { animals { ... on Dog { age } } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error in a provided field',
      query: '{ shelf { id items { id ... on Book { title } } } }',
      errors: 'exact',
    },
  ],
}

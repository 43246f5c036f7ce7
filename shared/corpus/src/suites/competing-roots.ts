import { FED2, find, findAll, type Suite } from '../harness/suite.ts'

/**
 * One root field in three subgraphs, each with more or less of what is below it: fields of their own, or
 * provided ones.
 */
export const competingRoots: Suite = {
  name: 'roots that compete with what they provide',
  monolith: `
    type Query { media: Media shelf: [Media!] }
    interface Media { id: ID! animals: [Animal] }
    interface Animal { id: ID! name: String }
    type Book implements Media { id: ID! animals: [Animal] title: String! }
    type Film implements Media { id: ID! animals: [Animal] }
    type Dog implements Animal { id: ID! name: String age: Int }
    type Cat implements Animal { id: ID! name: String age: Int lives: Int! }
  `,
  tables: () => ({
    Book: [{ __typename: 'Book', id: 'b1', animals: ['d1', 'c1', 'none'], title: 'Zoo' }],
    Film: [{ __typename: 'Film', id: 'f1', animals: ['c2'] }],
    Dog: [{ __typename: 'Dog', id: 'd1', name: 'Rex', age: 3 }],
    Cat: [
      { __typename: 'Cat', id: 'c1', name: null, age: 4, lives: 9 },
      { __typename: 'Cat', id: 'c2', name: 'Tom', age: new Error('no age'), lives: new Error('no lives') },
    ],
  }),
  fields: {
    'Query.media': (_row, _args, tables) => tables['Book']?.[0],
    'Query.shelf': (_row, _args, tables) => [tables['Film']?.[0], tables['Book']?.[0]],
    ...Object.fromEntries(
      ['Book.animals', 'Film.animals'].map((coordinate) => [
        coordinate,
        (row, _args, tables) =>
          findAll(tables['Dog'], 'id', row['animals']).map(
            (dog, at) => dog ?? find(tables['Cat'], 'id', (row['animals'] as unknown[])[at]),
          ),
      ]),
    ),
  },
  subgraphs: {
    archive: {
      sdl: `${FED2}
        type Query { media: Media @shareable shelf: [Media!] @shareable }
        interface Media { id: ID! animals: [Animal] }
        interface Animal { id: ID! }
        type Book implements Media @key(fields: "id") { id: ID! animals: [Animal] @shareable }
        type Film implements Media @key(fields: "id") { id: ID! animals: [Animal] @shareable }
        type Dog implements Animal @key(fields: "id") { id: ID! }
        type Cat implements Animal @key(fields: "id") { id: ID! }`,
    },
    bureau: {
      sdl: `${FED2}
        type Query { media: Media @shareable @provides(fields: "animals { id name }") shelf: [Media!] @shareable }
        interface Media { id: ID! animals: [Animal] }
        interface Animal { id: ID! name: String }
        type Book implements Media @key(fields: "id") { id: ID! animals: [Animal] @external title: String! }
        type Film implements Media @key(fields: "id") { id: ID! animals: [Animal] @external }
        type Dog implements Animal @key(fields: "id") { id: ID! name: String @external }
        type Cat implements Animal @key(fields: "id") { id: ID! name: String @external }`,
    },
    clinic: {
      sdl: `${FED2}
        type Query { media: Media @shareable shelf: [Media!] @shareable }
        interface Media { id: ID! }
        type Book implements Media @key(fields: "id") { id: ID! }
        type Film implements Media @key(fields: "id") { id: ID! }
        type Dog @key(fields: "id") { id: ID! name: String @shareable age: Int }
        type Cat @key(fields: "id") { id: ID! name: String @shareable age: Int lives: Int! }`,
    },
  },
  operations: [
    { name: 'what one root provides', query: '{ media { id animals { id name } } }' },
    { name: 'the rest of one type', query: '{ media { id animals { id name ... on Cat { age } } } }' },
    {
      name: 'the rest of both types',
      query: '{ media { animals { name ... on Cat { age lives } ... on Dog { age } } } }',
    },
    { name: 'where nothing is provided', query: '{ shelf { id animals { id name } } }' },
    {
      name: 'both at once',
      query: '{ media { animals { name } } shelf { animals { id } ... on Book { title } } }',
    },
    { name: 'what all have', query: '{ media { __typename id } shelf { id } }' },
    {
      name: 'aliases and fragments',
      query:
        '{ m: media { ...M } n: media { id } } fragment M on Media { a: animals { id: name name: id ... on Dog { age } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($a: Boolean!) { media { id animals { name @skip(if: $a) ... on Cat @include(if: $a) { lives } } } }',
      variables: { a: true },
    },
    {
      name: 'an error of the rest',
      query: '{ shelf { animals { name ... on Cat { age } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error of the rest',
      query: '{ shelf { id animals { ... on Cat { lives } } } }',
      errors: 'exact',
    },
  ],
}

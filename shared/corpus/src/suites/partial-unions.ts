import { FED2, type Suite } from '../harness/suite.ts'

/**
 * Subgraphs that resolve the same union field but know different members. Only common members come from any
 * of them.
 */
export const partialUnions: Suite = {
  name: 'partial unions',
  monolith: `
    type Query { hub: Hub inbox: Inbox }
    type Hub { id: ID! current: Media history: [Media] name: String }
    union Media = Book | Disc | Tape
    type Book { id: ID! title: String pages: Int }
    type Disc { id: ID! title: String tracks: Int }
    type Tape { id: ID! title: String }
    type Inbox { id: ID! last: Letter unread: Int }
    union Letter = Mail | Fax
    type Mail { from: String! }
    type Fax { number: String }
  `,
  tables: () => {
    const book = { __typename: 'Book', id: 'b', title: 'Sult', pages: 200 }
    return {
      Book: [book],
      Hub: [{ __typename: 'Hub', id: 'h', name: 'main', current: book, history: [book, null, book] }],
      Inbox: [{ __typename: 'Inbox', id: 'i', last: { __typename: 'Fax', number: '22' }, unread: 4 }],
    }
  },
  fields: {
    'Query.hub': (_row, _args, tables) => tables['Hub']?.[0],
    'Query.inbox': (_row, _args, tables) => tables['Inbox']?.[0],
  },
  subgraphs: {
    left: {
      sdl: `${FED2}
        type Query { hub: Hub @shareable inbox: Inbox }
        type Hub @key(fields: "id") { id: ID! current: Media @shareable history: [Media] @shareable }
        union Media = Book | Disc
        type Book @key(fields: "id") { id: ID! title: String @shareable }
        type Disc @key(fields: "id") { id: ID! title: String @shareable tracks: Int }
        type Inbox @key(fields: "id") { id: ID! last: Letter }
        union Letter = Mail | Fax
        type Mail { from: String! }
        type Fax { number: String }`,
    },
    right: {
      sdl: `${FED2}
        type Query { hub: Hub @shareable }
        type Hub @key(fields: "id") { id: ID! current: Media @shareable history: [Media] @shareable name: String }
        union Media = Book | Tape
        type Book @key(fields: "id") { id: ID! title: String @shareable pages: Int }
        type Tape @key(fields: "id") { id: ID! title: String }
        type Inbox @key(fields: "id") { id: ID! unread: Int }`,
    },
  },
  operations: [
    { name: 'a common member', query: '{ hub { current { ... on Book { title } } } }' },
    {
      name: 'members that only one side knows',
      query: '{ hub { current { ... on Disc { tracks } ... on Tape { title } ... on Book { title } } } }',
    },
    {
      name: 'a common member completed on one side',
      query: '{ hub { current { ... on Book { title pages } ... on Disc { tracks } } } }',
    },
    {
      name: 'a list',
      query:
        '{ hub { history { __typename ... on Book { pages } ... on Tape { id } ... on Disc { id } } name } }',
    },
    {
      name: 'fields of the owner force a side',
      query: '{ hub { name current { __typename ... on Disc { id } ... on Book { id } } } }',
    },
    {
      name: 'a union known to one subgraph whole',
      query: '{ inbox { unread last { __typename ... on Mail { from } ... on Fax { number } } } }',
    },
    {
      name: 'fragments without fields in common',
      query: '{ hub { current { ... on Tape { title } } history { ... on Disc { title } } } }',
    },
  ],
}

import { FED2, find, type Suite } from '../harness/suite.ts'

/** Subgraphs that give fields of another one's entity on some paths, which spares a fetch. */
export const provides: Suite = {
  name: 'provides',
  monolith: `
    type Query { comments: [Comment!]! threads: [Thread!]! pinned: Comment users: [User!]! }
    type Thread { id: ID! opener: User! comments: [Comment!]! groups: [[User!]] }
    type Comment { id: ID! text: String author: User editor: User attachment: Attachment }
    type User { id: ID! name: String! email: String address: Address }
    type Address { street: String town: Town }
    type Town { name: String! zip: String }
    interface Attachment { id: ID! bytes: Int }
    type Image implements Attachment { id: ID! bytes: Int width: Int }
    type Audio implements Attachment { id: ID! bytes: Int seconds: Int }
  `,
  tables: () => {
    const town = { __typename: 'Town', name: 'Bergen', zip: '5003' }
    return {
      User: [
        {
          __typename: 'User',
          id: 'u1',
          name: 'Una',
          email: 'una@x.test',
          address: { __typename: 'Address', street: 'High', town },
        },
        { __typename: 'User', id: 'u2', name: 'Ole', email: null, address: null },
      ],
      Image: [{ __typename: 'Image', id: 'i1', bytes: 100, width: 640 }],
      Audio: [{ __typename: 'Audio', id: 's1', bytes: 200, seconds: 30 }],
      Comment: [
        { __typename: 'Comment', id: 'c1', text: 'one', author: 'u1', editor: 'u2', attachment: 'i1' },
        { __typename: 'Comment', id: 'c2', text: 'two', author: 'u2', editor: null, attachment: 's1' },
        { __typename: 'Comment', id: 'c3', text: null, author: null, editor: 'u1', attachment: null },
      ],
      Thread: [{ __typename: 'Thread', id: 't1', opener: 'u2', comments: ['c1', 'c3'] }],
    }
  },
  fields: {
    'Query.comments': (_row, _args, tables) => tables['Comment'],
    'Query.pinned': (_row, _args, tables) => tables['Comment']?.[0],
    'Query.threads': (_row, _args, tables) => tables['Thread'],
    'Query.users': (_row, _args, tables) => tables['User'],
    'Thread.opener': (row, _args, tables) => find(tables['User'], 'id', row['opener']),
    'Thread.comments': (row, _args, tables) =>
      tables['Comment']?.filter(({ id }) => (row['comments'] as unknown[]).includes(id)),
    'Thread.groups': (_row, _args, tables) => [tables['User'], null, []],
    'Comment.author': (row, _args, tables) => find(tables['User'], 'id', row['author']),
    'Comment.editor': (row, _args, tables) => find(tables['User'], 'id', row['editor']),
    'Comment.attachment': (row, _args, tables) =>
      find(tables['Image'], 'id', row['attachment']) ?? find(tables['Audio'], 'id', row['attachment']),
  },
  subgraphs: {
    forum: {
      sdl: `${FED2}
        type Query {
          comments: [Comment!]!
          threads: [Thread!]!
          pinned: Comment @provides(fields: "author { name address { town { zip } } }")
        }
        type Thread {
          id: ID!
          opener: User! @provides(fields: "name address { street }")
          comments: [Comment!]! @provides(fields: "editor { name }")
          groups: [[User!]] @provides(fields: "name")
        }
        type Comment @key(fields: "id") {
          id: ID! text: String
          author: User @provides(fields: "name")
          editor: User
          attachment: Attachment @provides(fields: "... on Image { bytes width } ... on Audio { bytes }")
        }
        type User @key(fields: "id") { id: ID! name: String! @external address: Address @external }
        type Address { street: String @external town: Town @external }
        type Town { zip: String @external }
        interface Attachment { id: ID! }
        type Image implements Attachment @key(fields: "id") { id: ID! bytes: Int @external width: Int @external }
        type Audio implements Attachment @key(fields: "id") { id: ID! bytes: Int @external }`,
    },
    users: {
      sdl: `${FED2}
        type Query { users: [User!]! }
        type User @key(fields: "id") { id: ID! name: String! email: String address: Address }
        type Address @shareable { street: String town: Town }
        type Town @shareable { name: String! zip: String }`,
    },
    files: {
      sdl: `${FED2}
        interface Attachment { id: ID! bytes: Int }
        type Image implements Attachment @key(fields: "id") { id: ID! bytes: Int width: Int }
        type Audio implements Attachment @key(fields: "id") { id: ID! bytes: Int seconds: Int }`,
    },
  },
  operations: [
    { name: 'only what is provided', query: '{ comments { text author { name } } }' },
    { name: 'beside what is provided', query: '{ comments { author { name email } } }' },
    {
      name: 'the same type where nothing is provided',
      query: '{ comments { editor { name } author { name } } }',
    },
    {
      name: 'provided several levels deep',
      query: '{ pinned { author { name address { town { zip } } } } }',
    },
    { name: 'deeper than provided', query: '{ pinned { author { address { street town { name zip } } } } }' },
    {
      name: 'provided by the list above',
      query:
        '{ threads { opener { name address { street } } comments { editor { name } author { name } } } }',
    },
    {
      name: 'not provided by the list above',
      query: '{ threads { opener { address { town { name } } } comments { editor { email } } } }',
    },
    { name: 'a list of lists', query: '{ threads { groups { id name } } }' },
    { name: 'a list of lists beside what is provided', query: '{ threads { groups { name email } } }' },
    {
      name: 'an interface field provided for all types and one for a single type',
      query: '{ comments { attachment { bytes ... on Image { width } } } }',
    },
    {
      name: 'a member that is not provided',
      query: '{ comments { attachment { bytes ... on Audio { seconds } } } }',
    },
    { name: 'from the owner itself', query: '{ users { name address { street town { zip name } } } }' },
  ],
}

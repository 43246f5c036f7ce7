import { find, type Suite } from '../harness/suite.ts'

const LINK =
  '@link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@key", as: "@primary" }, "@shareable"])'

/** Subgraphs that call their root types and their directives what they like. */
export const renamedRoots: Suite = {
  name: 'renamed root types and directives',
  monolith: `
    type Query { notes: [Note!]! pinned: Note hello: String self: Query }
    type Mutation { add(text: String!): Note! clear: Int }
    type Note { id: ID! text: String length: Int mood: String }
  `,
  tables: () => ({
    Note: [
      { __typename: 'Note', id: '1', text: 'first', length: 5, mood: 'calm' },
      { __typename: 'Note', id: '2', text: 'second', length: 6, mood: null },
    ],
  }),
  fields: {
    'Query.notes': (_row, _args, tables) => tables['Note'],
    'Query.pinned': (_row, _args, tables) => find(tables['Note'], 'id', '2'),
    'Query.hello': () => 'hi',
    'Query.self': () => ({ __typename: 'Query' }),
    'Mutation.add': (_row, { text }, tables) => {
      const row = {
        __typename: 'Note',
        id: String(10 + (tables['Note']?.length ?? 0)),
        text,
        length: String(text).length,
        mood: 'new',
      }
      tables['Note']?.push(row)
      return row
    },
    'Mutation.clear': (_row, _args, tables) => tables['Note']?.splice(0).length,
    'Root.notes': (_row, _args, tables) => tables['Note'],
    'Root.self': () => ({ __typename: 'Root' }),
    'Changes.add': (row, args, tables) => renamedRoots.fields?.['Mutation.add']?.(row, args, tables),
    'Reads.pinned': (_row, _args, tables) => find(tables['Note'], 'id', '2'),
    'Reads.hello': () => 'hi',
    'Writes.clear': (_row, _args, tables) => tables['Note']?.splice(0).length,
  },
  subgraphs: {
    texts: {
      sdl: `schema ${LINK} { query: Root mutation: Changes }
        type Root { notes: [Note!]! self: Root }
        type Changes { add(text: String!): Note! }
        type Note @primary(fields: "id") { id: ID! text: String }`,
    },
    lengths: {
      sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3")
        schema { query: Reads mutation: Writes }
        type Reads { pinned: Note hello: String }
        type Writes { clear: Int }
        type Note @federation__key(fields: "id") { id: ID! length: Int }`,
    },
    moods: {
      sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3") type Note @federation__key(fields: "id") { id: ID! mood: String }`,
    },
  },
  operations: [
    { name: 'one root', query: '{ notes { id text } }' },
    { name: 'both roots', query: '{ notes { text } pinned { length } hello }' },
    { name: 'entities across', query: '{ notes { length mood } pinned { text mood } }' },
    { name: 'the type name of the root is the client’s', query: '{ __typename t: __typename hello }' },
    { name: 'a mutation', query: 'mutation { add(text: "more") { id text length mood } }' },
    { name: 'mutations across', query: 'mutation { __typename add(text: "x") { text } clear again: clear }' },
    { name: 'back into a renamed root', query: '{ self { __typename notes { id } hello } }' },
  ],
}

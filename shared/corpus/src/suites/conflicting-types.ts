import { FED2, type Suite } from '../harness/suite.ts'

/** One response key whose types differ between the fragments that a client may put side by side. */
export const conflictingTypes: Suite = {
  name: 'response keys of different types',
  monolith: `
    type Query { nodes: [Node!]! any: [Any] }
    interface Node { id: ID! }
    union Any = Alpha | Beta | Gamma
    type Alpha implements Node { id: ID! odd: Int value: Int! text: String! tags: [String!]! link: Link extra: Int }
    type Beta implements Node { id: ID! value: Int text: String tags: [String] link: Link! extra: Int! odd: Int! }
    type Gamma implements Node { id: ID! value: Int! text: String link: Link extra: Int }
    type Link { url: String! hits: Int }
  `,
  tables: () => {
    const link = { __typename: 'Link', url: '/l', hits: 3 }
    return {
      Alpha: [
        {
          __typename: 'Alpha',
          id: 'a',
          value: 1,
          text: 'al',
          tags: ['x'],
          link: null,
          extra: null,
          odd: new Error('odd alpha'),
        },
      ],
      Beta: [
        {
          __typename: 'Beta',
          id: 'b',
          value: null,
          text: null,
          tags: [null, 'y'],
          link,
          extra: 7,
          odd: new Error('odd beta'),
        },
      ],
      Gamma: [{ __typename: 'Gamma', id: 'g', value: 3, text: 'ga', link, extra: 9 }],
      Link: [link],
    }
  },
  fields: {
    'Query.nodes': (_row, _args, tables) => [tables['Beta']?.[0], tables['Alpha']?.[0], tables['Gamma']?.[0]],
    'Query.any': (_row, _args, tables) => [
      tables['Gamma']?.[0],
      null,
      tables['Alpha']?.[0],
      tables['Beta']?.[0],
    ],
  },
  subgraphs: {
    one: {
      sdl: `${FED2}
        type Query { nodes: [Node!]! any: [Any] }
        interface Node { id: ID! }
        union Any = Alpha | Beta | Gamma
        type Alpha implements Node @key(fields: "id") { id: ID! value: Int! text: String! tags: [String!]! link: Link }
        type Beta implements Node @key(fields: "id") { id: ID! value: Int text: String tags: [String] link: Link! }
        type Gamma implements Node @key(fields: "id") { id: ID! value: Int! link: Link }
        type Link @shareable { url: String! hits: Int }`,
    },
    two: {
      sdl: `${FED2}
        type Alpha @key(fields: "id") { id: ID! extra: Int odd: Int }
        type Beta @key(fields: "id") { id: ID! extra: Int! odd: Int! }
        type Gamma @key(fields: "id") { id: ID! text: String extra: Int }`,
    },
  },
  operations: [
    {
      name: 'fields that are alike',
      query: '{ nodes { id ... on Alpha { a: value } ... on Beta { b: value } } }',
    },
    {
      name: 'one key, non-null in two types only',
      query: '{ nodes { ... on Alpha { value } ... on Gamma { value } } }',
    },
    {
      name: 'one key for the same nullable type through different fields',
      query: '{ any { ... on Alpha { x: extra } ... on Gamma { x: extra } ... on Beta { y: extra } } }',
    },
    {
      name: 'objects under one key',
      query: '{ nodes { ... on Alpha { link { url } } ... on Gamma { link { hits url } } } }',
    },
    {
      name: 'one key from different subgraphs',
      query: '{ any { ... on Beta { text } ... on Gamma { text extra } } }',
    },
    {
      name: 'one key, different fields of one type',
      query: '{ any { ... on Beta { t: text } ... on Gamma { t: text } ... on Alpha { s: text t2: id } } }',
    },
    {
      name: 'the key of the entity under the name of another field',
      query:
        '{ any { ... on Alpha { text: id extra } ... on Gamma { extra v: id } ... on Beta { tags text: id } } }',
    },
    {
      name: 'all of them renamed crosswise',
      query:
        '{ nodes { ... on Alpha { value: text text: value link: extra } ... on Beta { tags: link { url } } } }',
    },
    { name: 'the interface alone', query: '{ nodes { id } }' },
    {
      name: 'conditions on one of the types',
      query:
        'query ($a: Boolean!) { nodes { ... on Alpha @include(if: $a) { v: value } ... on Gamma { v: value } ... on Beta @skip(if: $a) { text } } }',
      variables: { a: false },
    },
    {
      name: 'one key that fails in a nullable and in a non-null field',
      query: '{ any { ... on Beta { b: odd } ... on Alpha { a: odd } ... on Gamma { id } } }',
      errors: 'exact',
    },
    {
      name: 'the same in a list that may hold null',
      query: '{ any { __typename ... on Alpha { a: odd } ... on Beta { b: odd extra } } }',
      errors: 'exact',
    },
  ],
}

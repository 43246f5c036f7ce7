import { FED2, type Suite } from '../harness/suite.ts'

const RAW = {
  __typename: 'Raw',
  id: 7,
  whole: 1.0,
  huge: 3_000_000_000,
  half: 1.5,
  text: 5,
  flag: true,
  float: 2,
  list: [1, '2', null],
  ids: [1, 'x'],
  json: { a: 1 },
  nested: { __typename: 'Nested', deep: 'd', surplus: 'not asked' },
  surplus: 'not asked',
  ghost: { __typename: 'Ghost' },
  wrong: { __typename: 'Nested', deep: 1 },
}

/** Values that a sloppy server may send, and the results that graphql-js makes of them. */
export const rawAnswers: Suite = {
  name: 'sloppy answers',
  monolith: `
    scalar Json
    type Query { raw: Raw thing: Thing things: [Thing] }
    type Raw { id: ID! whole: Int huge: Int half: Int text: String flag: Boolean float: Float list: [Int] ids: [ID!] json: Json nested: Nested wrong: Nested }
    type Nested { deep: String }
    interface Thing { id: ID }
    type Known implements Thing { id: ID extra: Int }
    type Other implements Thing { id: ID }
  `,
  tables: () => ({ Known: [{ __typename: 'Known', id: 'k', extra: 4 }] }),
  fields: {
    'Query.raw': () => ({ ...RAW, list: [1, new Error('two'), null] }),
    'Query.thing': () => ({ __typename: 'Stranger', id: 's' }),
    'Query.things': (_row, _args, tables) => [
      tables['Known']?.[0],
      { __typename: 'Thing' },
      { __typename: 'Nested' },
      { id: 'none' },
      tables['Known']?.[0],
    ],
  },
  subgraphs: {
    raw: {
      sdl: `${FED2}
        scalar Json
        type Query { raw: Raw thing: Thing things: [Thing] }
        type Raw { id: ID! whole: Int huge: Int half: Int text: String flag: Boolean float: Float list: [Int] ids: [ID!] json: Json nested: Nested wrong: Nested }
        type Nested { deep: String }
        interface Thing { id: ID }
        type Known implements Thing @key(fields: "id") { id: ID }
        type Other implements Thing { id: ID }`,
      sabotage: (body) =>
        body.includes('thing')
          ? {
              kind: 'answer',
              status: 200,
              body: {
                data: {
                  thing: { __typename: 'Stranger', id: 's' },
                  things: [
                    { __typename: 'Known', id: 'k' },
                    { __typename: 'Thing', id: 't' },
                    { __typename: 'Nested', id: 'n' },
                    { id: 'none' },
                    { __typename: 'Known', id: 'k' },
                  ],
                },
              },
            }
          : { kind: 'answer', status: 200, body: { data: { raw: RAW, other: 1 }, extensions: { x: 1 } } },
    },
    more: { sdl: `${FED2} type Known @key(fields: "id") { id: ID extra: Int }` },
  },
  operations: [
    { name: 'a number as id becomes text', query: '{ raw { id ids } }' },
    { name: 'whole floats are integers, and integers floats', query: '{ raw { whole float flag } }' },
    { name: 'integers out of range are refused', query: '{ raw { id huge } }', errors: 'exact' },
    { name: 'fractions are no integers', query: '{ raw { half whole } }', errors: 'exact' },
    { name: 'numbers as text', query: '{ raw { text } }' },
    { name: 'one wrong item of a list', query: '{ raw { list } }', errors: 'exact' },
    { name: 'nothing that was not asked comes through', query: '{ raw { nested { deep } json } }' },
    { name: 'text from a number below', query: '{ raw { wrong { deep } } }' },
    { name: 'an unknown type name', query: '{ thing { id } }', errors: 'exact' },
    {
      name: 'type names that are wrong, missing or of an interface, in a list',
      query: '{ things { id ... on Known { extra } } }',
      errors: 'exact',
    },
    { name: 'wrong type names asked for by the client', query: '{ things { __typename } }', errors: 'exact' },
  ],
}

import { FED2, find, type Suite } from '../harness/suite.ts'

/** Nulls where none may be, in every kind of place, with the non-null parts spread over subgraphs. */
export const nulls: Suite = {
  name: 'null propagation',
  monolith: `
    type Query { soft: Thing hard: Thing! list: [Thing] strict: [Thing!] strictest: [Thing!]! boxes: [Box!] box: Box pair: Pair }
    type Thing { id: ID! maybe: Int must: Int! far: Int farMust: Int! child: Thing strictChild: Thing! tags: [String!] holes: [[Int!]] }
    type Box { id: ID! things: [Thing!]! loose: [Thing] lid: Lid! }
    type Lid { colour: String! }
    type Pair { left: Lid! right: Lid }
  `,
  tables: () => ({
    Thing: [
      {
        __typename: 'Thing',
        id: 'ok',
        maybe: 1,
        must: 2,
        far: 3,
        farMust: 4,
        child: 'ok',
        strictChild: 'ok',
        tags: ['a'],
        holes: [[1], [2, 3]],
      },
      {
        __typename: 'Thing',
        id: 'nil',
        maybe: null,
        must: null,
        far: null,
        farMust: 5,
        child: 'ok',
        strictChild: 'ok',
        tags: ['a', null],
        holes: [[1, null], null, [2]],
      },
      {
        __typename: 'Thing',
        id: 'farnil',
        maybe: 1,
        must: 2,
        far: 3,
        farMust: null,
        child: 'nil',
        strictChild: 'nil',
        tags: null,
        holes: null,
      },
      {
        __typename: 'Thing',
        id: 'deep',
        maybe: 1,
        must: 2,
        far: 3,
        farMust: 4,
        child: 'farnil',
        strictChild: 'farnil',
        tags: [],
        holes: [],
      },
    ],
    Box: [
      {
        __typename: 'Box',
        id: 'b1',
        things: ['ok', 'farnil'],
        loose: ['farnil', 'ok', 'nil', 'gone'],
        lid: { __typename: 'Lid', colour: 'red' },
      },
      { __typename: 'Box', id: 'b2', things: ['ok'], loose: null, lid: { __typename: 'Lid', colour: null } },
    ],
  }),
  fields: {
    'Query.soft': (_row, _args, tables) => find(tables['Thing'], 'id', 'deep'),
    'Query.hard': (_row, _args, tables) => find(tables['Thing'], 'id', 'farnil'),
    'Query.list': (_row, _args, tables) => [...(tables['Thing'] ?? []), null],
    'Query.strict': (_row, _args, tables) => tables['Thing']?.filter(({ id }) => id !== 'nil'),
    'Query.strictest': (_row, _args, tables) => tables['Thing'],
    'Query.boxes': (_row, _args, tables) => tables['Box'],
    'Query.box': (_row, _args, tables) => tables['Box']?.[0],
    'Query.pair': () => ({
      __typename: 'Pair',
      left: { __typename: 'Lid', colour: 'x' },
      right: { __typename: 'Lid', colour: null },
    }),
    'Thing.child': (row, _args, tables) => find(tables['Thing'], 'id', row['child']),
    'Thing.strictChild': (row, _args, tables) => find(tables['Thing'], 'id', row['strictChild']),
    'Box.things': (row, _args, tables) =>
      (row['things'] as string[]).map((id) => find(tables['Thing'], 'id', id)),
    'Box.loose': (row, _args, tables) =>
      (row['loose'] as string[] | null)?.map((id) => find(tables['Thing'], 'id', id)),
  },
  subgraphs: {
    near: {
      sdl: `${FED2}
        type Query { soft: Thing hard: Thing! list: [Thing] strict: [Thing!] strictest: [Thing!]! boxes: [Box!] box: Box pair: Pair }
        type Thing @key(fields: "id") { id: ID! maybe: Int must: Int! child: Thing strictChild: Thing! tags: [String!] holes: [[Int!]] }
        type Box @key(fields: "id") { id: ID! things: [Thing!]! loose: [Thing] }
        type Pair { left: Lid! right: Lid }
        type Lid @shareable { colour: String! }`,
    },
    remote: {
      sdl: `${FED2}
        type Thing @key(fields: "id") { id: ID! far: Int farMust: Int! }
        type Box @key(fields: "id") { id: ID! lid: Lid! }
        type Lid @shareable { colour: String! }`,
    },
  },
  operations: [
    { name: 'nullable everywhere', query: '{ list { maybe far } }' },
    { name: 'a non-null field of the first subgraph', query: '{ list { id must } }', errors: 'exact' },
    { name: 'a non-null field of another subgraph', query: '{ list { id farMust } }', errors: 'exact' },
    {
      name: 'up through a non-null list item to the list',
      query: '{ strict { id farMust } soft { id } }',
      errors: 'exact',
    },
    { name: 'up to the root', query: '{ soft { id } strictest { farMust } }', errors: 'exact' },
    {
      name: 'up to the root through a non-null object',
      query: '{ hard { id farMust } soft { maybe } }',
      errors: 'exact',
    },
    {
      name: 'through a chain of non-null objects',
      query: '{ soft { id strictChild { id strictChild { id must } } } }',
      errors: 'exact',
    },
    {
      name: 'through a chain of non-null objects from far away',
      query: '{ soft { id child { id } strictChild { id farMust } } list { id } }',
      errors: 'exact',
    },
    {
      name: 'stopped by the nullable child',
      query: '{ soft { id child { id farMust } far } }',
      errors: 'exact',
    },
    { name: 'items of scalar lists', query: '{ list { id tags } }', errors: 'exact' },
    { name: 'lists of lists', query: '{ list { id holes } }', errors: 'exact' },
    {
      name: 'lists inside lists of entities',
      query: '{ boxes { id things { id farMust } } box { loose { id farMust } } }',
      errors: 'exact',
    },
    { name: 'a non-null value of an entity', query: '{ boxes { id lid { colour } } }', errors: 'exact' },
    {
      name: 'nothing wrong among the things not asked',
      query: '{ hard { id maybe far } box { loose { far } lid { colour } } }',
    },
    {
      name: 'siblings of a null',
      query: '{ pair { left { colour } right { colour } } soft { far } }',
      errors: 'exact',
    },
  ],
}

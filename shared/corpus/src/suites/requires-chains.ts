import { FED2, find, type Suite } from '../harness/suite.ts'

/** Inputs that are themselves computed from inputs, in other subgraphs and back in the same one. */
export const requiresChains: Suite = {
  name: 'chained requires',
  monolith: `
    type Query { jobs: [Job!]! job(id: ID!): Job latest: Job }
    type Job { id: ID! hours: Int! rate: Int cost: Int tax: Int total: Int invoice: String parent: Job team: Team sealed: Int! }
    type Team { id: ID! size: Int! budget: Int lead: Lead }
    type Lead { name: String! bonus: Int }
  `,
  tables: () => ({
    Job: [
      { __typename: 'Job', id: '1', hours: 3, rate: 10, parent: null, team: 't', sealed: 1 },
      {
        __typename: 'Job',
        id: '2',
        hours: 8,
        rate: 5,
        parent: '1',
        team: 't',
        sealed: new Error('not sealed'),
      },
      { __typename: 'Job', id: '3', hours: 1, rate: null, parent: '2', team: null },
    ],
    Team: [{ __typename: 'Team', id: 't', size: 4, lead: { __typename: 'Lead', name: 'Lee', bonus: 7 } }],
  }),
  fields: {
    'Query.jobs': (_row, _args, tables) => tables['Job'],
    'Query.job': (_row, args, tables) => find(tables['Job'], 'id', args['id']),
    'Query.latest': (_row, _args, tables) => tables['Job']?.at(-1),
    'Job.parent': (row, _args, tables) => find(tables['Job'], 'id', row['parent']),
    'Job.team': (row, _args, tables) => find(tables['Team'], 'id', row['team']),
  },
  computed: {
    'Job.cost': { compute: costOf },
    'Job.tax': { compute: taxOf, inputs: (row) => ({ cost: costOf(row) }) },
    'Job.total': {
      compute: totalOf,
      inputs: (row) => ({ cost: costOf(row), tax: taxOf({ cost: costOf(row) }) }),
    },
    'Job.invoice': {
      compute: ({ total, hours }) => `${String(hours)}h=${String(total)}`,
      inputs: (row) => ({
        hours: row['hours'],
        total: totalOf({ cost: costOf(row), tax: taxOf({ cost: costOf(row) }) }),
      }),
    },
    'Team.budget': {
      compute: ({ size, lead }) => Number(size) * 100 + (lead as { bonus: number }).bonus,
    },
  },
  subgraphs: {
    plan: {
      sdl: `${FED2}
        type Query { jobs: [Job!]! job(id: ID!): Job }
        type Job @key(fields: "id") {
          id: ID! hours: Int! parent: Job team: Team
        }
        type Team @key(fields: "id") { id: ID! }`,
    },
    rates: {
      sdl: `${FED2}
        type Query { latest: Job }
        type Job @key(fields: "id") { id: ID! hours: Int! @external rate: Int cost: Int @requires(fields: "hours") }
        type Team @key(fields: "id") { id: ID! size: Int! lead: Lead }
        type Lead { name: String! bonus: Int }`,
    },
    taxes: {
      sdl: `${FED2} type Job @key(fields: "id") { id: ID! cost: Int @external tax: Int @requires(fields: "cost") sealed: Int! }`,
    },
    books: {
      sdl: `${FED2}
        type Job @key(fields: "id") {
          id: ID! cost: Int @external tax: Int @external
          total: Int @requires(fields: "cost tax")
        }
        type Team @key(fields: "id") { id: ID! size: Int! @external lead: Lead @external budget: Int @requires(fields: "size lead { bonus }") }
        type Lead @external { bonus: Int }`,
    },
    office: {
      sdl: `${FED2}
        type Job @key(fields: "id") {
          id: ID! hours: Int! @external total: Int @external
          invoice: String @requires(fields: "hours total")
        }`,
    },
  },
  operations: [
    { name: 'one link', query: '{ jobs { cost } }' },
    { name: 'two links', query: '{ jobs { tax } }' },
    { name: 'three links with a shared beginning', query: '{ jobs { total } }' },
    { name: 'four links', query: '{ jobs { invoice } }' },
    { name: 'every link selected', query: '{ job(id: "2") { hours rate cost tax total invoice } }' },
    { name: 'from the middle of the chain', query: '{ latest { id tax } }' },
    { name: 'the chain at two levels', query: '{ jobs { total parent { total parent { tax } } } }' },
    {
      name: 'an entity below with its own requirement',
      query: '{ jobs { tax team { budget size lead { name } } } }',
    },
    { name: 'aliases over the links', query: '{ job(id: "1") { tax: cost cost: tax total: id } }' },
    {
      name: 'fragments',
      query:
        '{ job(id: "2") { ...J parent { ... on Job { total } } } } fragment J on Job { tax ... { cost team { budget } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($t: Boolean!) { jobs { hours total @include(if: $t) cost @skip(if: $t) invoice @include(if: $t) } }',
      variables: { t: false },
    },
    {
      name: 'a non-null error beside the chain',
      query: '{ job(id: "2") { tax sealed } latest { parent { id sealed parent { total sealed } } } }',
      errors: 'exact',
    },
  ],
}

type Inputs = Readonly<Record<string, unknown>>

function costOf({ hours }: Inputs): unknown {
  return Number(hours) * 10
}

function taxOf({ cost }: Inputs): unknown {
  return Number(cost) / 5
}

function totalOf({ cost, tax }: Inputs): unknown {
  return Number(cost) + Number(tax)
}

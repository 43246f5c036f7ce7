/** What was once wrong with slow and failing subgraphs, each by the smallest graph that shows it. */
import { describe, expect, it } from 'vitest'
import type { Tamper } from '../../src/harness/run-engine.ts'
import { createEngine } from '../../src/harness/run-engine.ts'
import { FED2, find, type Row, type Suite } from '../../src/harness/suite.ts'
import { sharedInterfaceFields } from '../../src/suites/shared-interface-fields.ts'

const down =
  (name: string): Tamper =>
  (reply, { subgraph }) =>
    subgraph === name ? { kind: 'answer', status: 503, body: 'Service Unavailable' } : reply

const staff: Suite = {
  name: 'staff',
  monolith: `type Query { employees: [Employee!]! }
    type Employee { id: ID! details: Details }
    type Details { forename: String! hasChildren: Boolean! }`,
  tables: () => ({
    Employee: ['1', '2'].map(
      (id): Row => ({
        __typename: 'Employee',
        id,
        details: { __typename: 'Details', forename: `name ${id}`, hasChildren: id === '1' },
      }),
    ),
  }),
  fields: { 'Query.employees': (_row, _args, tables) => tables['Employee'] },
  subgraphs: {
    employees: {
      sdl: `${FED2} type Query { employees: [Employee!]! }
        type Employee @key(fields: "id") { id: ID! details: Details @shareable }
        type Details @shareable { forename: String! }`,
    },
    family: {
      sdl: `${FED2} type Employee @key(fields: "id") { id: ID! details: Details @shareable }
        type Details @shareable { hasChildren: Boolean! }`,
    },
  },
  operations: [],
}

describe('a shareable object of which a part is deferred, in a list', () => {
  const engine = createEngine(staff)
  const operations = [
    '{ employees { id details { forename } ... @defer { details { hasChildren } } } }',
    '{ employees { id ... @defer { details { hasChildren } } } }',
  ].map((query) => ({ name: query, query }))

  it.each(operations)(
    'does not make the first part wait for the subgraph of that part: $query',
    async (operation) => {
      const { parts, waitedForSlow } = await engine.runDeferred(operation, { slow: 'family' })
      expect(waitedForSlow).toBe(false)
      expect(parts?.at(-1)).toMatchObject({ completed: [{ id: '1' }], hasNext: false })
    },
  )

  it.each(operations)('keeps the first part whole where that subgraph is down: $query', async (operation) => {
    const healthy = await engine.runDeferred(operation)
    const { parts } = await engine.runDeferred(operation, { tamper: down('family') })
    expect(parts?.[0]).toEqual(healthy.parts?.[0])
    expect(parts?.[0]).not.toHaveProperty('errors')
    expect(JSON.stringify(parts?.slice(1))).toContain('\\"family\\"')
  })
})

const shop: Suite = {
  name: 'shop',
  monolith: `type Query { products: [Product!]! }
    union Product = Consultancy | Cosmo
    type Consultancy { upc: ID! lead: Employee! isLeadAvailable: Boolean }
    type Cosmo { upc: ID! }
    type Employee { id: ID! isAvailable: Boolean! }`,
  tables: () => ({
    Consultancy: [{ __typename: 'Consultancy', upc: 'c', lead: '1' }],
    Cosmo: [{ __typename: 'Cosmo', upc: 'm' }],
    Employee: [{ __typename: 'Employee', id: '1', isAvailable: true }],
  }),
  fields: {
    'Query.products': (_row, _args, tables) => [tables['Consultancy']?.[0], tables['Cosmo']?.[0]],
    'Consultancy.lead': (row, _args, tables) => find(tables['Employee'], 'id', row['lead']),
  },
  computed: {
    'Consultancy.isLeadAvailable': {
      compute: ({ lead }) => (lead as Row)['isAvailable'],
      inputs: (row, tables) => ({ lead: find(tables['Employee'], 'id', row['lead']) }),
    },
  },
  subgraphs: {
    products: {
      sdl: `${FED2} type Query { products: [Product!]! }
        union Product = Consultancy | Cosmo
        type Consultancy @key(fields: "upc") { upc: ID! lead: Employee! }
        type Cosmo @key(fields: "upc") { upc: ID! }
        type Employee @key(fields: "id") { id: ID! }`,
    },
    availability: { sdl: `${FED2} type Employee @key(fields: "id") { id: ID! isAvailable: Boolean! }` },
    needs: {
      sdl: `${FED2} type Consultancy @key(fields: "upc") { upc: ID! lead: Employee! @external
          isLeadAvailable: Boolean @requires(fields: "lead { isAvailable }") }
        type Employee @key(fields: "id") { id: ID! @external isAvailable: Boolean! @external }`,
    },
  },
  operations: [],
}

describe('a deferred field whose nested input another subgraph gives', () => {
  const engine = createEngine(shop)
  const query = '{ products { ... on Consultancy { upc ... @defer { isLeadAvailable } } } }'
  const operation = { name: query, query }

  it('does not make the first part wait for that subgraph', async () => {
    const { parts, waitedForSlow } = await engine.runDeferred(operation, { slow: 'availability' })
    expect(waitedForSlow).toBe(false)
    expect(parts?.at(-1)).toMatchObject({
      incremental: [{ data: { isLeadAvailable: true }, id: '1', subPath: [0] }],
    })
  })

  it('tells the error of that subgraph with its fragment', async () => {
    const { parts } = await engine.runDeferred(operation, { tamper: down('availability') })
    expect(parts?.[0]).not.toHaveProperty('errors')
    expect(JSON.stringify(parts?.slice(1))).toContain('\\"availability\\"')
  })
})

const usersWith = (info: string): Suite => ({
  name: 'users',
  monolith: `type Query { user: User } type User { id: ID! info: ${info} } type Info { email: String! phone: String more: Int }`,
  tables: () => ({
    User: [
      { __typename: 'User', id: '1', info: { __typename: 'Info', email: 'a@b.test', phone: '555', more: 3 } },
    ],
  }),
  fields: { 'Query.user': (_row, _args, tables) => tables['User']?.[0] },
  subgraphs: {
    users: {
      sdl: `${FED2} type Query { user: User } type User @key(fields: "id") { id: ID! info: ${info} }
        type Info { email: String! phone: String more: Int }`,
    },
  },
  operations: [],
})

/** Against its own schema, the subgraph sends null. */
const withoutEmail: Tamper = (reply) =>
  reply.kind === 'answer'
    ? { ...reply, body: JSON.parse(JSON.stringify(reply.body).replace('"a@b.test"', 'null')) }
    : reply

it.each([
  'Info!',
  // As in graphql-js, a field that only one fragment selects takes no object from another one that can show
  // it.
  'Info',
])(
  'a fragment of which another one delivers everything delivers it, and what is nested in it, where that one fails: %s',
  async (info) => {
    const query =
      '{ user { id ... @defer(label: "a") { info { email phone } } ... @defer(label: "b") { info { phone ... @defer(label: "c") { more } } } } }'
    const { parts } = await createEngine(usersWith(info)).runDeferred(
      { name: query, query },
      { tamper: withoutEmail },
    )
    expect(parts?.[0]?.pending).toEqual([
      { id: '1', path: ['user'], label: 'a' },
      { id: '2', path: ['user'], label: 'b' },
    ])
    const [, failed, delivered, nested] = parts ?? []
    expect(failed).toMatchObject({ completed: [{ id: '1', errors: [{ path: ['user', 'info', 'email'] }] }] })
    expect(delivered).toMatchObject({
      incremental: [{ data: { info: { phone: '555' } }, id: '2' }],
      completed: [{ id: '2' }],
      pending: [{ id: '3', path: ['user', 'info'], label: 'c' }],
    })
    expect(nested).toMatchObject({ incremental: [{ data: { more: 3 }, id: '3' }], hasNext: false })
  },
)

it('the first part shows objects whose types only a deferred call tells, where it is the same for all types', async () => {
  const query = '{ accounts { id ... @defer { active } } }'
  const { parts } = await createEngine(sharedInterfaceFields).runDeferred({ name: query, query })
  expect(parts?.[0]).toEqual({
    data: { accounts: [{ id: 'a1' }, { id: 'u1' }] },
    pending: [{ id: '1', path: ['accounts'] }],
    hasNext: true,
  })
  expect(parts?.[1]).toMatchObject({
    incremental: [
      { data: { active: true }, id: '1', subPath: [0] },
      { data: { active: null }, id: '1', subPath: [1] },
    ],
    completed: [{ id: '1' }],
    hasNext: false,
  })
})

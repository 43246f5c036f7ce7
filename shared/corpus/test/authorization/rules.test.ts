import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/harness/run-engine.ts'
import type { Suite } from '../../src/harness/suite.ts'

const IMPORTS =
  '["@key", "@shareable", "@external", "@requires", "@authenticated", "@requiresScopes", "@policy"]'
const FED = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ${IMPORTS})\n`

const accounts = `${FED}
  type Query {
    me: User
    users: [User!]!
    found: [Found]
    things: [Thing]
    all: [Thing] 
    audit: Audit @authenticated
    must: Int! @policy(policies: [["no"]])
  }
  type Mutation { count: Int first: Int! @authenticated second: Int }
  union Found = User | Audit
  interface Thing { id: ID! }
  type User implements Thing @key(fields: "id") {
    id: ID!
    name: String
    email: String @authenticated
    salary: Int! @requiresScopes(scopes: [["pay", "read"], ["admin"]])
    role: Role
    spent: Money
    boss: User
  }
  type Audit implements Thing @policy(policies: [["auditor"]]) { id: ID! text: String }
  enum Role @requiresScopes(scopes: [["roles"]]) { A B }
  scalar Money @requiresScopes(scopes: [["money"]])`

const shipping = `${FED}
  type User @key(fields: "id") {
    id: ID!
    email: String @external
    letter: String @requires(fields: "email") @authenticated
    parcels: Int
  }`

const user = (id: string) => ({
  __typename: 'User',
  id,
  name: `Name ${id}`,
  email: `${id}@x`,
  salary: 10,
  role: 'A',
  spent: 5,
  parcels: 2,
})
const users = [user('1'), user('2')]
const audit = { __typename: 'Audit', id: 'a', text: 'log' }
let counted = 0

const suite: Suite = {
  name: 'access rules',
  monolith: [accounts, shipping]
    .join('\n')
    .replaceAll(
      /extend schema.*|@(key|external|requires|authenticated|requiresScopes|policy)\b(\([^)]*\))?/g,
      '',
    )
    .replace(/type User\s+\{[^}]*parcels: Int\s*\}/, 'extend type User { letter: String parcels: Int }'),
  tables: () => ({ User: [...users] }),
  fields: {
    'Query.me': (_row, _args, tables) => tables['User']?.[0],
    'Query.users': (_row, _args, tables) => tables['User'],
    'Query.found': (_row, _args, tables) => [tables['User']?.[0], audit],
    'Query.things': (_row, _args, tables) => [tables['User']?.[0], audit],
    'Query.audit': () => audit,
    'Query.must': () => 1,
    'Mutation.count': () => ++counted,
    'Mutation.first': () => ++counted,
    'Mutation.second': () => ++counted,
    'User.boss': (_row, _args, tables) => tables['User']?.[1],
  },
  computed: { 'User.letter': { compute: ({ email }) => `to ${String(email)}` } },
  subgraphs: { accounts: { sdl: accounts }, shipping: { sdl: shipping } },
  operations: [],
}

const NOBODY = { isAuthenticated: false, scopes: new Set<string>(), policies: new Set<string>() }
const holding = (more: {
  readonly isAuthenticated?: boolean
  readonly scopes?: readonly string[]
  readonly policies?: readonly string[]
}) => ({
  isAuthenticated: more.isAuthenticated ?? true,
  scopes: new Set(more.scopes),
  policies: new Set(more.policies),
})

const composed = compose({
  subgraphs: Object.entries(suite.subgraphs).map(([name, { sdl }]) => ({
    name,
    sdl,
    routingUrl: `http://${name}.test/`,
  })),
})
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
const { supergraphSdl } = composed

function engineFor(authorization = NOBODY, sdl = supergraphSdl) {
  return createEngine(suite, { supergraphSdl: sdl, authorization })
}

async function ask(query: string, authorization = NOBODY, sdl = supergraphSdl) {
  const documents: string[] = []
  const run = await engineFor(authorization, sdl).run({ name: query, query }, (reply, { fetch }) => {
    documents.push(fetch.document)
    return reply
  })
  expect(run.complaints).toEqual([])
  const { data, errors } = run.result
  return { data, errors: errors.map(({ path }) => (path ?? []).join('.')), documents, all: errors }
}

describe('what a request may not see', () => {
  it('is null, with an error at each of its places, and no subgraph is asked for it', async () => {
    const { data, errors, all, documents } = await ask('{ users { name mail: email } }')
    expect(data).toEqual({ users: users.map(({ name }) => ({ name, mail: null })) })
    expect(errors).toEqual(['users.0.mail', 'users.1.mail'])
    expect(all[0]).toEqual({
      message: 'Not authorized to see User.email.',
      path: ['users', 0, 'mail'],
      extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
    })
    expect(documents).toEqual(['{users{name}}'])
    expect((await ask('{ me { email } }', holding({}))).data).toEqual({ me: { email: '1@x' } })
  })

  it('takes the object along where it must not be null', async () => {
    expect(await ask('{ me { name boss { salary } } }')).toMatchObject({
      data: { me: { name: 'Name 1', boss: null } },
      errors: ['me.boss.salary'],
    })
    expect(await ask('{ users { salary } }')).toMatchObject({ data: null })
    expect(await ask('{ me { id } must }')).toMatchObject({ data: null, errors: ['must'] })
  })

  it('is seen by who holds all scopes of one of the lists', async () => {
    const may = async (...scopes: readonly string[]) =>
      (await ask('{ me { salary } }', holding({ scopes }))).errors.length === 0
    expect([await may(), await may('pay'), await may('read'), await may('roles')]).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect([await may('pay', 'read'), await may('admin', 'x')]).toEqual([true, true])
  })

  it('is every field that returns a protected object, enum or scalar', async () => {
    expect(await ask('{ me { role spent } audit { id } }', holding({}))).toMatchObject({
      data: { me: { role: null, spent: null }, audit: null },
      errors: ['me.role', 'me.spent', 'audit'],
    })
    const all = holding({ scopes: ['roles', 'money'], policies: ['auditor'] })
    expect(await ask('{ me { role spent } audit { id } }', all)).toMatchObject({
      data: { me: { role: 'A', spent: 5 }, audit: { id: 'a' } },
      errors: [],
    })
  })

  it('is told by the type of each object of a union', async () => {
    const query = '{ found { __typename ... on User { id } ... on Audit { text } } }'
    expect(await ask(query)).toMatchObject({
      data: { found: [{ __typename: 'User', id: '1' }, null] },
      errors: ['found.1.__typename'],
    })
    const { data, documents } = await ask('{ found { ... on User { id } ... on Audit { text } } }')
    expect(data).toEqual({ found: [{ id: '1' }, { text: null }] })
    expect(documents.join()).not.toContain('text')
    expect((await ask(query, holding({ policies: ['auditor'] }))).errors).toEqual([])
  })

  it('is an interface for who may not see one of its types, since composition says so', async () => {
    expect(await ask('{ things { id } }')).toMatchObject({ data: { things: null }, errors: ['things'] })
    expect((await ask('{ things { id } }', holding({ policies: ['auditor'] }))).data).toEqual({
      things: [{ id: '1' }, { id: 'a' }],
    })
  })

  it('is not fetched for what is computed from it, also where an older composer did not insist on that', async () => {
    const older = supergraphSdl.replace(/(letter: String .*?) @authenticated/, '$1')
    expect(older).not.toBe(supergraphSdl)
    for (const sdl of [supergraphSdl, older]) {
      const { data, errors, documents } = await ask('{ me { letter parcels } }', NOBODY, sdl)
      expect([data, errors]).toEqual([{ me: { letter: null, parcels: 2 } }, ['me.letter']])
      expect(documents.join()).not.toContain('email')
      expect((await ask('{ me { letter } }', holding({}), sdl)).data).toEqual({ me: { letter: 'to 1@x' } })
    }
  })

  it('is found through fragments, and is not hidden by what else is selected under its key', async () => {
    const query =
      '{ me { ...A ... on Thing { ... on User { email } } } } fragment A on User { name e: email }'
    expect((await ask(query)).errors).toEqual(['me.e', 'me.email'])
  })

  it('is not carried out, nor is what follows it, where a mutation must not be null', async () => {
    counted = 0
    expect(await ask('mutation { count first second }')).toMatchObject({ data: null, errors: ['first'] })
    expect(counted).toBe(1)
    expect((await ask('mutation { first second }', holding({}))).data).toEqual({ first: 2, second: 3 })
  })

  it('is null in the part of a deferred answer that it belongs to', async () => {
    const query = '{ me { name ... @defer { parcels email } ... @defer(label: "pay") { salary } } }'
    const { parts, complaints } = await engineFor().runDeferred({ name: query, query })
    expect(complaints).toEqual([])
    const text = JSON.stringify(parts)
    expect(parts?.[0]).toMatchObject({ data: { me: { name: 'Name 1' } } })
    expect(parts?.[0]).not.toHaveProperty('errors')
    expect(text).toContain('"parcels":2')
    expect(text).toContain('"email":null')
    expect(text).toContain('"path":["me","email"],"extensions":{"code":"UNAUTHORIZED_FIELD_OR_TYPE"}')
    expect(text).toContain('"path":["me","salary"],"extensions":{"code":"UNAUTHORIZED_FIELD_OR_TYPE"}')
    expect(parts?.at(-1)).toMatchObject({ hasNext: false })
  })

  it('makes no difference to operations that do not reach it', () => {
    const engine = engineFor()
    const query = '{ me { id name parcels } }'
    expect(engine.plan({ name: query, query }).denied).toEqual([])
    expect(engine.plan({ name: query, query })).toEqual(engineFor(holding({})).plan({ name: query, query }))
  })
})

describe('what an interface object gives', () => {
  const sdls = {
    media: `${FED} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! }
      type Book implements Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") @authenticated { id: ID! }`,
    ratings: `${FED.replace('"@key"', '"@key", "@interfaceObject"')} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
  }

  it('is demanded for every type, since its subgraph does not know the types', () => {
    const result = compose({
      subgraphs: Object.entries(sdls).map(([name, sdl]) => ({
        name,
        sdl,
        routingUrl: `http://${name}.test/`,
      })),
    })
    if (result.kind === 'failed') throw new Error(JSON.stringify(result.errors))
    const open = result.supergraphSdl.replace(/(interface Media\s[^{]*?)\s+@authenticated/, '$1')
    const media: Suite = {
      ...suite,
      monolith: `type Query { media: [Media] } interface Media { id: ID! stars: Int }
        type Book implements Media { id: ID! stars: Int } type Film implements Media { id: ID! stars: Int }`,
      subgraphs: { media: { sdl: sdls.media }, ratings: { sdl: sdls.ratings } },
    }
    const engine = createEngine(media, { supergraphSdl: open, authorization: NOBODY })
    const query = '{ media { id ... on Book { stars } } }'
    const plan = engine.plan({ name: query, query })
    expect(plan.denied).toContain('Book.stars')
    expect(plan.fetches.map(({ document }) => document).join()).not.toContain('stars')
  })
})

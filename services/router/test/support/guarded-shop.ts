/** Real subgraphs whose schemas say who may see what, and what they were asked. */
import { createServer } from 'node:http'
import { compose } from '@switchyard/composition'
import { InProcessSubgraph, type SubgraphResolvers } from '@switchyard/testkit'
import { type BuiltArtifact, packed } from './artifacts.ts'
import { closeServer, listenOnFreePort } from './subgraph.ts'

const FED = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@authenticated", "@requiresScopes", "@policy"])`

const ACCOUNTS = `${FED}
  type Query { me: User users: [User!] found: [Found] things: [Thing] audit: Audit }
  type Mutation { count: Int raise: Int! @authenticated last: Int }
  interface Thing { id: ID! }
  union Found = User | Audit
  type User implements Thing @key(fields: "id") {
    id: ID! name: String role: Role boss: User
    email: String @authenticated
    salary: Int! @requiresScopes(scopes: [["pay", "read"], ["admin"]])
    note: String @policy(policies: [["auditor"]])
  }
  type Audit implements Thing @policy(policies: [["auditor"]]) { id: ID! text: String }
  enum Role @requiresScopes(scopes: [["roles"]]) { A B }`

const SHIPPING = `${FED}
  type User @key(fields: "id") {
    id: ID!
    email: String @external
    letter: String @requires(fields: "email") @authenticated
    parcels: Int
  }`

const SDLS = {
  accounts: ACCOUNTS,
  /** Names are for those who are known, too. */
  'accounts-next': ACCOUNTS.replace('name: String', 'name: String @authenticated'),
  shipping: SHIPPING,
} as const
type Name = keyof typeof SDLS

const USERS = ['1', '2'].map((id) => ({
  __typename: 'User',
  id,
  name: `Name ${id}`,
  email: `${id}@x`,
  role: 'A',
  salary: 10,
  note: 'fine',
  boss: { __typename: 'User', id: '2', name: 'Name 2', salary: 20 },
}))
const AUDIT = { __typename: 'Audit', id: 'a', text: 'log' }

export type GuardedShop = AsyncDisposable & {
  readonly base: BuiltArtifact
  /** The composition in which names are protected, too. */
  readonly flag: BuiltArtifact
  /** Mutations that were carried out. */
  readonly carriedOut: string[]
  /** What subgraphs were asked since the last call, as `subgraph: document`. */
  takeAsked(): readonly string[]
  /** From now on subgraphs answer when it is released. */
  hold(): Disposable
}

/** `allowUnenforced`: the artifacts say that their graph allows it. */
export async function startGuardedShop(allowUnenforced = false): Promise<GuardedShop> {
  const asked: string[] = []
  const carriedOut: string[] = []
  let held = Promise.resolve()
  const resolvers = resolversOf(carriedOut)
  const subgraphs = new Map(
    Object.entries(SDLS).map(([name, sdl]) => [
      name,
      new InProcessSubgraph({ name, sdl, resolvers: name === 'shipping' ? SHIPPING_RESOLVERS : resolvers }),
    ]),
  )
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      asked.push(`${name}: ${String(JSON.parse(body).query)}`)
      void held
        .then(() => subgraphs.get(name)?.execute(body))
        .then((answer) => {
          response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' })
          response.end(JSON.stringify(answer?.body))
        })
    })
  })
  const port = await listenOnFreePort(server)
  const composed = (accounts: Name) =>
    compositionOf([accounts, 'shipping'], (name) => `http://127.0.0.1:${port}/${name}`, allowUnenforced)
  return {
    base: composed('accounts'),
    flag: composed('accounts-next'),
    carriedOut,
    takeAsked: () => asked.splice(0),
    hold: () => {
      const holding = Promise.withResolvers<void>()
      held = holding.promise
      return { [Symbol.dispose]: () => holding.resolve() }
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  }
}

function compositionOf(
  names: readonly Name[],
  urlOf: (name: Name) => string,
  allowUnenforced: boolean,
): BuiltArtifact {
  const inputs = names.map((name) => ({ name, sdl: SDLS[name], routingUrl: urlOf(name) }))
  const result = compose({ subgraphs: inputs, allowUnenforcedAuthorization: allowUnenforced })
  if (result.kind === 'failed') throw new Error(JSON.stringify(result.errors))
  return packed({
    formatVersion: 1,
    supergraphSdl: result.supergraphSdl,
    subgraphs: inputs.map(({ name, routingUrl }) => ({ name, routingUrl })),
    compatibilityVersion: 'v0.3',
    ...(allowUnenforced ? { allowUnenforcedAuthorization: true as const } : {}),
  })
}

function resolversOf(carriedOut: string[]): SubgraphResolvers {
  const carryOut = (name: string) => () => carriedOut.push(name)
  return {
    Query: {
      me: () => USERS[0],
      users: () => USERS,
      found: () => [USERS[0], AUDIT],
      things: () => [USERS[0], AUDIT],
      audit: () => AUDIT,
    },
    Mutation: { count: carryOut('count'), raise: carryOut('raise'), last: carryOut('last') },
    User: { __resolveReference: ({ id }: { readonly id: string }) => USERS.find((user) => user.id === id) },
  }
}

const SHIPPING_RESOLVERS: SubgraphResolvers = {
  User: {
    __resolveReference: (reference: object) => reference,
    letter: ({ email }: { readonly email?: string }) => `to ${email}`,
    parcels: () => 2,
  },
}

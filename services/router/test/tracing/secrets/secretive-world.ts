/**
 * Routers over two subgraphs that answer with secrets: those that fields with such names have, and those they
 * were sent.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema, execute, type GraphQLResolveInfo, isListType, isNonNullType, parse } from 'graphql'
import { compose } from '@switchyard/composition'
import { start, type TestRouter } from '../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import { type SecretiveRequest, secretiveData, told, writtenAnyhow } from './secretive-request.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])'
const SUBGRAPHS = {
  people: `
    scalar JSON
    type Query { me: User users(first: Int): [User!] login(password: String, in: Credentials, code: JSON): String plain(text: String, data: JSON): JSON }
    type Mutation { signUp(token: String, in: Credentials): User }
    input Credentials { password: String name: String deep: Credentials list: [Credentials!] apiKey: JSON }
    type User @key(fields: "id accessToken") { id: ID! accessToken: String! name: String about: JSON session: Session }
    type Session { token: String label: String cards: [Card!] }
    type Card { number: String label: String }`,
  vault: `
    scalar JSON
    type User @key(fields: "id accessToken") { id: ID! accessToken: String! balance: Int ssn: String notes: [String] data: JSON verify(password: String, text: String): String }`,
} as const
type SubgraphName = keyof typeof SUBGRAPHS

const FEDERATION = `
  directive @key(fields: String!) repeatable on OBJECT
  scalar _Any
  union _Entity = User`
/** In the routing URL of the second subgraph. */
export const KEY_IN_URL = 'k3y-in-the-routing-url'

export type SecretiveWorld = AsyncDisposable & {
  /** Starts one more router over the same subgraphs. */
  routerWith(settings: string): Promise<TestRouter>
  /** What is answered from now on is drawn for this request. */
  answer(request: SecretiveRequest): void
}

export async function startSecretiveWorld(): Promise<SecretiveWorld> {
  await using parts = new AsyncDisposableStack()
  let current: SecretiveRequest | null = null
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      if (current === null) throw new Error('A subgraph is asked while there is no request')
      const name = request.url?.startsWith('/vault') === true ? 'vault' : 'people'
      void respond(current, name, body, request.headers, response)
    })
  })
  const port = await listenOnFreePort(server)
  parts.defer(() => closeServer(server))
  const composed = compose({
    subgraphs: Object.entries(SUBGRAPHS).map(([name, sdl]) => ({
      name,
      sdl: `${LINK}\n${sdl}`,
      routingUrl: `http://127.0.0.1:${port}/${name}?key=${KEY_IN_URL}`,
    })),
  })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-secrets-'))
  parts.defer(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'supergraph.graphql')
  await writeFile(path, composed.supergraphSdl)
  const world = parts.move()
  return {
    async routerWith(settings) {
      const router = world.use(await start({ kind: 'supergraph', path }, { settings }))
      await router.ready
      return router
    },
    answer(request) {
      current = request
    },
    [Symbol.asyncDispose]: () => world.disposeAsync(),
  }
}

const SCHEMAS = Object.fromEntries(
  Object.entries(SUBGRAPHS).map(([name, sdl]) => {
    const query = name === 'people' ? 'extend type Query' : 'type Query'
    return [
      name,
      buildSchema(`${sdl}${FEDERATION} ${query} { _entities(representations: [_Any!]!): [_Entity]! }`),
    ]
  }),
)

async function respond(
  request: SecretiveRequest,
  name: SubgraphName,
  body: string,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  const { random, secrets } = request
  const own = secrets.branch()
  // The router has to know those that it sent, whoever drew them.
  const sent = secrets.long.filter((secret) => body.includes(JSON.stringify(secret).slice(1, -1)))
  const { query, variables } = JSON.parse(body)
  const ofHeaders = [String(headers['authorization']), String(headers['x-api-key'])]
  const known = () => [...sent, ...ofHeaders, ...own.long]
  const schema = SCHEMAS[name] ?? buildSchema('type Query { a: Int }')
  const result = await execute({
    schema,
    document: parse(query),
    variableValues: variables,
    fieldResolver: (source, args, _, info) => valueOf(source, args, info),
    typeResolver: () => 'User',
  })
  const errors = result.errors?.map((error) => error.toJSON())
  switch (random.below(20)) {
    case 0:
      return void response.destroy()
    case 1:
      return void response
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(told(random, [...sent, ...ofHeaders]))
    case 2:
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"data": ${told(random, sent)}`)
  }
  secrets.adopt(own)
  const cookie = secrets.token()
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': [`s=${cookie}; Path=/`, `t=${secrets.token()}`],
      'x-debug': cookie,
      'cache-control': `max-age=0, for=${cookie}`,
    })
    .end(
      writtenAnyhow(random, {
        data: result.data,
        ...((errors !== undefined || random.chance(20)) && {
          errors: [
            ...(errors ?? []),
            { message: told(random, known()), extensions: { seen: told(random, known()) } },
          ],
        }),
        ...(random.chance(20) && { extensions: secretiveData(random, own, known(), 1) }),
      }),
    )

  function valueOf(
    source: unknown,
    args: Readonly<Record<string, unknown>>,
    info: GraphQLResolveInfo,
  ): unknown {
    const { fieldName, returnType } = info
    const type = isNonNullType(returnType) ? returnType.ofType : returnType
    if (fieldName === '_entities') return [args['representations']].flat()
    const given: unknown = Object(source)[fieldName]
    if (given !== undefined) return given
    if (isListType(type)) return Array.from({ length: 2 }, () => scalarOf(fieldName, String(type.ofType)))
    return scalarOf(fieldName, String(type))
  }

  function scalarOf(field: string, type: string): unknown {
    if (random.chance(3) && field !== 'accessToken' && field !== 'id') throw new Error(told(random, known()))
    if (['accessToken', 'token', 'ssn', 'number'].includes(field)) return own.next()
    switch (type.replace('!', '')) {
      case 'ID':
        return `u${random.below(1000)}`
      case 'Int':
        return random.below(100)
      case 'JSON':
        return secretiveData(random, own, known(), 1)
      case 'String':
        return told(random, known())
      default:
        return {}
    }
  }
}

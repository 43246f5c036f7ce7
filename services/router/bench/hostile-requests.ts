/**
 * What single requests cost that were made to cost much. See README.md.
 *
 *   node services/router/bench/hostile-requests.ts [--only <part of a name>]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { packed } from '../test/support/artifacts.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { startRouterProcess } from '../test/support/router-process.ts'

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } })

/** Object types that implement one interface, and inputs. */
const SUPERGRAPH = `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
  directive @link(url: String, for: link__Purpose) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT | INTERFACE | INPUT_OBJECT | SCALAR
  directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
  enum link__Purpose { EXECUTION }
  enum join__Graph { A @join__graph(name: "a", url: "http://a.example/graphql") }
  interface Node @join__type(graph: A) { id: ID! }
  input Filter @join__type(graph: A) { name: String first: Int }
  scalar JSON @join__type(graph: A)
  type Query @join__type(graph: A) { me: Int self: Query f(filter: Filter, ids: [ID], json: JSON): Int }
  ${Array.from({ length: 300 }, (_, index) => `type T${index} implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) { id: ID! next: T${(index * 7) % 300} }`).join('\n')}`

const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))
const filtered = 'query ($filter: Filter) { f(filter: $filter) }'

/** By name: the body of the request. The subgraph answers `me` with an error of ten megabytes. */
const ATTACKS: Readonly<Record<string, () => string>> = {
  'a small query': () => JSON.stringify({ query: '{ self { me } }' }),
  'introspection, 900 names in lists of lists': () =>
    JSON.stringify({
      query: `{__schema{types{interfaces{possibleTypes{${numbered(900, (n) => `a${n}:name`).join(' ')}}}}}}`,
    }),
  'variables with 100,000 unknown fields, 4.2 MB': () =>
    JSON.stringify({
      query: filtered,
      variables: {
        filter: Object.fromEntries(
          numbered(100_000, (n) => `unknown${n}`).map((key) => [key, 'x'.repeat(24)]),
        ),
      },
    }),
  'a literal of 1 MB with 3000 unknown fields': () =>
    JSON.stringify({
      query: `{ f(filter: {${numbered(3000, (n) => `u${n}: "${'x'.repeat(350)}"`).join(' ')}}) }`,
    }),
  '2.6 million line breaks, 60 unknown fields': () =>
    JSON.stringify({ query: `${'\r'.repeat(2_600_000)}{ ${numbered(60, (n) => `u${n}`).join(' ')} }` }),
  '11 KB in an operation that is not executed': () =>
    JSON.stringify({
      query: `query A { me } query B { ${'self { self { me } } '.repeat(550)} }`,
      operationName: 'A',
    }),
  'one number of 20 digits in 5.2 MB': () =>
    `{"query":"query ($ids: [ID]) { f(ids: $ids) }","variables":{"ids":[12345678901234567890],"other":[${'7,'.repeat(2_580_000)}7]}}`,
  'input nested 2000 deep': () =>
    `{"query":"query ($json: JSON) { f(json: $json) }","variables":{"json":${'['.repeat(2000)}${']'.repeat(2000)}}}`,
  'an error message of 10 MB': () => JSON.stringify({ query: '{ me }' }),
}

const message = 'x'.repeat(10_000_000)
const subgraph = createServer((request, response) => {
  request.resume()
  const isBad = request.headers['x-bad'] !== undefined
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify(
      isBad
        ? { data: { me: null }, errors: [{ message, path: ['me'] }] }
        : { data: { me: 1, self: { me: 1 }, f: 1 } },
    ),
  )
})
await new Promise<void>((resolve) => {
  subgraph.listen(0, '127.0.0.1', resolve)
})
await using world = await ConfigWorld.create()
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
const { port } = subgraph.address() as AddressInfo
await world.publish({
  revision: 1,
  base: packed({
    formatVersion: 1,
    supergraphSdl: SUPERGRAPH,
    subgraphs: [{ name: 'a', routingUrl: `http://127.0.0.1:${port}/` }],
    compatibilityVersion: 'join/v0.3',
  }),
})
console.log(
  'CPU of the router, of all its threads; bytes of the answer; resident memory afterwards, collected',
)
let measuring: number | null = null
for (const [name, body] of Object.entries(ATTACKS)) {
  if (measuring !== null && !name.includes(options.only)) continue
  await using router = await startRouterProcess(
    world,
    'headers: { request: [{ propagate: x-bad }] }\naccess_log: { enabled: false }',
  )
  const ask = async (text: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    })
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
  }
  for (let warm = 0; warm < 50; warm++) await ask('{"query":"{ self { me } }"}')
  const text = body()
  const before = await router.measure()
  const { status, bytes } = await ask(text, name.includes('message') ? { 'x-bad': '1' } : {}).catch(() => ({
    status: 0,
    bytes: 0,
  }))
  const after = await router.measure().catch(() => null)
  // What measuring takes, which is two collections, is known from the first one.
  measuring ??= after === null ? 0 : after.cpu - before.cpu
  const cpu =
    after === null ? 'it ended' : `${Math.max(0, Math.round((after.cpu - before.cpu - measuring) / 1000))} ms`
  const memory = after === null ? '' : `${Math.round(after.resident / 1e6)} MB`
  console.log([name, `${text.length} bytes in`, cpu, status, `${bytes} bytes out`, memory].join(' | '))
}
subgraph.closeAllConnections()
subgraph.close()

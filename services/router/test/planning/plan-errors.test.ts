/** Operations that no plan can answer, as clients see them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { post, start, type TestRouter } from '../support/router.ts'

const stack = new AsyncDisposableStack()
let one: RawSubgraph
let two: RawSubgraph
let router: TestRouter

beforeAll(async () => {
  one = stack.use(await startRawSubgraph())
  two = stack.use(await startRawSubgraph())
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-unreachable-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'supergraph.graphql')
  // Nothing leads from a user of ONE to the same user in TWO: no composition lets this through.
  await writeFile(
    path,
    `schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
    { query: Query }
    enum join__Graph {
      ONE @join__graph(name: "one", url: "${one.url}")
      TWO @join__graph(name: "two", url: "${two.url}")
    }
    type Query @join__type(graph: ONE) @join__type(graph: TWO) {
      user: User @join__field(graph: ONE)
      count: Int @join__field(graph: TWO)
    }
    type User @join__type(graph: ONE) @join__type(graph: TWO) {
      id: ID @join__field(graph: ONE)
      name: String @join__field(graph: TWO)
      mail: String @join__field(graph: TWO)
    }`,
  )
  router = stack.use(await start({ kind: 'supergraph', path }))
})
afterAll(() => stack.disposeAsync())

describe('an operation with fields that no subgraph can reach', () => {
  it.each(['application/json', 'application/graphql-response+json'])(
    'gets data null and an error for each, before anything is fetched (%s)',
    async (accept) => {
      const query = '{ count user { id who: name mail } }'
      const reply = await post(router, { query }, { accept })
      expect(reply.status).toBe(200)
      expect(reply.json).toEqual({
        errors: ['User.name', 'User.mail'].map((coordinate, index) => ({
          message: expect.stringContaining(coordinate),
          path: ['user', index === 0 ? 'who' : 'mail'],
          extensions: { code: 'PLAN_UNREACHABLE' },
        })),
        data: null,
      })
      expect([...one.received, ...two.received]).toEqual([])
    },
  )

  it('is answered when conditions leave those fields out', async () => {
    const query = 'query ($all: Boolean!) { user { id name @include(if: $all) } }'
    one.answers((_body, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"user":{"id":"1"}}}'),
    )
    const asked = async (all: boolean) => (await post(router, { query, variables: { all } })).json
    expect((await asked(true)).data).toBeNull()
    expect(one.received).toEqual([])
    expect(await asked(false)).toEqual({ data: { user: { id: '1' } } })
  })
})

describe('an operation of a kind that the graph does not have', () => {
  it('is refused as not valid before it is planned', async () => {
    const reply = await post(
      router,
      { query: 'mutation { __typename }' },
      { accept: 'application/graphql-response+json' },
    )
    expect(reply.status).toBe(400)
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED')
  })
})

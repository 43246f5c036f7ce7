/** Users with random headers, under random rules, at random times: nobody gets what is another one's. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { ECHOED_HEADERS, type EchoSubgraph, startEchoSubgraph } from '../support/echo-subgraph.ts'
import { post, routerOn } from '../support/router.ts'

const QUERY = 'query ($upc: ID!) { product(upc: $upc) { name } }'

/** Headers that rules hand on to `subgraph`, or to all. */
const rules = fc.array(
  fc.record({
    propagate: fc.constantFrom(...ECHOED_HEADERS),
    subgraph: fc.constantFrom(null, 'products', 'reviews'),
  }),
  { maxLength: 3 },
)
type Rules = typeof rules extends fc.Arbitrary<infer Generated> ? Generated : never

/** What users send, and when, in milliseconds from the start. */
const users = fc.array(
  fc.record({
    headers: fc.dictionary(fc.constantFrom(...ECHOED_HEADERS), fc.constantFrom('a', 'b', 'a, b')),
    upc: fc.constantFrom('1', '2', 'fails'),
    at: fc.constantFrom(0, 0, 0, 2, 5, 10),
  }),
  { minLength: 8, maxLength: 40 },
)
type User = (typeof users extends fc.Arbitrary<infer Generated> ? Generated : never)[number]

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: EchoSubgraph
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  products = stack.use(await startEchoSubgraph())
  const urls = { products: products.url, reviews: products.url }
  await world.publish({ revision: 1, base: buildArtifact('base', urls), flags: {} })
})
afterAll(() => stack.disposeAsync())

function settingsOf(forwarded: Rules): string {
  const request = (name: string | null) =>
    forwarded.filter(({ subgraph }) => subgraph === name).map(({ propagate }) => ({ propagate }))
  const subgraphs = { products: { request: request('products') }, reviews: { request: request('reviews') } }
  return JSON.stringify({ headers: { request: request(null), subgraphs } })
}

/** What the subgraph of products says to a user if it sees what the rules let it see. */
function expectedFor({ upc, headers }: User, forwarded: Rules): string {
  const seen = new Set(
    forwarded.filter(({ subgraph }) => subgraph !== 'reviews').map(({ propagate }) => propagate),
  )
  return JSON.stringify([
    upc,
    ...ECHOED_HEADERS.map((name) => (seen.has(name) ? headers[name] : null) ?? null),
  ])
}

describe('under any rules for headers', () => {
  it('each user gets the data or the error that is meant for the headers of that user', async () => {
    let joined = 0
    await fc.assert(
      fc.asyncProperty(rules, users, async (forwarded, all) => {
        await using router = await routerOn(world, { settings: settingsOf(forwarded) })
        await router.ready
        const replies = await Promise.all(
          all.map(async ({ headers, upc, at }) => {
            await new Promise((resolve) => setTimeout(resolve, at))
            return post(router, { query: QUERY, variables: { upc } }, headers)
          }),
        )
        for (const [index, user] of all.entries()) {
          const { data, errors } = replies[index]?.json ?? {}
          const product = data?.['product'] as { name: string } | null
          expect(user.upc === 'fails' ? errors?.[0]?.message : product?.name).toBe(
            expectedFor(user, forwarded),
          )
        }
        joined += router.logs.filter((line) => line['joined'] === true).length
      }),
      { numRuns: 12 },
    )
    expect(joined).toBeGreaterThan(20)
  })
})

/** What operations may cost, over HTTP: the shop's lists have four items unless arguments say otherwise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RouterSettings } from '../../../src/config/settings.ts'
import { packed } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
})
afterAll(() => stack.disposeAsync())

async function routerWith(costs: string, more = ''): Promise<TestRouter> {
  const router = stack.use(await routerOn(world, { settings: `costs: ${costs}\n${more}` }))
  await router.ready
  return router
}
const PRODUCTS = '{ topProducts { name reviews { body } } }'
const asked = () => shop.products.requests.length + shop.reviews.requests.length
const refusalOf = async (router: TestRouter, query: string, headers: Record<string, string> = {}) => {
  const before = asked()
  const { status, json } = await post(router, { query }, headers)
  expect(asked()).toBe(before)
  expect(json.errors).toHaveLength(1)
  return { status, code: json.errors?.[0]?.extensions?.['code'], message: json.errors?.[0]?.message }
}
const answered = async (router: TestRouter) => {
  const line = router.logs.findLast(({ event }) => event === 'request.answered')
  return { cost: line?.['cost'], actual: line?.['actualCost'], exceeded: line?.['costExceeded'] }
}

/** The shop, whose list of products is as long as its argument says. */
async function slicedShop(): Promise<ConfigWorld> {
  const sliced = stack.use(await ConfigWorld.create())
  const cost = '@link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@cost", "@listSize"])'
  const { artifact } = shop.base
  const supergraphSdl = artifact.supergraphSdl
    .replace('schema @link', `schema ${cost} @link`)
    .replace(/(topProducts\(first: Int = 2\): \[Product!\]! @join__field\(graph: PRODUCTS\))/, `$1 ${SLICED}`)
    .concat(
      'directive @listSize(slicingArguments: [String!], requireOneSlicingArgument: Boolean) on FIELD_DEFINITION',
    )
  expect(supergraphSdl).toContain(`: PRODUCTS) ${SLICED}`)
  await sliced.publish({ revision: 1, base: packed({ ...artifact, supergraphSdl }) })
  return sliced
}
const SLICED = '@listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)'

describe('a slicing argument that is null', () => {
  const NULL = '{ topProducts(first: null) { name } }'
  const sliced = async (costs: string) => {
    const router = stack.use(await routerOn(await slicedShop(), { settings: `costs: ${costs}` }))
    await router.ready
    return router
  }

  it('is refused, before a subgraph is called, where the settings say so', async () => {
    const router = await sliced('{ mode: enforce, max: 100, null_slicing: refuse }')
    expect(await refusalOf(router, NULL)).toEqual({
      status: 400,
      code: 'COST_INVALID_SLICING_ARGUMENTS',
      message:
        'Query.topProducts is given null or a negative number where it is told how many items to return (@listSize): nobody knows then how many it returns. Give a number of zero or more.',
    })
    expect((await post(router, { query: '{ topProducts(first: 1) { name } }' })).json.errors).toBeUndefined()
  })

  it('is estimated by default', async () => {
    const router = await sliced('{ mode: enforce, max: 100, list_size: 4 }')
    await post(router, { query: NULL })
    await until(() => router.logs.some(({ event }) => event === 'request.answered'), 'an answer')
    expect(await answered(router)).toMatchObject({ cost: 4 })
  })
})

describe('enforced limits', () => {
  it('refuse what costs more, before a subgraph is called, and answer what does not', async () => {
    const router = await routerWith('{ mode: enforce, max: 10, list_size: 4 }')
    expect(await refusalOf(router, PRODUCTS)).toEqual({
      status: 400,
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      message:
        'The operation is expected to cost 20, and at most 10 is allowed. Ask for fewer fields, or for shorter lists.',
    })
    const { status, json } = await post(router, { query: '{ topProducts { name } }' })
    expect([status, json.errors]).toEqual([200, undefined])
  })

  it('hold for the part of each subgraph, whose name is told where names are', async () => {
    const limits = '{ mode: enforce, list_size: 4, subgraphs: { reviews: { max: 10 } } }'
    const { message } = await refusalOf(await routerWith(limits), PRODUCTS)
    expect(message).toMatch(
      /^What the operation asks of subgraph "reviews" is expected to cost 16, and at most 10 /,
    )
    const hiding = await routerWith(limits, 'subgraph_errors: { show_subgraph_names: false }')
    expect((await refusalOf(hiding, PRODUCTS)).message).toMatch(
      /^What the operation asks of one part of the graph /,
    )
  })

  it('are lower for a client that calls itself by a listed name', async () => {
    const router = await routerWith(
      '{ mode: enforce, max: 30, list_size: 4, clients: { partner: { max: 10 } } }',
    )
    expect((await post(router, { query: PRODUCTS })).json.errors).toBeUndefined()
    const { message } = await refusalOf(router, PRODUCTS, { 'graphql-client-name': 'partner' })
    expect(message).toMatch(/at most 10 is allowed for this client/)
  })

  it('of a client hold also while somebody else is answered the same', async () => {
    const router = await routerWith('{ mode: enforce, clients: { partner: { max: 1 } } }')
    const query = '{ slow(milliseconds: 300) topProducts { name } }'
    const before = asked()
    const others = post(router, { query })
    await until(() => asked() > before, 'it is in progress')
    const { message } = await refusalOf(router, query, { 'graphql-client-name': 'partner' })
    expect(message).toMatch(/at most 1 is allowed for this client/)
    expect((await others).json.errors).toBeUndefined()
  })

  it('hold for deferred operations and under flags', async () => {
    const router = await routerWith(
      '{ mode: enforce, max: 10, list_size: 4 }',
      'engine: { enable_defer: true }',
    )
    const query = '{ topProducts { name ... @defer { reviews { body } } } }'
    const accept = { accept: 'multipart/mixed;incrementalSpec=v0.2, application/json' }
    expect((await refusalOf(router, query, accept)).code).toBe('COST_ESTIMATED_TOO_EXPENSIVE')
    expect((await refusalOf(router, PRODUCTS, { 'x-feature-flag': 'next' })).code).toBe(
      'COST_ESTIMATED_TOO_EXPENSIVE',
    )
  })
})

describe('measuring', () => {
  it('refuses nothing, and tells what was estimated and what it came to', async () => {
    const router = await routerWith('{ mode: measure, max: 10, list_size: 4 }')
    const { json } = await post(router, { query: PRODUCTS })
    const products = (json.data as { topProducts: { reviews: unknown[] }[] }).topProducts
    const reviews = products.reduce((sum, product) => sum + product.reviews.length, 0)
    expect(await answered(router)).toEqual({
      cost: 20,
      actual: products.length + reviews,
      exceeded: 'operation',
    })
  })

  it('is off unless it is set', async () => {
    const router = await routerWith('{}')
    await post(router, { query: PRODUCTS })
    expect(await answered(router)).toEqual({ cost: undefined, actual: undefined, exceeded: undefined })
  })
})

it('settings that limit nothing, or that a client could raise by its name, are refused', () => {
  const issuesOf = (costs: unknown) =>
    RouterSettings.safeParse({ costs }).error?.issues.map(({ message }) => message)
  expect(issuesOf({ mode: 'enforce' })?.[0]).toMatch(/expected a limit/)
  expect(issuesOf({ max: 10, clients: { a: { max: 11 } } })?.[0]).toMatch(/a name lowers the limit/)
  expect(issuesOf({ mode: 'measure' })).toBeUndefined()
})

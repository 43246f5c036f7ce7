import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

describe('the composition that answers', () => {
  const stack = new AsyncDisposableStack()
  let shop: Shop
  let world: ConfigWorld
  let router: TestRouter

  beforeAll(async () => {
    shop = stack.use(await startShop())
    world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: shop.base,
      flags: { next: shop.flag, 'a/b@1': shop.flag, broken: brokenArtifact() },
    })
    router = stack.use(await routerOn(world))
    await router.ready
  })
  afterAll(() => stack.disposeAsync())

  it.each([
    ['no flag', {}, 'products', undefined],
    ['the header', { 'x-feature-flag': 'next' }, 'products-next', 'next'],
    ['the header in other spelling', { 'X-FEATURE-FLAG': ' next ' }, 'products-next', 'next'],
    ['a name with punctuation', { 'x-feature-flag': 'a/b@1' }, 'products-next', 'a/b@1'],
    ['the cookie', { cookie: 'a=1; feature_flag=next' }, 'products-next', 'next'],
    ['a percent-encoded, quoted cookie', { cookie: 'feature_flag="a%2Fb%401"' }, 'products-next', 'a/b@1'],
    [
      'header over cookie',
      { 'x-feature-flag': 'next', cookie: 'feature_flag=unknown' },
      'products-next',
      'next',
    ],
    [
      'an unknown header over a valid cookie',
      { 'x-feature-flag': 'nope', cookie: 'feature_flag=next' },
      'products',
      undefined,
    ],
    [
      'a blank header and a cookie',
      { 'x-feature-flag': '', cookie: 'feature_flag=next' },
      'products-next',
      'next',
    ],
    ['two header lines', { 'x-feature-flag': ['next', 'nope'] }, 'products-next', 'next'],
    ['an unknown flag', { 'x-feature-flag': 'nope' }, 'products', undefined],
    ['a flag in other case', { 'x-feature-flag': 'Next' }, 'products', undefined],
    ['the name of an object property', { 'x-feature-flag': 'constructor' }, 'products', undefined],
    ['another one', { 'x-feature-flag': '__proto__' }, 'products', undefined],
    ['an unknown cookie', { cookie: 'feature_flag=nope' }, 'products', undefined],
    ['a malformed cookie', { cookie: 'feature_flag=%zz' }, 'products', undefined],
    ['a flag that cannot be built', { 'x-feature-flag': 'broken' }, 'products', undefined],
  ])('for %s', async (_, headers, version, flag) => {
    const reply = await post(router, { query: '{ version }' }, headers)
    expect(reply.json).toEqual({ data: { version } })
    expect(reply.status).toBe(200)
    expect(reply.headers['x-feature-flag']).toBe(flag)
    expect(reply.headers.vary).toBe('Accept, X-Feature-Flag, Cookie')
  })

  it('is also the one that introspection shows', async () => {
    const query = '{ __type(name: "Product") { fields { name } } }'
    const base = await post(router, { query })
    const flagged = await post(router, { query }, { 'x-feature-flag': 'next' })
    expect(base.text).not.toContain('discount')
    expect(flagged.text).toContain('discount')
  })

  it('is validated against: a field of the flag is unknown to base', async () => {
    const query = '{ topProducts { discount reviews { body } } }'
    expect((await post(router, { query })).json.errors?.[0]?.extensions['code']).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    )
    const flagged = await post(router, { query }, { 'x-feature-flag': 'next' })
    expect(flagged.json).toEqual({
      data: {
        topProducts: [
          { discount: 5, reviews: [{ body: 'Review of 1' }] },
          { discount: 10, reviews: [{ body: 'Review of 2' }] },
        ],
      },
    })
  })

  it('is named in the access log with its reason, and what the client made up is cut', async () => {
    const name = 'x'.repeat(300)
    await post(router, { query: '{ version }' }, { 'x-feature-flag': name })
    const line = router.logs.findLast(({ event }) => event === 'request.answered')
    expect(line).toMatchObject({ flagReason: 'unknown', flag: null, revision: 1, status: 200 })
    expect(String(line?.['requestedFlag'])).toHaveLength(100)
  })

  it('is reported without the flag that cannot be built, which is logged once', () => {
    expect(world.heartbeats.at(-1)).toMatchObject({ state: 'serving', revision: 1, flags: ['a/b@1', 'next'] })
    expect(router.logs.filter(({ event }) => event === 'flag.not-served')).toHaveLength(1)
  })

  it('never comes from the cookie when cookies are off', async () => {
    await using strict = await routerOn(world, { settings: 'flags: { cookie: false }' })
    await strict.ready
    const reply = await post(strict, { query: '{ version }' }, { cookie: 'feature_flag=next' })
    expect(reply.json.data).toEqual({ version: 'products' })
    expect(reply.headers.vary).toBe('Accept, X-Feature-Flag')
  })
})

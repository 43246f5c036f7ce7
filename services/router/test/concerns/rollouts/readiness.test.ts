/** Flags of rollouts are compiled before requests get them, and requests never wait for one. */
import type { ManifestRollout } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltArtifact, buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { rollout, untilServed } from '../../support/rollouts.ts'
import { post, routerOn, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const QUERY = { query: '{ version }' }
const USER = { 'x-user': 'ann' }
/** Without waiting for what other routers say. */
const TRUSTED = { trusted: true }
const ALONE = 'flags: { build_ahead: false }\nconfig: { flag_build_wait: 0ms }'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const variant = (name: string): BuiltArtifact =>
  buildArtifact('next', { products: `${shop.next.url}?variant=${name}`, reviews: shop.reviews.url })
const all = (flag: string, change: Partial<ManifestRollout> = {}) =>
  rollout({ name: flag, flag, percent: 100, ...change })
const builds = ({ logs }: TestRouter) =>
  logs.filter(({ event }) => event === 'flag.built').map(({ flag, reason }) => [flag, reason])
const generations = ({ logs }: TestRouter) => logs.filter(({ event }) => event === 'generation.built').length
const flagOf = async (router: TestRouter) => (await post(router, QUERY, USER)).headers['x-feature-flag']

describe('the flag of a rollout', () => {
  it('is compiled before a starting router is ready', async () => {
    await using world = await ConfigWorld.create()
    const flags = { next: shop.flag, off: variant('off'), late: variant('late') }
    const rollouts = [
      all('late', { expires: '2026-01-01T00:00:00.000Z' }),
      all('next'),
      all('off', { percent: 0 }),
    ]
    await world.publish({ revision: 1, base: shop.base, flags, rollouts })
    await using router = await routerOn(world, { settings: ALONE })
    await router.ready
    expect(builds(router)).toEqual([['next', 'in use']])
    expect(await flagOf(router)).toBe('next')
  })

  it('is compiled before the revision is served that makes the rollout active', async () => {
    await using world = await ConfigWorld.create()
    const flags = { next: shop.flag, other: variant('other') }
    await world.publish({ revision: 1, base: shop.base, flags })
    await using router = await routerOn(world, { settings: ALONE, source: TRUSTED })
    await router.ready
    await post(router, QUERY)
    expect(generations(router)).toBe(1)
    await world.publish({ revision: 2, base: shop.base, flags, rollouts: [all('next')] })
    await untilServed(router, 2)
    expect(generations(router)).toBe(2)
    expect([await flagOf(router), builds(router)]).toEqual(['next', []])
    // What base was asked for is planned in the flag already.
    const line = router.logs.findLast(({ event }) => event === 'config.swapped')
    const built = router.logs.findLast(({ event }) => event === 'generation.built')
    expect(router.logs.indexOf(built ?? {})).toBeLessThan(router.logs.indexOf(line ?? {}))
  })

  it('stays built while it changes', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag }, rollouts: [all('next')] })
    await using router = await routerOn(world, { settings: ALONE, source: TRUSTED })
    await router.ready
    await world.publish({
      revision: 2,
      base: shop.base,
      flags: { next: variant('v2') },
      rollouts: [all('next')],
    })
    await untilServed(router, 2)
    expect(await flagOf(router)).toBe('next')
  })

  it('gets nobody who would have to wait: requests get base until there is memory for it', async () => {
    await using world = await ConfigWorld.create()
    const flags = { next: shop.flag, other: variant('other') }
    await world.publish({ revision: 1, base: shop.base, flags, rollouts: [all('next')] })
    await using router = await routerOn(world, {
      settings: `flags: { max_built_size: 1, build_ahead: false }`,
    })
    await router.ready
    const before = await post(router, QUERY, USER)
    expect([before.status, before.headers['x-feature-flag'], before.json.data]).toEqual([
      200,
      undefined,
      { version: 'products' },
    ])
    // Who names it waits for it, and the rollout has it as long as it stays.
    expect((await post(router, QUERY, { 'x-feature-flag': 'next' })).status).toBe(200)
    expect(await flagOf(router)).toBe('next')
    expect((await post(router, QUERY, { 'x-feature-flag': 'other' })).status).toBe(200)
    expect(await flagOf(router)).toBeUndefined()
  })
})

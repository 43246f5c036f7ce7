/** What of its flags a router has compiled when it says that it is ready. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RouterHeartbeat, routerStatusSubject } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenArtifact, type BuiltArtifact, buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH } from '../support/config-world.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

/** A request whose flag is not compiled fails at once, so that none can hide behind a wait. */
const NO_WAIT = 'config: { flag_build_wait: 0ms }'
/** Only what is known to be in use is compiled without being asked for. */
const IN_USE_ALONE = `${NO_WAIT}\nflags: { build_ahead: false }`

const variant = (name: string): BuiltArtifact =>
  buildArtifact('next', { products: `${shop.next.url}?variant=${name}`, reviews: shop.reviews.url })
const flagsNamed = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, variant(name)]))

const ask = (router: TestRouter, flag: string) =>
  post(router, { query: '{ version }' }, { 'x-feature-flag': flag })
const builds = ({ logs }: TestRouter) =>
  logs.filter(({ event }) => event === 'flag.built').map(({ flag, reason }) => [flag, reason])

/** What another router of the graph says. */
function heartbeat(flagsInUse: readonly string[] | undefined): RouterHeartbeat {
  return {
    instance: 'other',
    boot: 'b',
    namespace: GRAPH.namespace,
    graph: GRAPH.graph,
    epoch: 1,
    revision: 1,
    registrySequence: 10,
    flags: [],
    ...(flagsInUse === undefined ? {} : { flagsInUse: [...flagsInUse] }),
    configCreatedAt: null,
    state: 'serving',
  }
}

/** Says it as long as the router starts. */
async function whileOtherSays<Result>(
  world: ConfigWorld,
  flagsInUse: readonly string[] | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  const subject = routerStatusSubject(GRAPH, 'other')
  const says = setInterval(() => world.announcer.announce(subject, heartbeat(flagsInUse)), 20)
  try {
    return await action()
  } finally {
    clearInterval(says)
  }
}

describe('a router that starts', () => {
  it('is ready once the flags are compiled that other routers of its graph are asked for', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(['a', 'b', 'c', 'd']) })
    await whileOtherSays(world, ['c', 'b', 'unknown'], async () => {
      await using router = await routerOn(world, { settings: IN_USE_ALONE })
      const health = await until(async () => {
        const { json } = await send(`${router.url}/health/ready`)
        return json.reason?.includes('compiles the feature flags') ? json : null
      }, 'it is not ready yet for the sake of flags')
      expect(health.status).not.toBe('ok')
      // Whoever comes all the same is answered.
      expect((await post(router, { query: '{ version }' })).status).toBe(200)
      await router.ready
      expect((await send(`${router.url}/health/ready`)).status).toBe(200)
      expect([(await ask(router, 'b')).status, (await ask(router, 'c')).status]).toEqual([200, 200])
      expect(builds(router)).toEqual([
        ['c', 'in use'],
        ['b', 'in use'],
      ])
      expect((await ask(router, 'd')).json.errors?.[0]?.extensions['code']).toBe('FLAG_NOT_BUILT_YET')
    })
  })

  it('tells which flags it is asked for, and goes on to tell those that it heard of', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(['a', 'b', 'c']) })
    await whileOtherSays(world, ['b'], async () => {
      await using router = await routerOn(world)
      await router.ready
      await ask(router, 'a')
      await ask(router, 'unknown')
      await until(
        () =>
          world.heartbeats.some(({ instance, flagsInUse }) => instance === 'r1' && flagsInUse?.length === 2),
        'a heartbeat names both',
      )
      const told = world.heartbeats.findLast(({ instance }) => instance === 'r1')
      expect(told?.flagsInUse).toEqual(['a', 'b'])
    })
  })

  it('is ready beside routers that do not say which flags are in use', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(['a']) })
    await whileOtherSays(world, undefined, async () => {
      await using router = await routerOn(world, { settings: IN_USE_ALONE })
      await router.ready
      expect(builds(router)).toEqual([])
    })
  })

  it('compiles the flags first that it was asked for before it was stopped', async () => {
    await using world = await ConfigWorld.create()
    const names = ['a', 'b', 'c', 'd', 'e']
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(names) })
    {
      await using before = await routerOn(world)
      await before.ready
      for (const flag of ['b', 'd']) await ask(before, flag)
    }
    await using router = await routerOn(world, { settings: NO_WAIT })
    await router.ready
    expect((await ask(router, 'b')).status).toBe(200)
    expect((await ask(router, 'd')).status).toBe(200)
    await until(() => builds(router).length === names.length, 'all flags are compiled')
    expect(builds(router)).toEqual([
      ['d', 'in use'],
      ['b', 'in use'],
      ['a', 'ahead'],
      ['c', 'ahead'],
      ['e', 'ahead'],
    ])
  })

  it('starts without the file of flags in use when that is damaged', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(['a']) })
    const file = join(world.copies, 'default.shop.flags.json')
    {
      await using before = await routerOn(world)
      await before.ready
      await ask(before, 'a')
    }
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ formatVersion: 1, flagsInUse: ['a'] })
    await writeFile(file, '{"formatVersion":1,"flagsInUse":[1]')
    await using router = await routerOn(world)
    await router.ready
    expect((await ask(router, 'a')).status).toBe(200)
  })

  it('is not kept from being ready by a flag that cannot be compiled', async () => {
    await using world = await ConfigWorld.create()
    const flags = { ...flagsNamed(['a']), broken: brokenArtifact() }
    await world.publish({ revision: 1, base: shop.base, flags })
    await whileOtherSays(world, ['broken', 'a'], async () => {
      await using router = await routerOn(world, { settings: IN_USE_ALONE })
      await router.ready
      expect((await ask(router, 'a')).status).toBe(200)
      expect(world.heartbeats.findLast(({ instance }) => instance === 'r1')?.flags).toEqual(['a'])
    })
  })

  it('is ready after flags.ready_wait, whatever is still to be compiled, and says so', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(['a']) })
    await whileOtherSays(world, ['a'], async () => {
      const settings = 'flags: { build_ahead: false, ready_wait: 0ms }'
      await using router = await routerOn(world, { settings })
      await router.ready
      expect((await ask(router, 'a')).status).toBe(200)
    })
  })

  it('is restarted beside another one without a request that waits for a flag', async () => {
    await using world = await ConfigWorld.create()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await world.publish({ revision: 1, base: shop.base, flags: flagsNamed(names) })
    const routers = new Map<string, TestRouter>()
    const start = async (instance: string) => {
      // Copies are of one router; these have none, as containers without a volume.
      const directory = join(world.directory, `${instance}-${performance.now()}`)
      const source = { lastKnownGoodDirectory: directory }
      const router = await routerOn(world, { settings: IN_USE_ALONE, instance, source })
      await router.ready
      routers.set(instance, router)
    }
    await start('r1')
    await start('r2')
    for (const router of routers.values()) {
      for (const flag of names.slice(0, 4)) {
        await until(async () => (await ask(router, flag)).status === 200, `${flag} is compiled on demand`)
      }
    }
    const statuses: number[] = []
    for (const instance of ['r1', 'r2']) {
      const leaving = routers.get(instance)
      routers.delete(instance)
      await leaving?.[Symbol.asyncDispose]()
      await start(instance)
      for (const router of routers.values()) {
        for (const flag of names.slice(0, 4)) statuses.push((await ask(router, flag)).status)
      }
    }
    await Promise.all([...routers.values()].map((router) => router[Symbol.asyncDispose]()))
    expect(statuses).toEqual(Array.from({ length: 16 }, () => 200))
  })
})

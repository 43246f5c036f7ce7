/** What stays in memory of compositions that came and went, counted by the garbage collector itself. */
import { setTimeout as delay } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { isLongRun } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Generation } from '../../src/generations/generation.ts'
import { CompositionTable } from '../../src/generations/composition-table.ts'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { Endpoints } from '../../src/call/endpoints.ts'
import { type BuiltArtifact, buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const ARTIFACTS = 6
const TOGGLES = isLongRun() ? 20 : 12

// Hundreds of swaps, which a machine with other work stretches.
describe('a router whose flags come, change and go under load', () => {
  it('keeps one table, and one generation for each composition that is served', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base })
    await using router = await routerOn(world)
    await router.ready
    const artifacts = Array.from({ length: ARTIFACTS }, (_, index) =>
      buildArtifact('next', { products: `${shop.next.url}?variant=${index}`, reviews: shop.reviews.url }),
    )
    const ask = (flag: string) =>
      post(router, { query: '{ version topProducts { reviews { body } } }' }, { 'x-feature-flag': flag })
    const running = { yes: true }
    const clients = ['a', 'b', 'a'].map(async (flag) => {
      while (running.yes) {
        expect((await ask(flag)).status).toBe(200)
        // In `make test` enough requests are amid each swap, and the machine has time for the swaps.
        if (!isLongRun()) await delay(5)
      }
    })
    let flags: Record<string, BuiltArtifact> = {}
    for (let toggle = 0; toggle < TOGGLES; toggle++) {
      const a = artifacts[toggle % ARTIFACTS]
      const b = artifacts[(toggle * 5) % ARTIFACTS]
      if (a === undefined || b === undefined) throw new Error('no artifact')
      flags = toggle % 3 === 0 ? {} : toggle % 3 === 1 ? { a } : { a, b }
      const revision = toggle + 2
      await world.publish({ revision, base: shop.base, flags })
      await until(() => world.heartbeats.at(-1)?.revision === revision, `revision ${revision} is served`)
      // Each flag is built, however fast the machine is: those who ask for it get no answer before.
      for (const flag of Object.keys(flags)) expect((await ask(flag)).headers['x-feature-flag']).toBe(flag)
    }
    running.yes = false
    await Promise.all(clients)
    for (const flag of Object.keys(flags)) await ask(flag)

    const distinct = new Set(Object.values(flags).map(({ sha256 }) => sha256)).size
    const classes = [CompositionTable, Generation, OperationCache, Endpoints]
    const counted = () => classes.map((kind) => queryObjects(kind)).join(', ')
    const expected = [1, 1 + distinct, 1 + distinct, 1 + distinct].join(', ')
    const alive = () => router.logs.findLast(({ event }) => event?.startsWith('generation.'))?.['alive']
    // Each count collects the whole heap and walks through it, so the first question is what the router says.
    await until(() => alive() === 1 + distinct, `${1 + distinct} generations are alive`)
    await expect.poll(counted).toBe(expected)
    expect(alive()).toBe(1 + distinct)
    expect(router.logs.filter(({ event }) => event === 'generation.built').length).toBeGreaterThan(ARTIFACTS)
  })
})

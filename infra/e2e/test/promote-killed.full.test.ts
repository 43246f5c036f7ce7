/** `kill -9` of composers and config-distribution in the middle of promotions and their undo. */
import { Random } from '@switchyard/samples'
import { FIXED_SEED, natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openShop, publishShop, startOnRealServers, waitForReady } from '../src/index.ts'
import { expectWholeRevisions, promote, waitForBase, watchShop } from '../src/scenarios/promotions.ts'

const VICTIMS = [['composer-0', 'composer-1'], ['config-distribution'], ['registry-0'], ['composer-0']]
const ROUNDS = 8

it.skipIf(!natsServerAvailable() || !redisServerAvailable())(
  'loses nothing, and mixes nothing, whoever is killed while a flag is promoted or taken back',
  async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    const seed = Number(process.env['SWITCHYARD_TEST_SEED'] ?? FIXED_SEED)
    console.log(`seed ${seed} (SWITCHYARD_TEST_SEED)`)
    const random = new Random(seed)
    await using watch = watchShop(system)
    for (let round = 0; round < ROUNDS; round += 1) {
      const action = round % 2 === 0 ? 'promote' : 'undo'
      await promote(system, action)
      await sleep(random.next() * 150)
      const victims = VICTIMS[round % VICTIMS.length] ?? []
      const programs = victims.flatMap((name) => system.programs.get(name) ?? [])
      for (const program of programs) await program.kill9()
      for (const program of programs) await program.start()
      await Promise.all(system.registryUrls.map((url) => waitForReady(system, url)))
      await waitForBase(system, action === 'promote' ? 'next' : 'base')
    }
    const { answers, wrong } = await watch.stop()
    expect(wrong, system.report()).toEqual([])
    expect(answers).toBeGreaterThan(0)
    expect(await expectWholeRevisions(system, shop.stockNext.url)).toBe(ROUNDS / 2)
  },
  300_000,
)

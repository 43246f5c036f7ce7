/** The rules on a running system: written once, run on one set-up or on several. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Constellation, openShop, publishShop, type Shop } from '../../src/index.ts'
import type { Case } from './case.ts'
import { createWorld, type World } from './world.ts'

export function describeProductRules(
  setUp: string,
  start: () => Promise<Constellation>,
  chapters: Readonly<Record<string, readonly Case[]>>,
): void {
  describe(`the product rules (${setUp})`, () => {
    let shop: Shop
    let system: Constellation
    let world: World
    beforeAll(async () => {
      shop = await openShop()
      system = await start()
      await publishShop(system, shop)
      world = createWorld(system, shop)
    })
    afterAll(async () => {
      const dead = [...(system?.programs.values() ?? [])].filter((program) => !program.running)
      expect(dead.map((program) => program.output)).toEqual([])
      await system?.[Symbol.asyncDispose]()
      await shop?.[Symbol.asyncDispose]()
    })
    for (const [chapter, cases] of Object.entries(chapters)) {
      describe(chapter, () => {
        it.each(cases.map((item) => [`${item.it} [${item.rules.join(', ')}]`, item] as const))(
          '%s',
          async (_, item) => item.run(world),
          // Dozens of runs of the command line in one case, beside whatever else the machine has to do.
          180_000,
        )
      })
    }
  })
}

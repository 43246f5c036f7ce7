/** Stories from end to end in a browser, on separate processes. `stories.long.test.ts` has all of them. */
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe } from 'vitest'
import { brokenSchema } from './stories/broken-schema.ts'
import { flagUnderLoad } from './stories/flag-under-load.ts'
import { publish, startApart, type StoryWorld } from './stories/story-world.ts'
import { whoUses } from './stories/who-uses.ts'

const canRun = natsServerAvailable() && redisServerAvailable() && chromiumAvailable()

describe.skipIf(!canRun)('stories of Studio on NATS and Redis', () => {
  let world: StoryWorld
  beforeAll(async () => {
    world = await startApart()
    await publish(world)
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  brokenSchema(() => world)
  flagUnderLoad(() => world)
  whoUses(() => world)
})

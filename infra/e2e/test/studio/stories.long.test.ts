/** All stories from end to end in a browser, on one process and on a process for each service. */
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { abortedRamp } from './stories/aborted-ramp.ts'
import { brokenSchema } from './stories/broken-schema.ts'
import { firstAnswer } from './stories/first-answer.ts'
import { flagUnderLoad } from './stories/flag-under-load.ts'
import { publishFlag, startAlone, startApart, type StoryWorld } from './stories/story-world.ts'
import { twoTraces } from './stories/two-traces.ts'
import { wayBack } from './stories/way-back.ts'
import { traffic, whoUses } from './stories/who-uses.ts'

function tell(start: () => Promise<StoryWorld>): void {
  let world: StoryWorld
  const worldOf = () => world
  beforeAll(async () => {
    world = await start()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  // Each goes on where the one before has ended.
  firstAnswer(worldOf)
  it('has a flag from here on', () => publishFlag(world))
  brokenSchema(worldOf)
  flagUnderLoad(worldOf)
  twoTraces(worldOf)
  wayBack(worldOf)
  whoUses(worldOf)
  traffic(worldOf)
  abortedRamp(worldOf)
}

describe.skipIf(!chromiumAvailable())('all stories of Studio', () => {
  describe('on one process', () => tell(startAlone))
  describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('on NATS and Redis', () =>
    tell(startApart),
  )
})

/** `kill -9` at random points of 200 publishes. */
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { startEmbedded, startOnRealServers } from '../src/index.ts'
import { publishUnderFire, SERVICES } from '../src/scenarios/publish-under-fire.ts'

const realServers = natsServerAvailable() && redisServerAvailable()

describe('kill -9 during publishes', () => {
  it(
    'loses nothing acknowledged when the whole embedded process is killed',
    () => publishUnderFire(startEmbedded, { victims: ['up'], kills: 8 }),
    300_000,
  )
  it.skipIf(!realServers)(
    'loses nothing acknowledged when any distributed service is killed',
    () => publishUnderFire(startOnRealServers, { victims: SERVICES, kills: 18 }),
    420_000,
  )
})

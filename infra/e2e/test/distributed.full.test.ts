import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { startOnRealServers } from '../src/index.ts'
import { describeScenario } from '../src/scenarios/publish-to-serve.ts'

if (natsServerAvailable() && redisServerAvailable())
  describeScenario('separate processes on NATS and Redis, two composers, two routers', startOnRealServers)
else
  describe('separate processes on NATS and Redis', () => {
    it.skip('needs nats-server and redis-server on this machine')
  })

import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { startOnRealServers } from '../src/index.ts'
import { describeRollouts } from '../src/scenarios/rollouts.ts'

if (natsServerAvailable() && redisServerAvailable())
  describeRollouts('separate processes on NATS and Redis, two composers, two routers', startOnRealServers)
else
  describe('rollouts, on NATS and Redis', () => {
    it.skip('needs nats-server and redis-server on this machine')
  })

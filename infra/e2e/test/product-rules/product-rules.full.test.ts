import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { startOnRealServers } from '../../src/index.ts'
import { describeProductRules } from './describe-product-rules.ts'

if (natsServerAvailable() && redisServerAvailable())
  describeProductRules('separate processes on NATS and Redis, two routers', startOnRealServers)
else
  describe('the product rules on NATS and Redis', () => {
    it.skip('need nats-server and redis-server on this machine')
  })

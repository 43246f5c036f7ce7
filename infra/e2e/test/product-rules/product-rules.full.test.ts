import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { startOnRealServers } from '../../src/index.ts'
import { ALL_CHAPTERS } from './chapters.ts'
import { describeProductRules } from './describe-product-rules.ts'

if (natsServerAvailable() && redisServerAvailable())
  describeProductRules('separate processes on NATS and Redis, two routers', startOnRealServers, ALL_CHAPTERS)
else
  describe('the product rules on NATS and Redis', () => {
    it.skip('need nats-server and redis-server on this machine')
  })

import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { startOnRealServers } from '../src/index.ts'
import { describeDocuments } from '../src/scenarios/published-documents.ts'

if (natsServerAvailable() && redisServerAvailable())
  describeDocuments('separate processes on NATS and Redis, two composers, two routers', startOnRealServers)
else
  describe('documents that are published, on NATS and Redis', () => {
    it.skip('needs nats-server and redis-server on this machine')
  })

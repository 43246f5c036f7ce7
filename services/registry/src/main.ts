/** The registry as a process of its own, on NATS. On one machine it runs inside `standalone`. */
import { runService } from '@switchyard/service-kit'
import { readRegistryConfig } from './config.ts'
import { startDistributed } from './start-distributed.ts'

await runService(process, {
  name: 'registry',
  start: ({ env, logger, signal }) => startDistributed(readRegistryConfig(env), { logger, signal }),
})

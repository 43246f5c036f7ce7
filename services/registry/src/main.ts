/** The registry as a process of its own, on NATS. On one machine it runs inside `standalone`. */
import { openNatsStorage } from '@switchyard/event-log'
import { runService } from '@switchyard/service-kit'
import { readRegistryConfig } from './config.ts'
import { startRegistry } from './registry.ts'

await runService(process, {
  name: 'registry',
  async start({ env, logger, signal }) {
    const config = readRegistryConfig(env)
    await using resources = new AsyncDisposableStack()
    const { log, blobs, announcer } = resources.use(
      await openNatsStorage({
        url: config.natsUrl,
        name: 'switchyard-registry',
        owns: ['registry'],
        reads: ['compositions', 'configs'],
        ownsBlobs: true,
        signal,
      }),
    )
    const { bootstrapApiKey } = config
    resources.use(
      await startRegistry({
        log,
        blobs,
        announcer,
        logger,
        host: config.host,
        port: config.port,
        signal,
        ...(bootstrapApiKey === undefined ? {} : { bootstrapApiKey }),
      }),
    )
    return resources.move()
  },
})

/** Config-distribution on NATS and Redis. Health answers from the first moment, so that waiting for NATS can be seen. */
import { openRedisConfigStore } from '@switchyard/config-store'
import { openNatsStorage } from '@switchyard/event-log'
import { createHealthServer } from '@switchyard/service-kit'
import type { HealthState, Logger } from '@switchyard/service-kit'
import { startConfigDistribution } from './config-distribution.ts'
import type { ConfigDistribution } from './config-distribution.ts'
import type { ConfigDistributionConfig } from './config.ts'
import { loadSigningKey } from './signing-key.ts'

export async function startDistributed(
  config: ConfigDistributionConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack()
  const signingKey = await loadSigningKey(config.signingKeyFile)
  let service: ConfigDistribution | null = null
  const waiting: HealthState = { ok: false, reason: 'waiting for NATS and the streams of the other services' }
  const health = await createHealthServer({
    host: config.host,
    port: config.port,
    live: () => ({ ok: true }),
    ready: () => service?.ready() ?? waiting,
  })
  resources.use(health)
  logger.info({ event: 'health.listening', port: health.port }, `health on ${health.url}`)
  const store = resources.use(
    await openRedisConfigStore({
      url: config.redisUrl,
      name: 'config-distribution',
      onCorruption: (key, problem) =>
        logger.warn({ event: 'store.damaged', key }, `${key} counts as missing: ${problem}`),
    }),
  )
  const storage = resources.use(
    await openNatsStorage({
      url: config.natsUrl,
      name: 'config-distribution',
      owns: ['configs'],
      reads: ['compositions', 'registry'],
      ownsBlobs: false,
      signal,
      onError: (error) =>
        logger.error({ event: 'notice.failed', err: error }, 'a notice could not be handled'),
    }),
  )
  const { log, blobs, announcer } = storage
  service = resources.use(await startConfigDistribution({ log, blobs, store, announcer, signingKey, logger }))
  return resources.move()
}

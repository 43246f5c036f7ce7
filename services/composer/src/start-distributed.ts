/** The composer on NATS. Health answers from the first moment, so that waiting for NATS can be seen. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openNatsStorage } from '@switchyard/event-log'
import { createHealthServer } from '@switchyard/service-kit'
import type { HealthState, Logger } from '@switchyard/service-kit'
import { startComposer } from './composer.ts'
import type { Composer } from './composer.ts'
import type { ComposerConfig } from './config.ts'

export async function startDistributed(
  { natsUrl, host, port, workers }: ComposerConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack()
  let service: Composer | null = null
  const waiting: HealthState = { ok: false, reason: 'waiting for NATS and the streams of the other services' }
  const health = resources.use(
    await createHealthServer({
      host,
      port,
      live: () => ({ ok: true }),
      ready: () => service?.ready() ?? waiting,
    }),
  )
  logger.info({ event: 'health.listening', port: health.port }, `health on ${health.url}`)
  const { log, blobs, announcer } = resources.use(
    await openNatsStorage({
      url: natsUrl,
      name: 'composer',
      owns: ['compositions'],
      reads: ['registry'],
      ownsBlobs: false,
      signal,
      onError: (error) =>
        logger.error({ event: 'notice.failed', err: error }, 'a notice could not be handled'),
    }),
  )
  const instance = `${hostname()}-${randomUUID().slice(0, 8)}`
  service = resources.use(
    await startComposer({
      log,
      blobs,
      announcer,
      logger,
      instance,
      ...(workers === 0 ? {} : { workers }),
    }),
  )
  return resources.move()
}

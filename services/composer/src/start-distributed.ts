/** The composer on NATS. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openNatsStorage } from '@switchyard/event-log'
import { startBehindHealth } from '@switchyard/service-kit'
import type { Logger } from '@switchyard/service-kit'
import { startComposer } from './composer.ts'
import type { ComposerConfig } from './config.ts'

export async function startDistributed(
  { natsUrl, host, port, ...limits }: ComposerConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  const waitingFor = 'waiting for NATS and the streams of the other services'
  return startBehindHealth({ host, port, logger, service: 'composer', waitingFor }, async (resources) => {
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
    return startComposer({ log, blobs, announcer, logger, instance, ...limits })
  })
}

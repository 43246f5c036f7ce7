/** The composer on NATS. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openNatsStorage, reportNats } from '@switchyard/event-log'
import { startBehindHealth } from '@switchyard/service-kit'
import type { Logger } from '@switchyard/service-kit'
import { startComposer } from './composer.ts'
import type { ComposerConfig } from './config.ts'

export async function startDistributed(
  { nats, host, port, ...limits }: ComposerConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  const { waitingFor, handlers } = reportNats(logger)
  return startBehindHealth({ host, port, logger, service: 'composer', waitingFor }, async (resources) => {
    const { log, blobs, pieces, announcer } = resources.use(
      await openNatsStorage({
        ...nats,
        name: 'composer',
        ...handlers,
        owns: ['compositions'],
        reads: ['registry'],
        ownsBlobs: false,
        ownsPieces: true,
        signal,
      }),
    )
    const instance = `${hostname()}-${randomUUID().slice(0, 8)}`
    return startComposer({ log, blobs, pieces, announcer, logger, instance, ...limits })
  })
}

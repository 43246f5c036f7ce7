/** The composer on NATS. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openNatsStorage } from '@switchyard/event-log'
import { ServerProblems, startBehindHealth } from '@switchyard/service-kit'
import type { Logger } from '@switchyard/service-kit'
import { startComposer } from './composer.ts'
import type { ComposerConfig } from './config.ts'

export async function startDistributed(
  { nats, host, port, ...limits }: ComposerConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  const problems = new ServerProblems(logger, 'nats')
  const waitingFor = () => problems.current ?? 'waiting for NATS and the streams of the other services'
  return startBehindHealth({ host, port, logger, service: 'composer', waitingFor }, async (resources) => {
    const { log, blobs, announcer } = resources.use(
      await openNatsStorage({
        ...nats,
        name: 'composer',
        onProblem: problems.tell,
        onWarning: problems.warn,
        owns: ['compositions'],
        reads: ['registry'],
        ownsBlobs: false,
        signal,
        onError: (error) =>
          logger.error(
            { event: 'notice.failed', err: error },
            'a notice could not be handled: the change that it announced is found in the log within seconds',
          ),
      }),
    )
    const instance = `${hostname()}-${randomUUID().slice(0, 8)}`
    return startComposer({ log, blobs, announcer, logger, instance, ...limits })
  })
}

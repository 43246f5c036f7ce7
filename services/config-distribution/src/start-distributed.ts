/** Config-distribution on NATS and Redis. */
import { openRedisConfigStore } from '@switchyard/config-store'
import { openNatsStorage } from '@switchyard/event-log'
import { ServerProblems, startBehindHealth } from '@switchyard/service-kit'
import type { Logger } from '@switchyard/service-kit'
import { startConfigDistribution } from './config-distribution.ts'
import type { ConfigDistributionConfig } from './config.ts'
import { loadSigningKey } from './signing-key.ts'

export async function startDistributed(
  { nats, redis, signingKeyFile, fleetKey, host, port }: ConfigDistributionConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  const signingKey = await loadSigningKey(signingKeyFile)
  const problems = new ServerProblems(logger, 'nats')
  const redisProblems = new ServerProblems(logger, 'redis')
  const waitingFor = () => problems.current ?? 'waiting for NATS and the streams of the other services'
  return startBehindHealth(
    { host, port, logger, service: 'config-distribution', waitingFor },
    async (resources) => {
      const store = resources.use(
        await openRedisConfigStore({
          ...redis,
          name: 'config-distribution',
          onProblem: redisProblems.tell,
          onWarning: redisProblems.warn,
          onCorruption: (key, problem) =>
            logger.warn(
              { event: 'store.damaged', key },
              `the entry ${key} of the config store is damaged and counts as missing: ${problem}`,
            ),
        }),
      )
      const { log, blobs, announcer } = resources.use(
        await openNatsStorage({
          ...nats,
          name: 'config-distribution',
          onProblem: problems.tell,
          onWarning: problems.warn,
          owns: ['configs'],
          reads: ['compositions', 'registry'],
          ownsBlobs: false,
          signal,
          onError: (error) =>
            logger.error(
              { event: 'notice.failed', err: error },
              'a notice could not be handled: the change that it announced is found in the log within seconds',
            ),
        }),
      )
      return startConfigDistribution({
        log,
        blobs,
        store,
        announcer,
        signingKey,
        logger,
        ...(fleetKey === null ? {} : { fleetKey }),
      })
    },
  )
}

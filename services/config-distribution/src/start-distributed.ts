/** Config-distribution on NATS and Redis. */
import { openRedisConfigStore, STORE_DAMAGED } from '@switchyard/config-store'
import { openNatsStorage, reportNats } from '@switchyard/event-log'
import { type Logger, ServerProblems, startBehindHealth } from '@switchyard/service-kit'
import { startConfigDistribution } from './config-distribution.ts'
import type { ConfigDistributionConfig } from './config.ts'
import { loadSigningKey } from './log/signing-key.ts'

export async function startDistributed(
  { nats, redis, signingKeyFile, fleetKey, managementApi, host, port }: ConfigDistributionConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  const signingKey = await loadSigningKey(signingKeyFile)
  const { waitingFor, handlers } = reportNats(logger)
  const redisProblems = new ServerProblems(logger, 'redis')
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
            STORE_DAMAGED.write(
              logger,
              { key },
              `the entry ${key} of the config store is damaged and counts as missing: ${problem}`,
            ),
        }),
      )
      const { log, blobs, pieces, announcer } = resources.use(
        await openNatsStorage({
          ...nats,
          name: 'config-distribution',
          ...handlers,
          owns: ['configs'],
          reads: ['compositions', 'registry'],
          ownsBlobs: false,
          signal,
        }),
      )
      return startConfigDistribution({
        log,
        blobs,
        pieces,
        store,
        announcer,
        signingKey,
        logger,
        ...(fleetKey === null ? {} : { fleetKey }),
        ...(managementApi === null ? {} : { managementApi }),
      })
    },
  )
}

/**
 * The registry on NATS. It listens before NATS is there, so that waiting can be seen and is answered with a
 * reason.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openNatsStorage, reportNats } from '@switchyard/event-log'
import { logEvent, type Logger } from '@switchyard/service-kit'
import type { RegistryConfig } from './config.ts'
import { LateStorage } from './late-storage.ts'
import { startRegistry } from './registry.ts'

/** The log events of this file. */
export const LOGGED = {
  sessionsOff: logEvent('registry.sessions.off', {
    level: 'info',
    fields: [],
    says: 'the registry has no key for sessions, so it takes API keys only and nobody can sign in from a browser',
    advice: 'To switch sessions on, set `SWITCHYARD_SESSION_KEY`, the same for all registries',
  }),
}

export async function startDistributed(
  config: RegistryConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<AsyncDisposable> {
  const { nats, host, port, blobSweepIntervalMs, trustedProxies } = config
  const { traceKeyFile, fleetKey, sessions, bootstrapApiKey, graphUrls } = config
  await using resources = new AsyncDisposableStack()
  if (sessions === undefined) LOGGED.sessionsOff.write(logger, {})
  const { waitingFor, handlers } = reportNats(logger)
  const storage = resources.use(new LateStorage(waitingFor))
  const { log, blobs, pieces, announcer } = storage
  const open = async () => {
    storage.open(
      await openNatsStorage({
        ...nats,
        name: 'registry',
        ...handlers,
        owns: ['registry'],
        reads: ['compositions', 'configs'],
        ownsBlobs: true,
        ownsPieces: true,
        signal,
      }),
    )
  }
  const common = {
    log,
    blobs,
    pieces,
    announcer,
    logger,
    host,
    port,
    instance: `${hostname()}-${randomUUID().slice(0, 8)}`,
    blobSweepIntervalMs,
    trustedProxies,
    publicUrls: graphUrls,
    usage: {
      values: storage.values,
      days: config.usageDays,
      subscribe: storage.subscribeToUsage,
      isListening: storage.isListening,
    },
    // Several registries share the file: a key is made when somebody says so, not by each of them.
    ...(traceKeyFile === undefined ? {} : { traceKeys: { file: traceKeyFile, createFirst: false } }),
    ...(fleetKey === undefined ? {} : { fleetKey }),
    ...(sessions === undefined ? {} : { sessions }),
    signal,
  }
  if (bootstrapApiKey === undefined) {
    // Whether anybody can use this registry is in its log, so the log comes first.
    await open()
    resources.use(await startRegistry(common))
  } else {
    resources.use(await startRegistry({ ...common, bootstrapApiKey }))
    await open()
  }
  return resources.move()
}

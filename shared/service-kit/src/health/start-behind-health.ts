/**
 * Starts a service that serves no HTTP but its health. The endpoints answer from the first moment, so that
 * what a start waits for can be seen.
 */
import { createHealthServer, type HealthState } from './health.ts'
import type { Logger } from '../logging/logger.ts'
import { observeReady } from './observe-ready.ts'
import { logEvent } from '../logging/log-event.ts'

export type HealthPlace = {
  readonly host: string
  readonly port: number
  readonly logger: Logger
  /** The name of the service in error messages. */
  readonly service: string
  /** The reason of not being ready until the service is there. */
  readonly waitingFor: () => string
}

/** The log events of this file. */
export const LOGGED = {
  listening: logEvent('health.listening', {
    level: 'info',
    fields: ['port'],
    services: 'composer, config-distribution',
    says: 'The process answers at `/health/live` and `/health/ready`.',
  }),
}

/**
 * Starts a service behind its health server. The things that `start` puts into `resources` are disposed of
 * with the service, after it.
 */
export async function startBehindHealth(
  { host, port, logger, service: name, waitingFor }: HealthPlace,
  start: (resources: AsyncDisposableStack) => Promise<AsyncDisposable & { ready(): HealthState }>,
): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack()
  let service: { ready(): HealthState } | null = null
  const ready = (): HealthState => service?.ready() ?? { ok: false, reason: waitingFor() }
  const health = resources.use(
    await createHealthServer({
      host,
      port,
      service: name,
      live: () => ({ ok: true }),
      ready,
    }),
  )
  resources.use(observeReady(name, ready))
  LOGGED.listening.write(logger, { port: health.port }, `health on ${health.url}`)
  service = resources.use(await start(resources))
  return resources.move()
}

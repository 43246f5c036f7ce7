/**
 * Keeps what the instruments of a process measure, serves it to Prometheus at `GET /metrics`, and sends it to
 * a collector.
 *
 * Instruments are made with `@opentelemetry/api`, which throws away what they measure unless a provider is
 * registered before they are made: this comes first in the life of a process.
 */
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { Logger } from '../logging/logger.ts'
import type { ResourceAttributes } from '../otlp/resource.ts'
import { PortUnavailableError } from '../process/port-unavailable.ts'
import { keepMetrics } from './keep-metrics.ts'
import { servePrometheus } from './serve-prometheus.ts'
import type { MetricsSettings, PageSettings } from './settings.ts'
import { type ReadWorkers, withWorkers } from './with-workers.ts'
import { logEvent } from '../logging/log-event.ts'

export type MetricsOptions = {
  readonly settings: MetricsSettings
  /** The name of the service in messages. */
  readonly service: string
  readonly resource: ResourceAttributes
  readonly logger: Logger
  readonly workers?: ReadWorkers
}

const SETTINGS = { port: 'SWITCHYARD_METRICS_PORT (0: no metrics)', address: 'SWITCHYARD_METRICS_HOST' }

/**
 * Null where the default port is taken, as by another service of the same machine, and nobody else wants to
 * know: that is told, and no reason not to start. Throws PortUnavailableError where somebody chose the port.
 */
export async function startMetrics(options: MetricsOptions): Promise<AsyncDisposable | null> {
  await using parts = new AsyncDisposableStack()
  const { settings, logger, workers } = options
  const kept = keepMetrics(resourceFromAttributes(options.resource), logger)
  const read = workers === undefined ? kept.read : () => withWorkers(kept.read, workers)
  const page = settings.page === null ? null : await openPage(settings.page, options, read)
  if (page === null && settings.push === null) return null
  parts.use(page)
  parts.use(kept.begin())
  if (settings.push !== null) {
    const { pushOtlp } = await import('./push-otlp.ts')
    parts.use(await pushOtlp(settings.push, read, logger))
  }
  const running = parts.move()
  return { [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** The log events of this file. */
export const LOGGED = {
  listening: logEvent('metrics.listening', {
    level: 'info',
    fields: ['host', 'port'],
    says: 'The page of metrics for Prometheus is served at this address.',
  }),
  unavailable: logEvent('metrics.unavailable', {
    level: 'warn',
    fields: ['host', 'port'],
    says: 'The default port is taken, so there is no page; everything else runs.',
    advice: 'Set `SWITCHYARD_METRICS_PORT`',
  }),
}

async function openPage(
  { host, port, isPortChosen }: PageSettings,
  { logger, service }: MetricsOptions,
  read: () => Promise<ResourceMetrics>,
): Promise<AsyncDisposable | null> {
  try {
    const page = await servePrometheus({ host, port }, read)
    LOGGED.listening.write(logger, { host, port }, `metrics at http://${host}:${port}/metrics`)
    return page
  } catch (error) {
    const place = { what: `metrics of the ${service}`, host, port, settings: SETTINGS }
    const unavailable = new PortUnavailableError(place, error)
    if (isPortChosen) throw unavailable
    LOGGED.unavailable.write(logger, { host, port }, `There is no page of metrics. ${unavailable.message}`)
    return null
  }
}

/**
 * Keeps what the instruments of a process measure, serves it to Prometheus at `GET /metrics`, and sends it to a collector.
 *
 * Instruments are made with `@opentelemetry/api`, which throws away what they measure unless a provider is registered
 * before they are made: this comes first in the life of a process.
 */
import { metrics } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { Logger } from '../logger.ts'
import type { ResourceAttributes } from '../otlp/resource.ts'
import { PortUnavailableError } from '../port-unavailable.ts'
import { keepCheapInstruments } from './cheap-instruments.ts'
import { CheapProducer } from './cheap-producer.ts'
import { Collector } from './collector.ts'
import { observeRuntime } from './runtime-metrics.ts'
import { MAX_SERIES } from './series.ts'
import { servePrometheus } from './serve-prometheus.ts'
import type { MetricsSettings, PageSettings } from './settings.ts'

export type MetricsOptions = {
  readonly settings: MetricsSettings
  /** For messages. */
  readonly service: string
  readonly resource: ResourceAttributes
  readonly logger: Logger
}

const SETTINGS = { port: 'SWITCHYARD_METRICS_PORT (0: no metrics)', address: 'SWITCHYARD_METRICS_HOST' }

/**
 * Null where the default port is taken, as by another service of the same machine, and nobody else wants to know: that is told,
 * and no reason not to start. Throws PortUnavailableError where somebody chose the port.
 */
export async function startMetrics(options: MetricsOptions): Promise<AsyncDisposable | null> {
  await using parts = new AsyncDisposableStack()
  const { settings, logger } = options
  const resource = resourceFromAttributes(options.resource)
  const collector = new Collector({
    metricProducers: [new CheapProducer(() => instruments.values(), resource)],
  })
  const read = reader(collector, logger)
  const page = settings.page === null ? null : await openPage(settings.page, options, read)
  if (page === null && settings.push === null) return null
  parts.use(page)
  const provider = new MeterProvider({
    resource,
    readers: [collector],
    views: [{ aggregationCardinalityLimit: MAX_SERIES, instrumentName: '*' }],
  })
  const instruments = keepCheapInstruments(provider)
  metrics.setGlobalMeterProvider(provider)
  parts.defer(async () => {
    metrics.disable()
    await provider.shutdown()
  })
  parts.use(observeRuntime(metrics.getMeter('@switchyard/service-kit')))
  if (settings.push !== null) {
    const { pushOtlp } = await import('./push-otlp.ts')
    parts.use(await pushOtlp(settings.push, read, logger))
  }
  const running = parts.move()
  return { [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function openPage(
  { host, port, isPortChosen }: PageSettings,
  { logger, service }: MetricsOptions,
  read: () => Promise<ResourceMetrics>,
): Promise<AsyncDisposable | null> {
  try {
    const page = await servePrometheus({ host, port }, read)
    logger.info({ event: 'metrics.listening', host, port }, `metrics at http://${host}:${port}/metrics`)
    return page
  } catch (error) {
    const place = { what: `metrics of the ${service}`, host, port, settings: SETTINGS }
    const unavailable = new PortUnavailableError(place, error)
    if (isPortChosen) throw unavailable
    logger.warn(
      { event: 'metrics.unavailable', host, port },
      `There is no page of metrics. ${unavailable.message}`,
    )
    return null
  }
}

/** What could not be measured is missing, and told the first time. */
function reader(collector: Collector, logger: Logger): () => Promise<ResourceMetrics> {
  let isTold = false
  return async () => {
    const { metrics: collected, errors } = await collector.read()
    if (errors.length > 0 && !isTold) {
      isTold = true
      logger.warn({ event: 'metrics.incomplete', err: errors[0] }, 'some metrics could not be read')
    }
    return collected
  }
}

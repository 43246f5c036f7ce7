/**
 * Keeps what the instruments of a process measure, and serves it to Prometheus at `GET /metrics`.
 *
 * Instruments are made with `@opentelemetry/api`, which throws away what they measure unless a provider is registered
 * before they are made: this comes first in the life of a process.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { metrics } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Logger } from '../logger.ts'
import { PortUnavailableError } from '../port-unavailable.ts'
import { observeRuntime } from './runtime-metrics.ts'
import type { MetricsSettings } from './settings.ts'

export type MetricsOptions = MetricsSettings & {
  /** `service.name`. */
  readonly service: string
  readonly logger: Logger
}

/** Sets of label values that one instrument keeps apart; what comes beyond them is counted together. */
const MAX_SERIES = 2000

const SETTINGS = { port: 'SWITCHYARD_METRICS_PORT (0: no metrics)', address: 'SWITCHYARD_METRICS_HOST' }

/**
 * Null where the default port is taken, as by another service of the same machine: that is told, and no reason not to start.
 * Throws PortUnavailableError where somebody chose the port.
 */
export async function startMetrics(options: MetricsOptions): Promise<AsyncDisposable | null> {
  const { host, port, logger } = options
  await using parts = new AsyncDisposableStack()
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true })
  const server = createServer((request, response) => answer(exporter, request, response))
  try {
    await listening(server, port, host)
  } catch (error) {
    const unavailable = new PortUnavailableError(
      { what: `metrics of the ${options.service}`, host, port, settings: SETTINGS },
      error,
    )
    if (options.isPortChosen) throw unavailable
    logger.warn({ event: 'metrics.unavailable', host, port }, `There are no metrics. ${unavailable.message}`)
    return null
  }
  parts.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': options.service }),
    readers: [exporter],
    views: [{ aggregationCardinalityLimit: MAX_SERIES, instrumentName: '*' }],
  })
  metrics.setGlobalMeterProvider(provider)
  parts.defer(async () => {
    metrics.disable()
    await provider.shutdown()
  })
  parts.use(observeRuntime(metrics.getMeter('@switchyard/service-kit')))
  logger.info({ event: 'metrics.listening', host, port }, `metrics at http://${host}:${port}/metrics`)
  const running = parts.move()
  return { [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function answer(exporter: PrometheusExporter, request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
  } else if ((request.url ?? '/').split('?', 1)[0] !== '/metrics') {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at /metrics.\n')
  } else exporter.getMetricsRequestHandler(request, response)
}

function listening(server: ReturnType<typeof createServer>, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

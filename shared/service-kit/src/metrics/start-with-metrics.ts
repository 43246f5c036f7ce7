import { resourceAttributes } from '../otlp/resource.ts'
import type { RunningService, ServiceContext } from '../process/run-service.ts'
import { DEFAULT_METRICS_PORT, metricsSettings } from './settings.ts'
import type { ReadWorkers } from './with-workers.ts'

/**
 * The metrics of a service. `defaultPort` is the port of their page unless `SWITCHYARD_METRICS_PORT` names
 * another one; 0 means that there is no page.
 */
export type MetricsOf = {
  readonly service: string
  readonly defaultPort?: number
  /** Asked at each reading, where a service may have workers. */
  readonly workers?: ReadWorkers
}

/**
 * Keeps metrics from before the service makes its instruments until it is disposed of. Throws
 * EnvironmentError, PortUnavailableError, and what `start` throws, which is told whether there are metrics.
 */
export async function startWithMetrics(
  { env, logger }: Pick<ServiceContext, 'env' | 'logger'>,
  { service: name, defaultPort = DEFAULT_METRICS_PORT, workers }: MetricsOf,
  start: (keepsMetrics: boolean) => Promise<RunningService>,
): Promise<RunningService> {
  const settings = metricsSettings(env, defaultPort)
  if (settings === null) return await start(false)
  await using parts = new AsyncDisposableStack()
  // Only who keeps metrics loads what keeps them.
  const { startMetrics } = await import('./start-metrics.ts')
  const { attributes } = resourceAttributes(env, name)
  const options = { settings, service: name, resource: attributes, logger }
  const kept = parts.use(await startMetrics({ ...options, ...(workers === undefined ? {} : { workers }) }))
  const service = parts.use(await start(kept !== null))
  const running = parts.move()
  return { reload: () => service.reload?.(), [Symbol.asyncDispose]: () => running.disposeAsync() }
}

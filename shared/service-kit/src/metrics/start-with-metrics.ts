import { resourceAttributes } from '../otlp/resource.ts'
import type { RunningService, ServiceContext } from '../run-service.ts'
import { DEFAULT_METRICS_PORT, metricsSettings } from './settings.ts'

/** `defaultPort`: where they are unless `SWITCHYARD_METRICS_PORT` says otherwise; 0: nowhere. */
export type MetricsOf = { readonly service: string; readonly defaultPort?: number }

/**
 * Keeps metrics from before the service makes its instruments until it is disposed of. Throws EnvironmentError,
 * PortUnavailableError, and what `start` throws.
 */
export async function startWithMetrics(
  { env, logger }: Pick<ServiceContext, 'env' | 'logger'>,
  { service: name, defaultPort = DEFAULT_METRICS_PORT }: MetricsOf,
  start: () => Promise<RunningService>,
): Promise<RunningService> {
  const settings = metricsSettings(env, defaultPort)
  if (settings === null) return await start()
  await using parts = new AsyncDisposableStack()
  // Only who keeps metrics loads what keeps them.
  const { startMetrics } = await import('./start-metrics.ts')
  const { attributes } = resourceAttributes(env, name)
  parts.use(await startMetrics({ settings, service: name, resource: attributes, logger }))
  const service = parts.use(await start())
  const running = parts.move()
  return { reload: () => service.reload?.(), [Symbol.asyncDispose]: () => running.disposeAsync() }
}

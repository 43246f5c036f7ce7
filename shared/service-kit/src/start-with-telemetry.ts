import { type MetricsOf, startWithMetrics } from './metrics/start-with-metrics.ts'
import type { RunningService, ServiceContext } from './run-service.ts'
import { startWithTraces } from './traces/start-with-traces.ts'

/**
 * Keeps metrics and spans, where they are asked for, from before the service starts until it is disposed of.
 */
export function startWithTelemetry(
  context: Pick<ServiceContext, 'env' | 'logger'>,
  of: MetricsOf,
  start: (keepsMetrics: boolean) => Promise<RunningService>,
): Promise<RunningService> {
  return startWithTraces(context, of, () => startWithMetrics(context, of, start))
}

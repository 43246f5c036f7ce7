import { type Environment, EnvironmentError } from './process/environment.ts'
import { attempt } from './text/list-problems.ts'
import { DEFAULT_METRICS_PORT, metricsSettings } from './metrics/settings.ts'
import { type MetricsOf, startWithMetrics } from './metrics/start-with-metrics.ts'
import type { RunningService, ServiceContext } from './process/run-service.ts'
import { traceSettings } from './traces/settings.ts'
import { startWithTraces } from './traces/start-with-traces.ts'

/** Reads the settings of metrics and spans, and opens nothing. Throws EnvironmentError. */
export async function checkTelemetry(env: Environment, defaultPort = DEFAULT_METRICS_PORT): Promise<void> {
  const problems: string[] = []
  await attempt(() => traceSettings(env), problems)
  await attempt(() => metricsSettings(env, defaultPort), problems)
  if (problems.length > 0) throw new EnvironmentError([...new Set(problems)])
}

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

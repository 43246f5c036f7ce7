/** Whether a service is ready, as `GET /health/ready` says it, for whoever reads its metrics. */
import { metrics } from '@opentelemetry/api'
import type { HealthState } from './health.ts'
import { observeTogether } from '../metrics/observe-together.ts'
import { declareGauge } from '../metrics/metric.ts'

export const READY = declareGauge('switchyard.ready', {
  description: 'Whether the service is ready, as /health/ready says: 1 or 0',
  labels: { component: ['router', 'registry', 'composer', 'config-distribution'] },
})

/**
 * Reports whether a service is ready, until it is disposed of. `component` names the service; `switchyard up`
 * is several in one process.
 */
export function observeReady(component: string, ready: () => HealthState): Disposable {
  const meter = metrics.getMeter('@switchyard/service-kit')
  const gauge = meter.createObservableGauge(READY.name, READY.options)
  return observeTogether(meter, [gauge], (result) => result.observe(gauge, ready().ok ? 1 : 0, { component }))
}

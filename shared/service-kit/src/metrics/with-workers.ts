/**
 * One reading for all processes of a service: every series gets a label `worker`, which says whose it is.
 * Sums would fall whenever a worker is replaced, which Prometheus takes for a counter that began anew.
 */
import type { MetricData, ResourceMetrics, ScopeMetrics } from '@opentelemetry/sdk-metrics'

/** The measurements of all instruments of one process. */
export type ProcessMetrics = readonly ScopeMetrics[]

/** Reads the metrics of workers, by the label of each worker. Returns null if there are no workers. */
export type ReadWorkers = () => Promise<ReadonlyMap<string, ProcessMetrics>> | null

const PRIMARY = 'primary'

type Gathered = {
  readonly scope: ScopeMetrics['scope']
  readonly instruments: Map<string, { readonly metric: MetricData; readonly points: object[] }>
}

export async function withWorkers(
  readOwn: () => Promise<ResourceMetrics>,
  readWorkers: ReadWorkers,
): Promise<ResourceMetrics> {
  const reading = readWorkers()
  if (reading === null) return await readOwn()
  const [own, workers] = await Promise.all([readOwn(), reading])
  const scopes = new Map<string, Gathered>()
  gather(scopes, PRIMARY, own.scopeMetrics)
  for (const [worker, measured] of workers) gather(scopes, worker, measured)
  const scopeMetrics = Array.from(scopes.values(), ({ scope, instruments }) => ({
    scope,
    metrics: Array.from(instruments.values(), ({ metric, points }): MetricData => {
      // Points of one instrument have one form, in whatever process they were taken.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { ...metric, dataPoints: points } as MetricData
    }),
  }))
  return { resource: own.resource, scopeMetrics }
}

function gather(scopes: Map<string, Gathered>, worker: string, measured: ProcessMetrics): void {
  for (const { scope, metrics } of measured) {
    const { instruments } = scopes.get(scope.name) ?? { instruments: new Map() as Gathered['instruments'] }
    scopes.set(scope.name, { scope, instruments })
    for (const metric of metrics) {
      const known = instruments.get(metric.descriptor.name) ?? { metric, points: [] }
      instruments.set(metric.descriptor.name, known)
      for (const point of metric.dataPoints)
        known.points.push({ ...point, attributes: { ...point.attributes, worker } })
    }
  }
}

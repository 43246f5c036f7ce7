/**
 * Names with the suffixes that Prometheus users expect: the unit, spelled out, as the specification of
 * OpenTelemetry has it and its collector does it. So metrics have the same names however they arrive. Source:
 * https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
import { DataPointType, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics'

/** Suffix by unit of UCUM. Numbers of something have none. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['s', 'seconds'],
  ['By', 'bytes'],
])

/** The same with the names of Prometheus, apart from `_total` and the parts of histograms. */
export function withPrometheusNames(metrics: ResourceMetrics): ResourceMetrics {
  return {
    ...metrics,
    scopeMetrics: metrics.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(renamed) })),
  }
}

function renamed(metric: MetricData): MetricData {
  const { descriptor } = metric
  const suffix = suffixOf(metric)
  const name = suffix === '' ? descriptor.name : `${descriptor.name}_${suffix}`
  // A unit is told as Prometheus spells it; a ratio has none.
  return { ...metric, descriptor: { ...descriptor, name, unit: suffix === 'ratio' ? '' : suffix } }
}

function suffixOf({ descriptor, dataPointType }: MetricData): string {
  if (descriptor.unit === '1') return dataPointType === DataPointType.GAUGE ? 'ratio' : ''
  return SUFFIXES.get(descriptor.unit) ?? ''
}

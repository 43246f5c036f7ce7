/** Hands what cheap instruments were told to the readers of OpenTelemetry's SDK. */
import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type MetricData,
  type MetricProducer,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics'
import type { CheapInstrument } from './cheap-instruments.ts'
import { CounterSeries, HistogramSeries, type KeptSeries } from './series.ts'

export class CheapProducer implements MetricProducer {
  readonly #instruments: () => Iterable<CheapInstrument>
  readonly #resource: Resource
  readonly #startTime = hrTime()

  constructor(instruments: () => Iterable<CheapInstrument>, resource: Resource) {
    this.#instruments = instruments
    this.#resource = resource
  }

  collect(): Promise<CollectionResult> {
    const endTime = hrTime()
    const scopes = new Map<string, ScopeMetrics>()
    for (const instrument of this.#instruments()) {
      if (instrument.series.all.length === 0) continue
      const scope = scopes.get(instrument.meter) ?? { scope: { name: instrument.meter }, metrics: [] }
      scopes.set(instrument.meter, scope)
      scope.metrics.push(this.#dataOf(instrument, endTime))
    }
    return Promise.resolve({
      resourceMetrics: { resource: this.#resource, scopeMetrics: [...scopes.values()] },
      errors: [],
    })
  }

  #dataOf({ metric, series }: CheapInstrument, endTime: HrTime): MetricData {
    const { kind, name, facts } = metric
    const { description, unit = '' } = facts
    const common = {
      descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    const point = <Value>({ attributes }: KeptSeries, value: Value): DataPoint<Value> => ({
      startTime: this.#startTime,
      endTime,
      attributes,
      value,
    })
    return kind === 'counter'
      ? {
          ...common,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints: series.all
            .filter((one) => one instanceof CounterSeries)
            .map((one) => point(one, one.sum)),
        }
      : {
          ...common,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: series.all
            .filter((one) => one instanceof HistogramSeries)
            .map((one) => point(one, histogramOf(one))),
        }
  }
}

function histogramOf({ boundaries, counts, count, sum, min, max }: HistogramSeries) {
  return { buckets: { boundaries: [...boundaries], counts: [...counts] }, count, sum, min, max }
}

/** Now, as seconds and nanoseconds since 1970. */
function hrTime(): HrTime {
  const milliseconds = Date.now()
  return [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1e6]
}

/** Takes down what all instruments of a process have measured so far. */
import {
  AggregationTemporality,
  InstrumentType,
  MetricReader,
  type MetricReaderOptions,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'

export type Collected = { readonly metrics: ResourceMetrics; readonly errors: readonly unknown[] }

/**
 * One for all who want to know: what an instrument measured is kept for each reader until that reader asks,
 * and a reader that never asks would be kept more and more.
 */
export class Collector extends MetricReader {
  #collecting: Promise<Collected> | null = null

  constructor({ metricProducers = [] }: Pick<MetricReaderOptions, 'metricProducers'>) {
    super({
      metricProducers,
      // A gauge that is not observed any more has no value; the SDK would tell its last one for ever.
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE
          ? AggregationTemporality.DELTA
          : AggregationTemporality.CUMULATIVE,
    })
  }

  /** Those who ask at the same time get the same: what one of them takes down is not there for another. */
  read(): Promise<Collected> {
    return (this.#collecting ??= this.collect()
      .then(({ resourceMetrics: metrics, errors }) => ({ metrics, errors }))
      .finally(() => (this.#collecting = null)))
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {}
}

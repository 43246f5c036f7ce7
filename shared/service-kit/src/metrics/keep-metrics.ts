/** Keeps the measurements of the instruments of this process, to be read by an exporter. */
import { metrics } from '@opentelemetry/api'
import { emptyResource, type Resource } from '@opentelemetry/resources'
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { Logger } from '../logging/logger.ts'
import { keepCheapInstruments } from './cheap-instruments.ts'
import { CheapProducer } from './cheap-producer.ts'
import { Collector } from './collector.ts'
import { observeRuntime } from './runtime-metrics.ts'
import { MAX_SERIES } from './series.ts'
import type { ProcessMetrics } from './with-workers.ts'
import { logEvent } from '../logging/log-event.ts'

export type KeptMetrics = {
  readonly read: () => Promise<ResourceMetrics>
  /** Keeps the instruments that are made from then on, until it is disposed of. */
  begin(): AsyncDisposable
}

export function keepMetrics(resource: Resource, logger: Logger): KeptMetrics {
  const collector = new Collector({
    metricProducers: [new CheapProducer(() => instruments?.values() ?? [], resource)],
  })
  let instruments: ReturnType<typeof keepCheapInstruments> | null = null
  return {
    read: reader(collector, logger),
    begin() {
      const provider = new MeterProvider({
        resource,
        readers: [collector],
        views: [{ aggregationCardinalityLimit: MAX_SERIES, instrumentName: '*' }],
      })
      instruments = keepCheapInstruments(provider)
      metrics.setGlobalMeterProvider(provider)
      const observing = observeRuntime(metrics.getMeter('@switchyard/service-kit'))
      return {
        async [Symbol.asyncDispose]() {
          observing[Symbol.dispose]()
          metrics.disable()
          await provider.shutdown()
        },
      }
    },
  }
}

/**
 * Keeps the metrics of a worker, which the primary process reads and reports. They have no resource, since
 * that of the primary stands for all.
 */
export function keepWorkerMetrics(
  logger: Logger,
): AsyncDisposable & { readonly read: () => Promise<ProcessMetrics> } {
  const kept = keepMetrics(emptyResource(), logger)
  const keeping = kept.begin()
  return {
    read: async () => (await kept.read()).scopeMetrics,
    [Symbol.asyncDispose]: () => keeping[Symbol.asyncDispose](),
  }
}

/** The log events of this file. */
export const LOGGED = {
  incomplete: logEvent('metrics.incomplete', {
    level: 'warn',
    fields: ['err'],
    says: 'some metrics could not be read',
    advice: 'Report it with the line',
  }),
}

/**
 * Returns a function that reads all metrics. Those that could not be measured are missing, which is logged
 * the first time.
 */
function reader(collector: Collector, logger: Logger): () => Promise<ResourceMetrics> {
  let isTold = false
  return async () => {
    const { metrics: collected, errors } = await collector.read()
    if (errors.length > 0 && !isTold) {
      isTold = true
      LOGGED.incomplete.write(logger, { err: errors[0] })
    }
    return collected
  }
}

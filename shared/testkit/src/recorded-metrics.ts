/** Keeps the measurements of OpenTelemetry instruments in memory for a test. */
import { type Attributes, metrics } from '@opentelemetry/api'

export type Measured = { readonly name: string; readonly value: number; readonly labels: Attributes }
export type RecordedMetrics = Disposable & { readonly measured: Measured[] }

/** Registers a provider for all meters that the process makes from now on; disposing takes it away again. */
export function recordMetrics(): RecordedMetrics {
  const measured: Measured[] = []
  const instrument = (name: string) => {
    const measure = (value: number, labels: Attributes = {}) => void measured.push({ name, value, labels })
    return { add: measure, record: measure }
  }
  // They are read, and nobody does that here.
  const observable = () => ({ addCallback: () => {}, removeCallback: () => {} })
  const meter = {
    createCounter: instrument,
    createUpDownCounter: instrument,
    createHistogram: instrument,
    createObservableCounter: observable,
    createObservableGauge: observable,
    createObservableUpDownCounter: observable,
    addBatchObservableCallback: () => {},
    removeBatchObservableCallback: () => {},
  }
  metrics.setGlobalMeterProvider({ getMeter: () => meter as never })
  return { measured, [Symbol.dispose]: () => metrics.disable() }
}

/** What instruments of OpenTelemetry are told, in place of an exporter. */
import { type Attributes, metrics } from '@opentelemetry/api'

export type Counted = { readonly name: string; readonly labels: Attributes }

/** For all meters that are made from now on, until it is disposed of. */
export function recordCounters(): Disposable & { readonly counted: Counted[] } {
  const counted: Counted[] = []
  const instrument = (name: string) => ({
    add: (_value: number, labels: Attributes = {}) => void counted.push({ name, labels }),
  })
  const meter = { createCounter: instrument, createUpDownCounter: instrument }
  metrics.setGlobalMeterProvider({ getMeter: () => meter as never })
  return { counted, [Symbol.dispose]: () => metrics.disable() }
}

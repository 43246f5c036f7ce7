/** Instruments that are asked for their values together, since these come from one look at the same thing. */
import type { BatchObservableCallback, Meter, Observable } from '@opentelemetry/api'

/**
 * Asks the instruments for their values together, until it is disposed of. `observe` is called when somebody
 * reads the metrics.
 */
export function observeTogether(
  meter: Meter,
  instruments: Observable[],
  observe: BatchObservableCallback,
): Disposable {
  meter.addBatchObservableCallback(observe, instruments)
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, instruments) }
}

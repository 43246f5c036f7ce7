/** How far a service has got with a log that it follows, and how much of it is still to come. */
import { metrics } from '@opentelemetry/api'
import { observeTogether } from '@switchyard/service-kit'
import type { EventLog, LogFilter } from '../event-log.ts'
import { logOfFilter } from '../subjects.ts'

export type ObservedFollower = {
  /** The service that follows. */
  readonly reader: string
  readonly log: EventLog
  readonly filter: LogFilter
  /** Sequence of the last record that was handled; 0: none was. */
  readonly position: () => number
}

/** Whoever reads metrics waits for the log no longer than this: they matter most when it does not answer. */
const PATIENCE_MS = 1000

/** Until it is disposed of. The log is asked for its last record when somebody reads the metrics. */
export function observeFollower({ reader, log, filter, position }: ObservedFollower): Disposable {
  const meter = metrics.getMeter('@switchyard/event-log')
  const at = meter.createObservableGauge('switchyard.log.position', {
    description: 'Sequence of the last record of a log that a service has handled',
  })
  const end = meter.createObservableGauge('switchyard.log.end', {
    description: 'Sequence of the last record of a log; none while the log does not tell',
  })
  const lag = meter.createObservableGauge('switchyard.log.lag', {
    description:
      'How far the last record of a log is beyond the one handled last; none while the log does not tell',
  })
  const labels = { log: logOfFilter(filter), reader }
  let asked: Promise<number | null> | null = null
  /** However many read the metrics, the log is asked one question at a time. */
  const newest = (): Promise<number | null> =>
    (asked ??= log
      .last(filter)
      .then((last) => last?.sequence ?? 0)
      .catch(() => null)
      .finally(() => (asked = null)))
  return observeTogether(meter, [at, end, lag], async (result) => {
    result.observe(at, position(), labels)
    const last = await within(newest(), PATIENCE_MS)
    if (last === null) return
    result.observe(end, last, labels)
    // What came meanwhile may be handled already.
    result.observe(lag, Math.max(0, last - position()), labels)
  })
}

async function within<Value>(answer: Promise<Value>, milliseconds: number): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, milliseconds, null)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** How far a service has got with a log that it follows, and how much of it is still to come. */
import { metrics } from '@opentelemetry/api'
import { declareGauge, observeTogether } from '@switchyard/service-kit'
import { StreamMissingError } from '../log/errors.ts'
import type { EventLog, LogFilter } from '../log/event-log.ts'
import { logOfFilter } from '../log/subjects.ts'

export type ObservedFollower = {
  /** The service that follows. */
  readonly reader: string
  readonly log: EventLog
  readonly filter: LogFilter
  /** Returns the sequence of the last record that was handled; 0 if none was. */
  readonly position: () => number
}

/** The time that reading metrics waits for the log: metrics matter most when the log does not answer. */
const PATIENCE_MS = 1000

const LABELS = { log: ['registry', 'compositions', 'configs'], reader: 'the service' }

export const POSITION = declareGauge('switchyard.log.position', {
  description: 'Sequence of the last record of a log that a service has handled',
  labels: LABELS,
})

export const END = declareGauge('switchyard.log.end', {
  description: 'Sequence of the last record of a log; none while the log does not tell',
  labels: LABELS,
})

export const LAG = declareGauge('switchyard.log.lag', {
  description:
    'How far the last record of a log is beyond the one handled last; none while the log does not tell',
  labels: LABELS,
})

export const LOST = declareGauge('switchyard.log.lost', {
  description:
    'Whether records are gone that were read from a log: 1 if it is missing, or ends earlier; none while the log does not tell',
  labels: LABELS,
})

/**
 * Reports how far a reader of the log has come, until it is disposed of. The log is asked for its last record
 * when somebody reads the metrics.
 */
export function observeFollower({ reader, log, filter, position }: ObservedFollower): Disposable {
  const meter = metrics.getMeter('@switchyard/event-log')
  const at = meter.createObservableGauge(POSITION.name, POSITION.options)
  const end = meter.createObservableGauge(END.name, END.options)
  const lag = meter.createObservableGauge(LAG.name, LAG.options)
  const lost = meter.createObservableGauge(LOST.name, LOST.options)
  const labels = { log: logOfFilter(filter), reader }
  let asked: Promise<Answer | null> | null = null
  /** However many read the metrics, the log is asked one question at a time. */
  const ask = (): Promise<Answer | null> => {
    // Whatever was handled before the question is in the log, or was lost.
    const before = position()
    return (asked ??= log
      .last(filter)
      .then((last) => ({ before, end: last?.sequence ?? 0 }))
      .catch((error: unknown) => (error instanceof StreamMissingError ? { before, end: null } : null))
      .finally(() => (asked = null)))
  }
  return observeTogether(meter, [at, end, lag, lost], async (result) => {
    result.observe(at, position(), labels)
    const answer = await within(ask(), PATIENCE_MS)
    if (answer === null) return
    result.observe(lost, answer.end === null || answer.end < answer.before ? 1 : 0, labels)
    if (answer.end === null) return
    result.observe(end, answer.end, labels)
    // What came meanwhile may be handled already.
    result.observe(lag, Math.max(0, answer.end - position()), labels)
  })
}

type Answer = {
  /** Sequence of the last record that was handled when the log was asked. */
  readonly before: number
  /** Sequence of the last record of the log; null if there is no such log. */
  readonly end: number | null
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

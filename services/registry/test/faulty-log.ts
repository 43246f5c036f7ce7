/**
 * A real log behind a connection that can be cut, lose the answer to an append, or lose a race on purpose.
 */
import { AppendOutcomeUnknownError, type EventLog, EventLogUnavailableError } from '@switchyard/event-log'

export type FaultyLog = EventLog & {
  cut: boolean
  /** `written`: the record gets there; `lost`: it does not. Applies to one append. */
  loseAnswer: 'written' | 'lost' | null
  /** Called before each append that gets through. */
  beforeAppend: () => Promise<void>
  mayWrite: (subject: string) => boolean
}

export function faultyLog(log: EventLog): FaultyLog {
  const check = () => {
    if (faulty.cut) throw new EventLogUnavailableError('the connection was cut by the test')
  }
  const faulty: FaultyLog = {
    cut: false,
    loseAnswer: null,
    beforeAppend: async () => {},
    mayWrite: () => true,
    async append(subject, record, expectedLast) {
      check()
      if (expectedLast === Number.MAX_SAFE_INTEGER) {
        // Asks whether it might, as an import does before it writes.
        if (!faulty.mayWrite(subject)) throw new EventLogUnavailableError(`no permission for ${subject}`)
        return log.append(subject, record, expectedLast)
      }
      const { loseAnswer } = faulty
      faulty.loseAnswer = null
      if (loseAnswer !== 'lost') {
        await faulty.beforeAppend()
        const sequence = await log.append(subject, record, expectedLast)
        if (loseAnswer === null) return sequence
      }
      throw new AppendOutcomeUnknownError(subject, 'the answer was lost by the test')
    },
    read: (filter, from) => log.read(filter, from),
    follow: (filter, from, signal) => log.follow(filter, from, signal),
    async last(filter) {
      check()
      return log.last(filter)
    },
    subjects: (name) => log.subjects(name),
    async [Symbol.asyncDispose]() {},
  }
  return faulty
}

import { type LogLoss, tellLogLost } from '@switchyard/event-log'
import { logEvent, type Logger } from '@switchyard/service-kit'

export type ReadingEvents = ReturnType<typeof readingEvents>

/** The log events of this file. */
export const LOGGED = {
  ready: logEvent('registry.ready', {
    level: 'info',
    says: 'the event log has been read: the registry answers requests',
  }),
  storageUnavailable: logEvent('registry.storage.unavailable', {
    level: 'warn',
    fields: ['err'],
    says: 'the event log cannot be reached: commands are refused with 503 until it can; routers keep serving',
    advice: 'Look at NATS',
  }),
  storageAvailable: logEvent('registry.storage.available', {
    level: 'info',
    says: 'the event log can be reached again',
  }),
  logInterrupted: logEvent('registry.log.interrupted', {
    level: 'debug',
    fields: ['log', 'err'],
    says: 'reading a log was interrupted, and goes on',
  }),
  logStopped: logEvent('registry.log.stopped', {
    level: 'error',
    fields: ['log', 'err'],
    says: 'reading a log stopped for good: this registry is not ready until it is restarted, perhaps with a newer version',
    advice: 'If the log has a record of a newer version, upgrade the registry. Otherwise report it',
  }),
}

/** Returns the functions that log how the event log is read, and whether it can be reached. */
export function readingEvents(logger: Logger) {
  return {
    ready(): void {
      LOGGED.ready.write(logger, {})
    },
    storageUnavailable(error: unknown): void {
      LOGGED.storageUnavailable.write(logger, { err: error })
    },
    storageAvailable(): void {
      LOGGED.storageAvailable.write(logger, {})
    },
    logInterrupted(log: string, error: unknown): void {
      LOGGED.logInterrupted.write(logger, { log, err: error })
    },
    logLost(loss: LogLoss): void {
      tellLogLost(logger, loss)
    },
    readerStopped(log: string, error: unknown): void {
      LOGGED.logStopped.write(logger, { log, err: error })
    },
  }
}

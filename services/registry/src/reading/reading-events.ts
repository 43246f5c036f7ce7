import { type LogLoss, tellLogLost } from '@switchyard/event-log'
import type { Logger } from '@switchyard/service-kit'

export type ReadingEvents = ReturnType<typeof readingEvents>

/** Returns the functions that log how the event log is read, and whether it can be reached. */
export function readingEvents(logger: Logger) {
  return {
    ready(): void {
      logger.info({ event: 'registry.ready' }, 'the event log has been read: the registry answers requests')
    },
    storageUnavailable(error: unknown): void {
      logger.warn(
        { event: 'registry.storage.unavailable', err: error },
        'the event log cannot be reached: commands are refused with 503 until it can; routers keep serving',
      )
    },
    storageAvailable(): void {
      logger.info({ event: 'registry.storage.available' }, 'the event log can be reached again')
    },
    logInterrupted(log: string, error: unknown): void {
      logger.debug(
        { event: 'registry.log.interrupted', log, err: error },
        'reading a log was interrupted, and goes on',
      )
    },
    logLost(loss: LogLoss): void {
      tellLogLost(logger, loss)
    },
    readerStopped(log: string, error: unknown): void {
      logger.error(
        { event: 'registry.log.stopped', log, err: error },
        'reading a log stopped for good: this registry is not ready until it is restarted, perhaps with a newer version',
      )
    },
  }
}

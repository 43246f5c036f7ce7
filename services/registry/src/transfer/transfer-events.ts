import type { TransferCounts } from '@switchyard/contracts'
import type { Logger } from '@switchyard/service-kit'

export type TransferEvents = ReturnType<typeof transferEvents>

/** Returns the functions that log exports and imports of everything that the registry stores. */
export function transferEvents(logger: Logger) {
  return {
    exported(actor: string, counts: TransferCounts): void {
      logger.info({ event: 'registry.export.finished', actor, ...counts }, 'an export is finished')
    },
    exportFailed(actor: string, error: unknown): void {
      logger.error(
        { event: 'registry.export.failed', actor, err: error },
        'an export failed before its end: the file that it wrote is incomplete',
      )
    },
    importBegan(actor: string, counts: TransferCounts): void {
      logger.info(
        { event: 'registry.import.began', actor, ...counts },
        'an import has begun: all other requests are answered with 503 until it ends',
      )
    },
    importFinished(actor: string, counts: TransferCounts): void {
      logger.info({ event: 'registry.import.finished', actor, ...counts }, 'an import is finished')
    },
    importStopped(error: unknown): void {
      logger.error(
        { event: 'registry.import.stopped', err: error },
        'an import stopped after a part was written: the registry is not ready until its storage is emptied and the file is imported again',
      )
    },
  }
}

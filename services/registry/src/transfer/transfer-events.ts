import type { TransferCounts } from '@switchyard/contracts'
import { logEvent, type Logger } from '@switchyard/service-kit'

export type TransferEvents = ReturnType<typeof transferEvents>

/** The log events of this file. */
export const LOGGED = {
  exportFinished: logEvent('registry.export.finished', {
    level: 'info',
    fields: ['actor'],
    says: 'an export is finished',
  }),
  exportFailed: logEvent('registry.export.failed', {
    level: 'error',
    fields: ['actor', 'err'],
    says: 'an export failed before its end: the file that it wrote is incomplete',
    advice: 'Export again',
  }),
  importBegan: logEvent('registry.import.began', {
    level: 'info',
    fields: ['actor'],
    says: 'an import has begun: all other requests are answered with 503 until it ends',
  }),
  importFinished: logEvent('registry.import.finished', {
    level: 'info',
    fields: ['actor'],
    says: 'an import is finished',
  }),
  importStopped: logEvent('registry.import.stopped', {
    level: 'error',
    fields: ['err'],
    says: 'an import stopped after a part was written: the registry is not ready until its storage is emptied and the file is imported again',
    advice: 'Empty the storage and import the same file again',
  }),
}

/** Returns the functions that log exports and imports of everything that the registry stores. */
export function transferEvents(logger: Logger) {
  return {
    exported(actor: string, counts: TransferCounts): void {
      LOGGED.exportFinished.write(logger, { actor, ...counts })
    },
    exportFailed(actor: string, error: unknown): void {
      LOGGED.exportFailed.write(logger, { actor, err: error })
    },
    importBegan(actor: string, counts: TransferCounts): void {
      LOGGED.importBegan.write(logger, { actor, ...counts })
    },
    importFinished(actor: string, counts: TransferCounts): void {
      LOGGED.importFinished.write(logger, { actor, ...counts })
    },
    importStopped(error: unknown): void {
      LOGGED.importStopped.write(logger, { err: error })
    },
  }
}

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
  piecesLeftOut: logEvent('registry.export.pieces-left-out', {
    level: 'warn',
    fields: ['lists', 'reason'],
    says: 'An export holds some artifacts as a whole only, since their pieces are lost or cannot be read. It can be imported: routers then read and compile all of these artifacts.',
    advice:
      'If the registry may not read the bucket `switchyard-pieces`, see the permissions in [NATS and Redis](nats-and-redis.md)',
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
    piecesLeftOut(lists: number, reason: string): void {
      LOGGED.piecesLeftOut.write(
        logger,
        { lists, reason },
        `an export holds artifacts as a whole only, and not in pieces (${lists} of them): ${reason}`,
      )
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

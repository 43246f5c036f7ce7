import { logEvent, type Logger } from '@switchyard/service-kit'

export type SweepEvents = ReturnType<typeof sweepEvents>

/** The log events of this file. */
export const LOGGED = {
  blobSwept: logEvent('registry.blob.swept', {
    level: 'info',
    fields: ['sha256', 'storedAt', 'bytes'],
    says: 'removed a stored schema or artifact, or a piece of one, that no record refers to',
  }),
  sweepPostponed: logEvent('registry.sweep.postponed', {
    level: 'info',
    fields: ['reason'],
    says: 'The registry does not remove unused schemas and artifacts now, or not their pieces.',
  }),
}

/** Returns the functions that log the removal of what no record names. */
export function sweepEvents(logger: Logger) {
  return {
    blobSwept(sha256: string, storedAt: string, bytes: number): void {
      LOGGED.blobSwept.write(logger, { sha256, storedAt, bytes })
    },
    sweepPostponed(swept: string, reason: string): void {
      LOGGED.sweepPostponed.write(logger, { reason }, `unused ${swept} are not removed now: ${reason}`)
    },
  }
}

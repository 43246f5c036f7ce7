/** The one line that says that records of a log are gone, and what to do. */
import { logEvent, type Logger } from '@switchyard/service-kit'
import type { LogLoss } from '../log/errors.ts'

/** The log events of this file. */
export const LOGGED = {
  lost: logEvent('log.lost', {
    level: 'error',
    fields: ['log', 'readUpTo', 'end'],
    services: 'registry, composer, config-distribution',
    says: 'Records that the service had read are gone: the stream is missing (`end` is null), or ends earlier. Nothing is made anew while services run. Said again every five minutes.',
    advice: '[Restore](restore.md#when-nats-has-lost-its-data) the log',
  }),
}

export function tellLogLost(logger: Logger, { log, readUpTo, end }: LogLoss): void {
  const found = end === null ? 'NATS has no such stream any more' : `it ends at ${end} now`
  LOGGED.lost.write(
    logger,
    { log, readUpTo, end },
    `the log ${log} has lost records: it was read up to sequence ${readUpTo}, and ${found}. Nothing new is decided on it, and no stream is made anew while services run; routers serve what they have. Restore the log as docs/restore.md says. Services that are restarted before that begin with an empty log`,
  )
}

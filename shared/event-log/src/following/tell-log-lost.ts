/** The one line that says that records of a log are gone, and what to do. */
import type { Logger } from '@switchyard/service-kit'
import type { LogLoss } from '../log/errors.ts'

export function tellLogLost(logger: Logger, { log, readUpTo, end }: LogLoss): void {
  const found = end === null ? 'NATS has no such stream any more' : `it ends at ${end} now`
  logger.error(
    { event: 'log.lost', log, readUpTo, end },
    `the log ${log} has lost records: it was read up to sequence ${readUpTo}, and ${found}. Nothing new is decided on it, and no stream is made anew while services run; routers serve what they have. Restore the log as docs/restore.md says. Services that are restarted before that begin with an empty log`,
  )
}

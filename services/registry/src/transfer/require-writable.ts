/**
 * Checks that an import may write everything that it is going to write. It does so before the first write,
 * since an import that stops half way leaves a registry that has to be emptied.
 */
import { problem, ProblemError } from '@switchyard/contracts'
import { AppendConflictError, type EventLog } from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'

/** No record has this sequence, so an append that expects it is refused, by whoever would have taken it. */
const NEVER_LAST = Number.MAX_SAFE_INTEGER

/** Throws IMPORT_NOT_POSSIBLE; nothing was written then, or if it resolves. */
export async function requireWritable(log: EventLog, subjects: Iterable<string>): Promise<void> {
  for (const subject of subjects) {
    try {
      await log.append(subject, {}, NEVER_LAST)
    } catch (error) {
      if (error instanceof AppendConflictError) continue
      throw new ProblemError(
        problem(
          'IMPORT_NOT_POSSIBLE',
          `The registry cannot write to "${subject}", which an import does: ${messageOf(error).replace(/\.?$/, '.')} Nothing was imported. If NATS was only away for a moment, import again. Otherwise its user on NATS needs "registry.events.>", "compositions.>" and "configs.>" to publish to, and the streams have to be there: start composer and config-distribution once.`,
        ),
        error,
      )
    }
  }
}

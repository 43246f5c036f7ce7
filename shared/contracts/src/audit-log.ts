/** The registry's log as people and programs read it: `GET /v1/log`. */
import { z } from 'zod'
import { Sequence } from './names.ts'

/** The largest number of records that one page of the log may be asked for. */
export const MAX_AUDIT_RECORDS = 1000

/** A revision that routers of a graph were given. */
const AuditRevision = z.object({ epoch: z.int(), revision: z.int() })

/** A graph that a command affected. */
export const AuditGraph = z.object({
  graph: z.string(),
  /**
   * The revisions that reflect the command, oldest first: the first one, and those in which flags followed
   * that were still being composed. Empty if there is none so far. Null if the registry does not know any
   * more.
   */
  revisions: z.array(AuditRevision).nullable(),
})
export type AuditGraph = z.infer<typeof AuditGraph>

/** An event as the log has it, with all of its facts, but without hashes of API keys. */
export const AuditEvent = z.looseObject({ type: z.string() })
export type AuditEvent = z.infer<typeof AuditEvent>

/** A command that changed something. Records that lost a race did nothing and are left out. */
export const AuditRecord = z.object({
  /** Place of the record in the log. */
  sequence: Sequence,
  /** Null for changes of API keys and trace keys, which belong to no namespace. */
  namespace: z.string().nullable(),
  /** RFC 3339, by the clock of the registry that wrote it. The order of the log is that of sequences. */
  time: z.string(),
  /** Who asked: `key:<api key id>`, `bootstrap`, `system`, or `oidc:<issuer>#<subject>`. */
  actor: z.string(),
  /**
   * Name of that API key, which may be deleted by now. Null if the actor is no API key, or an unknown one.
   */
  apiKey: z.string().nullable(),
  /** The reason in the words of the actor. Absent if none was given. */
  reason: z.string().optional(),
  /** The `Idempotency-Key` of the request, or an id made by the registry. */
  commandId: z.string(),
  /** A summary of the command in one line. */
  summary: z.string(),
  events: z.array(AuditEvent),
  /**
   * The graphs that the command affected, sorted, at most 50. Null if the registry does not know them any
   * more, and for changes of keys.
   */
  graphs: z.array(AuditGraph).nullable(),
  /** How many graphs there are, also those that are not listed. */
  graphCount: z.int(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

/** A page of the log. */
export const AuditLog = z.object({
  /** In the order that was asked for. May be empty although there is `more`. */
  records: z.array(AuditRecord),
  /**
   * The last sequence that was looked at: the next page is asked for with it, as `after`, or as `before` if
   * the newest records come first.
   */
  last: Sequence,
  /** Whether there is something left to look at in this direction. */
  more: z.boolean(),
  /** The end of the log when the page was read: what is written later comes after this sequence. */
  end: Sequence,
})
export type AuditLog = z.infer<typeof AuditLog>

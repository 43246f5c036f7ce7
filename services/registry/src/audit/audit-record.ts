/** A record of the registry's log as the audit log shows it. */
import {
  type AuditEvent,
  type AuditGraph,
  type AuditRecord,
  parseRecord,
  RegistryRecord,
  type SystemEvent,
  SystemRecord,
} from '@switchyard/contracts'
import { summarizeEvents, summarizeSystemEvents } from '@switchyard/domain'
import type { LogEntry } from '@switchyard/event-log'
import type { RegistryReader } from '../reading/registry-reader.ts'
import { apiKeyOf } from '../reading/revision-changes.ts'
import type { RevisionHistory } from '../reading/revision-history.ts'

/** The largest number of graphs that are listed for a command. */
const MOST_GRAPHS = 50

export type AuditSources = {
  readonly fold: RegistryReader
  readonly revisions: RevisionHistory
  /** Names of API keys by id, also of those that were deleted. */
  readonly keyNames: ReadonlyMap<string, string>
}

export function auditRecord(
  sources: AuditSources,
  namespace: string | null,
  { sequence, record: written }: LogEntry,
): AuditRecord {
  const { keyNames } = sources
  if (namespace === null) {
    const record = parseRecord(SystemRecord, written)
    return {
      ...headOf(sequence, namespace, record, keyNames),
      summary: summarizeSystemEvents(record.events, keyNames),
      events: record.events.map(withoutSecrets),
      graphs: null,
      graphCount: 0,
    }
  }
  const record = parseRecord(RegistryRecord, written)
  return {
    ...headOf(sequence, namespace, record, keyNames),
    summary: summarizeEvents(record.events),
    events: [...record.events],
    ...affectedBy(sources, namespace, sequence),
  }
}

function headOf(
  sequence: number,
  namespace: string | null,
  { time, actor, reason, commandId }: Omit<RegistryRecord, 'events'>,
  keyNames: ReadonlyMap<string, string>,
) {
  return {
    sequence,
    namespace,
    time,
    actor,
    apiKey: apiKeyOf(actor, keyNames),
    ...(reason === undefined ? {} : { reason }),
    commandId,
  }
}

/** Leaves out the hash of an API key, and tells other keys by their ids. */
function withoutSecrets(event: SystemEvent): AuditEvent {
  switch (event.type) {
    case 'api-key.created': {
      const { type, id, name, scopes } = event
      return { type, id, name, scopes }
    }
    case 'trace-key.created':
    case 'signing-key.created':
      return { type: event.type, kid: event.jwk.kid }
    case 'api-key.deleted':
    case 'trace-key.retired':
    case 'signing-key.retired':
      return event
    default:
      return event satisfies never
  }
}

function affectedBy(
  { fold, revisions }: AuditSources,
  namespace: string,
  sequence: number,
): { graphs: AuditGraph[] | null; graphCount: number } {
  const composed = fold.affectedBy(namespace, sequence)
  const released = fold.rolloutsChangedBy(namespace, sequence)
  if (composed === null || released === null) return { graphs: null, graphCount: 0 }
  const affected = [...new Set([...composed, ...released])].sort()
  const graphs = affected.slice(0, MOST_GRAPHS).map((graph) => ({
    graph,
    revisions: composed.includes(graph)
      ? revisions.reflecting({ namespace, graph }, sequence)
      : revisions.releasing({ namespace, graph }, sequence),
  }))
  return { graphs, graphCount: affected.length }
}

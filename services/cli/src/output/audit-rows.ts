/** Describes records of the audit log as rows of a table. */
import type { AuditGraph, AuditRecord } from '@switchyard/contracts'

/** The columns of the audit log. */
export const AUDIT_COLUMNS = ['sequence', 'time', 'namespace', 'what', 'by', 'why', 'revisions']

/** Returns the cells of a record. */
export function auditRow(record: AuditRecord): readonly string[] {
  const { sequence, time, namespace, summary, actor, apiKey, reason } = record
  const by = apiKey === null ? actor : `${apiKey} (${actor})`
  return [String(sequence), time, namespace ?? '-', summary, by, reason ?? '-', revisionsOf(record)]
}

/** Names graphs with the revisions that reflect the command. */
function revisionsOf({ namespace, graphs, graphCount }: AuditRecord): string {
  if (graphs === null) return namespace === null ? '-' : 'unknown'
  const left = graphCount - graphs.length
  const named = [...graphs.map(nameGraph), ...(left > 0 ? [`${left} more graphs`] : [])]
  return named.length === 0 ? '-' : named.join(', ')
}

function nameGraph({ graph, revisions }: AuditGraph): string {
  if (revisions === null) return `${graph}: unknown`
  const numbers = revisions.map(({ revision }) => revision)
  return `${graph}: ${numbers.length === 0 ? 'none' : numbers.join(' ')}`
}

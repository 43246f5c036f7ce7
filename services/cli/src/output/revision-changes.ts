/** Describes in table rows the changes that made a revision. */
import type { RevisionChange, RevisionView } from '@switchyard/contracts'

/** A row about one change that made a revision: what was done, by whom and why. */
export type RevisionCause = { readonly what: string; readonly by: string; readonly why: string }

const NOBODY: Pick<RevisionCause, 'by' | 'why'> = { by: '-', why: '-' }

/**
 * Returns at least one row, the newest first, as revisions are listed. A row says so if the change is
 * unknown.
 */
export function causesOf({
  changes,
  changeCount = 0,
  reason,
  actor,
}: RevisionView): readonly RevisionCause[] {
  if (changes === undefined || changes === null)
    return [{ what: `unknown (${reason})`, by: actor ?? 'unknown', why: '-' }]
  if (changes.length === 0) return [{ what: withoutCommand(reason), ...NOBODY }]
  const left = changeCount - changes.length
  return [
    ...changes.map(causeOf).toReversed(),
    ...(left > 0 ? [{ what: `${left} more before`, ...NOBODY }] : []),
  ]
}

function causeOf({ summary, actor, apiKey, reason }: RevisionChange): RevisionCause {
  return { what: summary, by: apiKey === null ? actor : `${apiKey} (${actor})`, why: reason ?? '-' }
}

/** A revision that no command asked for. */
function withoutCommand(reason: RevisionView['reason']): string {
  switch (reason) {
    case 'keys':
      return 'keys changed'
    case 'restored':
      return 'restored: event log imported or set back'
    // The graph was held before, and is held on the same revision.
    case 'pin':
      return 'keys changed, or restored, while held'
    case 'composition':
    case 'removal':
    case 'unpin':
    case 'documents':
    case 'rollouts':
    case 'graph-removed':
    case 'republished':
      return `unknown (${reason})`
    default:
      return reason satisfies never
  }
}

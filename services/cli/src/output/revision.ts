import type { FederatedGraphView } from '@switchyard/contracts'

/** Which revision of a graph routers are given, and whether it is held there. */
export function printRevision({ revision, pinnedRevision }: FederatedGraphView): string {
  if (revision === null) return '-'
  return pinnedRevision === null ? String(revision) : `${revision} (held on ${pinnedRevision})`
}

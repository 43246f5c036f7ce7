/**
 * Chooses the records of a page of the audit log, from the index in memory alone. What a page costs is
 * bounded, whatever is left out of it: a caller that may read little gets short pages, and goes on from
 * `last`.
 */
import type { IndexedRecord, RecordIndex } from '../reading/record-index.ts'

/** Entries of the index that are looked at for one page: 5 ms. */
const MOST_WALKED = 1_000_000
/** Records that are read from the log for one page, also those that are left out. */
const MOST_READ = 5000
/** Namespaces that are read one by one for one page. */
const MOST_NAMESPACES = 20

/** The part of the log that a caller may read, and has asked for. */
export type AuditScope = {
  readonly includes: (namespace: string | null) => boolean
  /** Whether the log is read as a whole, and not by namespace, since all or nearly all of it is included. */
  readonly isWholeLog: boolean
}

export type PageQuestion = {
  readonly scope: AuditScope
  readonly order: 'oldest' | 'newest'
  /** Only records behind this sequence. */
  readonly after: number
  /** Only records before this sequence; undefined for all. */
  readonly before?: number | undefined
  readonly limit: number
}

export type ChosenPage = {
  readonly records: readonly IndexedRecord[]
  /** The last sequence that was looked at. */
  readonly last: number
  /** Whether the range goes on behind it. */
  readonly more: boolean
  readonly end: number
}

export function choosePage(index: RecordIndex, question: PageQuestion): ChosenPage {
  const { scope, order, after, before = Number.POSITIVE_INFINITY, limit } = question
  const { end } = index
  const least = after + 1
  const most = Math.min(end, before - 1)
  if (most < least) return { records: [], last: order === 'oldest' ? after : most, more: false, end }
  const isBack = order === 'newest'
  const from = isBack ? most : least
  const to = isBack ? Math.max(least, from - MOST_WALKED + 1) : Math.min(most, from + MOST_WALKED - 1)
  const records: IndexedRecord[] = []
  const namespaces = new Set<string | null>()
  let first = 0
  let read = 0
  const last = index.walk({
    from,
    to,
    isWanted: scope.includes,
    take: (record) => {
      if (records.length === limit) return false
      const { sequence, namespace, isApplied } = record
      if (first === 0) first = sequence
      read = scope.isWholeLog ? Math.abs(sequence - first) + 1 : read + 1
      if (read > MOST_READ) return false
      if (!scope.isWholeLog && !namespaces.has(namespace) && namespaces.size === MOST_NAMESPACES) return false
      namespaces.add(namespace)
      if (isApplied) records.push(record)
      return true
    },
  })
  return { records, last, more: isBack ? last > least : last < most, end }
}

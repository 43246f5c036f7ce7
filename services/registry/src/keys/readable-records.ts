/** The part of the registry's log, and of what happens to graphs, that a caller may read. */
import { type Caller, isPermitted, readableNamespaces } from './access.ts'

export type ReadableRecords = {
  /** Whether the caller may read records of a namespace. Null stands for those about keys. */
  readonly includes: (namespace: string | null) => boolean
  /** Whether that is every namespace. */
  readonly everyNamespace: boolean
  /** Equal for callers who may read the same. */
  readonly key: string
}

export function readableRecords(caller: Caller): ReadableRecords {
  const readable = readableNamespaces(caller)
  const maySeeKeys = isPermitted(caller, { kind: 'admin' })
  return {
    includes: (namespace) =>
      namespace === null ? maySeeKeys : readable === 'all' || readable.has(namespace),
    everyNamespace: readable === 'all',
    key: JSON.stringify([maySeeKeys, readable === 'all' ? readable : [...readable].sort()]),
  }
}

/** Finds the changes that a client missed between two connections. */
import type { LiveEvent } from '@switchyard/contracts'
import type { RegistryReader } from '../reading/registry-reader.ts'

type Changed = Extract<LiveEvent, { kind: 'changed' }>

/** Changes beyond this number are not told: reading everything anew costs the client less. */
const MOST_TOLD = 1000
/** Records that are looked at: a turn of some milliseconds. */
const MOST_WALKED = 1_000_000

/**
 * Returns the applied records after a sequence, in the order of the log. Null if they cannot be told: there
 * are too many, the graphs that they affected are forgotten, or the log ends before that sequence.
 */
export function changesSince(
  fold: Pick<RegistryReader, 'records' | 'graphsOf'>,
  after: number,
  includes: (namespace: string | null) => boolean,
): readonly Changed[] | null {
  const { records } = fold
  const { end } = records
  if (after === end) return []
  if (after > end || end - after > MOST_WALKED) return null
  const changes: Changed[] = []
  const last = records.walk({
    from: after + 1,
    to: end,
    isWanted: includes,
    take: ({ sequence, namespace, isApplied }) => {
      if (!isApplied) return true
      const graphs = namespace === null ? [] : fold.graphsOf(namespace, sequence)
      if (graphs === null || changes.length === MOST_TOLD) return false
      changes.push({ kind: 'changed', sequence, namespace, graphs: [...graphs] })
      return true
    },
  })
  return last === end ? changes : null
}

/** Hears of the records that readers took from the logs, right after they took them. */
import type { GraphName } from '@switchyard/contracts'

/** A record of the registry's log, once it is folded. */
export type FoldedRecord = {
  readonly sequence: number
  /** Null for a record about keys. */
  readonly namespace: string | null
  /** False if the record lost a race or repeats a command, and so changed nothing. */
  readonly isApplied: boolean
  /** The graphs that are composed or released anew because of it. */
  readonly graphs: readonly string[]
}

export interface LogNews {
  recorded(record: FoldedRecord): void
  composed(graph: GraphName): void
  published(graph: GraphName): void
}

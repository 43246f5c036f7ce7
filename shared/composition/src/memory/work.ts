/** Holds the values of a composition while it is made. */
import type { SubgraphHints } from '../hints/find-hints.ts'
import type { SubgraphFinding } from '../findings/finding.ts'
import { KeptByModel, KeptByType, Reads, type Kept } from '../kept/kept.ts'
import type { IsStopped } from '../kept/stop.ts'
import type { Remembered } from './remembered.ts'

/** The values of one composition, each taken from the one before where it still holds. */
export class Work {
  readonly before: Remembered | null
  readonly reads: Reads
  readonly ofSubgraphs: KeptByModel<readonly SubgraphFinding[]>
  readonly subgraphHints: KeptByModel<SubgraphHints>

  /** `isRemembered` is false for a composition that leaves nothing. */
  constructor(before: Remembered | null, isRemembered: boolean, isStopped?: IsStopped) {
    this.before = before
    this.reads = new Reads(isRemembered, isStopped)
    this.ofSubgraphs = new KeptByModel(before?.ofSubgraphs)
    this.subgraphHints = new KeptByModel(before?.subgraphHints)
  }

  /** Values of types, where `changed` are the types that are not what they were. */
  byType<Value>(
    before: ReadonlyMap<string, Kept<Value>> | undefined,
    changed: ReadonlySet<string>,
  ): KeptByType<Value> {
    return new KeptByType(before, changed, this.reads)
  }
}

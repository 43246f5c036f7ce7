/** The question that `feature-flag diff` is asked, and its findings. */
import type { FeatureFlag } from '@switchyard/domain'
import type { FlagDiff, FlagInGraph } from '@switchyard/schema-checks'

/** Which flag is compared, and in which graphs. */
export type DiffOptions = {
  readonly name: string
  readonly graph: string | undefined
  readonly exitCode: boolean
}

/** The differences in one graph. */
export type GraphDiff = {
  readonly place: FlagInGraph
  /** Null if the flag does not apply to this graph. */
  readonly diff: FlagDiff | null
}

/** Everything that was compared, before it is printed. */
export type Diffed = DiffOptions & {
  readonly namespace: string
  readonly flag: FeatureFlag
  readonly graphs: readonly GraphDiff[]
  /** The schemas that errors point into, by the name of their subgraph. */
  readonly sources: ReadonlyMap<string, { readonly sdl: string }>
}

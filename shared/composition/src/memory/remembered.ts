/** Names what a composition that succeeded leaves to the next one of the same graph. */
import type { SubgraphHints, TypeHints } from '../hints/find-hints.ts'
import type { SubgraphFinding } from '../findings/finding.ts'
import type { KeptGraph } from '../graph/graph.ts'
import type { MergedType } from '../merge/merged.ts'
import type { TypeFindings } from '../merge/rules/index.ts'
import type { KeptReach } from '../reach/judge-merged.ts'
import type { KeptTexts } from '../supergraph/kept-texts.ts'
import type { SubgraphModel } from '../model/model.ts'
import type { Kept } from '../kept/kept.ts'

/** Everything that is kept. Nothing of it changes any more. */
export type Remembered = {
  readonly graph: KeptGraph
  readonly ofSubgraphs: ReadonlyMap<SubgraphModel, readonly SubgraphFinding[]>
  readonly subgraphHints: ReadonlyMap<SubgraphModel, SubgraphHints>
  readonly hints: ReadonlyMap<string, Kept<TypeHints | null>>
  readonly merged: ReadonlyMap<string, Kept<MergedType | null>>
  readonly checks: ReadonlyMap<string, Kept<TypeFindings>>
  readonly reach: KeptReach
  readonly texts: KeptTexts
}

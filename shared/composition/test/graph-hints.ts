/** What hints say of schemas, without composing them. */
import type { CompositionHint, CompositionInput } from '@switchyard/composition'
import { parse } from 'graphql'
import { describeFindings } from '../src/findings/describe-findings.ts'
import type { Finding } from '../src/findings/finding.ts'
import { findGraphHints, type TypeHints } from '../src/hints/find-hints.ts'
import { Work } from '../src/memory/work.ts'
import { type Graph, readGraph } from '../src/graph/graph.ts'
import { readModel } from '../src/model/read-model.ts'

type GraphOptions = Pick<CompositionInput, 'allowUnenforcedAuthorization'> & {
  /** The names of subgraphs that others replace, by the names of those. */
  readonly replaced?: Readonly<Record<string, string>>
}

/** All hints about the subgraphs. Their texts must be SDL. */
export function hintsIn(
  sdls: Readonly<Record<string, string>>,
  { allowUnenforcedAuthorization, replaced = {} }: GraphOptions = {},
): readonly CompositionHint[] {
  const subgraphs = Object.entries(sdls)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sdl]) => ({ name, sdl, document: parse(sdl, { noLocation: true }) }))
  const positions = new Map(subgraphs.map(({ name }, at) => [name, at]))
  for (const [name, before] of Object.entries(replaced)) {
    const at = positions.get(name)
    if (at !== undefined && !positions.has(before)) positions.set(before, at)
  }
  const graph = readGraph(
    subgraphs.map(({ document }) => readModel(document)),
    positions,
  )
  return describeFindings(graphHints(graph, allowUnenforcedAuthorization !== true), subgraphs)
}

/** The hints about a graph that nobody remembers. */
export function graphHints(graph: Graph, isEnforced = true): readonly Finding[] {
  const work = new Work(null, false)
  const ofTypes = work.byType<TypeHints | null>(undefined, graph.changed)
  return findGraphHints(graph, isEnforced, { ofTypes, ofSubgraphs: work.subgraphHints })
}

/** What hints say of schemas, without composing them. */
import type { CompositionHint, CompositionInput } from '@switchyard/composition'
import { parse } from 'graphql'
import { describeFindings } from '../src/findings/describe-findings.ts'
import { findGraphHints } from '../src/hints/find-hints.ts'
import { readGraph } from '../src/merge/graph.ts'
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
  return describeFindings(findGraphHints(graph, allowUnenforcedAuthorization !== true), subgraphs)
}

/**
 * The subgraphs of a graph side by side: what merging, rules and hints about several of them read.
 *
 * A graph is read from the one of the composition before, if there is one: of the types that no changed
 * subgraph has or mentions, nothing is looked at.
 */
import { Reads } from '../kept/kept.ts'
import type { SubgraphModel, TypeModel } from '../model/model.ts'
import type { Declared } from './declared.ts'
import { MergeFacts } from './facts.ts'
import { graphType, GraphTypes, isSameType, NO_TYPE, type GraphType } from './graph-types.ts'
import {
  overridesIn,
  readMentions,
  type Mentions,
  type StatedOverride,
  type SubgraphMentions,
} from './mentions.ts'

/** The subgraphs of a graph, and all that they declare by the name of its type. */
export type Graph = {
  /** In the order of their names. */
  readonly subgraphs: readonly SubgraphModel[]
  readonly facts: MergeFacts
  readonly types: GraphTypes
  readonly reads: Reads
  /** The types that are not what they were in the graph before; all types if there was none. */
  readonly changed: ReadonlySet<string>
  /** The part that the next graph is read from. */
  readonly kept: KeptGraph
}

/** A graph as the next composition remembers it. */
export type KeptGraph = {
  readonly mentions: readonly SubgraphMentions[]
  readonly overrides: ReadonlyMap<SubgraphModel, readonly StatedOverride[]>
  readonly positions: ReadonlyMap<string, number>
  readonly types: ReadonlyMap<string, GraphType>
  readonly names: readonly string[]
}

/**
 * Puts subgraphs side by side. `subgraphs` are in the order of their names; `positions` has the position of
 * each name that `@override(from:)` can mean, also of the subgraphs that features replace. `reads` notes what
 * is read of the graph.
 */
export function readGraph(
  subgraphs: readonly SubgraphModel[],
  positions: ReadonlyMap<string, number>,
  before: KeptGraph | null = null,
  reads: Reads = new Reads(false),
): Graph {
  const positionOf = (name: string) => positions.get(name) ?? -1
  const overrides = new Map(
    subgraphs.map((model) => [model, before?.overrides.get(model) ?? overridesIn(model)] as const),
  )
  const mentions = mentionsOf(subgraphs, overrides, positionOf, before)
  const differing = differingPositions(mentions, before)
  const fresh = gather(mentions, differing)
  for (const name of otherNames(mentions, positions, overrides, before))
    if (!fresh.has(name)) fresh.set(name, { declarations: [], mentions: [] })
  const types = new Map(before?.types)
  const changed = new Set<string>()
  let areNamesSame = before !== null
  for (const [name, found] of fresh) {
    const known = before?.types.get(name)
    const made = graphType(
      joined(known?.declarations, found.declarations, differing),
      joined(known?.mentions, found.mentions, differing),
      positionOf,
    )
    const isForced = name === 'Query' && before?.mentions.length !== mentions.length
    // The version of federation is part of what is read: with another one, no declaration is the same.
    if (known !== undefined && !isForced && isSameType(known, made)) continue
    changed.add(name)
    if ((known ?? NO_TYPE).declarations.length > 0 !== made.declarations.length > 0) areNamesSame = false
    if (made.declarations.length + made.mentions.length === 0) types.delete(name)
    else types.set(name, made)
  }
  const names = areNamesSame && before !== null ? before.names : declaredNames(types)
  const graphTypes = new GraphTypes(types, names, reads)
  return {
    subgraphs,
    facts: new MergeFacts(subgraphs, positionOf, graphTypes),
    types: graphTypes,
    reads,
    changed,
    kept: { mentions, overrides, positions, types, names },
  }
}

/** The graph as if nobody declared these types. */
export function withoutTypes(graph: Graph, without: ReadonlyMap<string, unknown>): Graph {
  if (without.size === 0) return graph
  const { subgraphs, facts, kept, reads } = graph
  const types = new Map([...kept.types].filter(([name]) => !without.has(name)))
  const graphTypes = new GraphTypes(types, declaredNames(types), reads)
  return { ...graph, types: graphTypes, facts: new MergeFacts(subgraphs, facts.positionOf, graphTypes) }
}

function declaredNames(types: ReadonlyMap<string, GraphType>): readonly string[] {
  return [...types].flatMap(([name, { declarations }]) => (declarations.length > 0 ? [name] : [])).sort()
}

/** Reads what subgraphs mention. A field whose `@requires` has moved elsewhere needs nothing any more. */
function mentionsOf(
  subgraphs: readonly SubgraphModel[],
  overrides: ReadonlyMap<SubgraphModel, readonly StatedOverride[]>,
  positionOf: (name: string) => number,
  before: KeptGraph | null,
): readonly SubgraphMentions[] {
  const overridden = new Map<number, Set<string>>()
  for (const model of subgraphs)
    for (const { coordinate, from, isOfObject } of overrides.get(model) ?? []) {
      if (!isOfObject) continue
      const source = positionOf(from)
      const known = overridden.get(source)
      if (known === undefined) overridden.set(source, new Set([coordinate]))
      else known.add(coordinate)
    }
  const known = new Map(before?.mentions.map((one) => [one.model, one]))
  return subgraphs.map((model, at) => {
    const taken = overridden.get(at) ?? NOTHING
    const kept = known.get(model)
    if (kept !== undefined && isMovedAlike(kept, taken)) return kept
    return readMentions(model, taken)
  })
}

const NOTHING: ReadonlySet<string> = new Set()

/** Whether the same fields with a `@requires` have moved away. */
function isMovedAlike({ model, moved }: SubgraphMentions, taken: ReadonlySet<string>): boolean {
  if (taken.size === 0) return moved.size === 0
  const now = [...taken].filter((coordinate) => {
    const [type = '', field = ''] = coordinate.split('.')
    const found = model.types.get(type)
    return found !== undefined && 'keys' in found && (found.fields.get(field)?.requires ?? null) !== null
  })
  return now.length === moved.size && now.every((coordinate) => moved.has(coordinate))
}

/** The positions at which another subgraph stands than before, or one that mentions other things. */
function differingPositions(
  mentions: readonly SubgraphMentions[],
  before: KeptGraph | null,
): ReadonlySet<number> {
  const found = new Set<number>()
  const count = Math.max(mentions.length, before?.mentions.length ?? 0)
  for (let at = 0; at < count; at++) if (mentions[at] !== before?.mentions[at]) found.add(at)
  return found
}

type Found = { readonly declarations: Declared<TypeModel>[]; readonly mentions: Declared<Mentions>[] }

/** Gathers what the subgraphs at these positions say of types, by name. */
function gather(mentions: readonly SubgraphMentions[], positions: ReadonlySet<number>): Map<string, Found> {
  const found = new Map<string, Found>()
  const of = (name: string): Found => {
    let known = found.get(name)
    if (known === undefined) {
      known = { declarations: [], mentions: [] }
      found.set(name, known)
    }
    return known
  }
  for (const at of positions) {
    const subgraph = mentions[at]
    if (subgraph === undefined) continue
    for (const [name, model] of subgraph.model.types) of(name).declarations.push({ at, model })
    for (const [name, model] of subgraph.byType) of(name).mentions.push({ at, model })
  }
  return found
}

/** Types that were in subgraphs that differ now, and those whose overrides may mean other subgraphs now. */
function* otherNames(
  mentions: readonly SubgraphMentions[],
  positions: ReadonlyMap<string, number>,
  overrides: ReadonlyMap<SubgraphModel, readonly StatedOverride[]>,
  before: KeptGraph | null,
): Iterable<string> {
  if (before === null) return
  for (const [at, one] of before.mentions.entries()) {
    if (mentions[at] === one) continue
    yield* one.model.types.keys()
    yield* one.byType.keys()
  }
  if (before.mentions.length !== mentions.length) yield 'Query'
  const isSame =
    positions.size === before.positions.size &&
    [...positions].every(([name, at]) => before.positions.get(name) === at)
  if (isSame) return
  for (const stated of overrides.values()) for (const { type } of stated) yield type
}

/** The declarations of subgraphs that did not change, and those of the others, in the order of subgraphs. */
function joined<Model>(
  before: readonly Declared<Model>[] | undefined,
  fresh: readonly Declared<Model>[],
  differing: ReadonlySet<number>,
): readonly Declared<Model>[] {
  if (before === undefined || before.length === 0) return fresh
  const kept = before.filter(({ at }) => !differing.has(at))
  return fresh.length === 0 ? kept : [...kept, ...fresh].sort((a, b) => a.at - b.at)
}

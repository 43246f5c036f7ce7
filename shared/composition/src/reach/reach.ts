/**
 * Whether every field that a client may ask for can be resolved from everywhere a client may stand.
 *
 * The judgement is the planner's: it is made over the same nodes and edges, and a graph without findings is
 * one in which every operation has a plan. It costs what the nodes and edges of the graph cost, not what its
 * paths do.
 */
import { type TypeGraph, QueryGraph, type TypeId, typeOf } from '@switchyard/engine/moves'
import { CompleteNodes } from './complete-nodes.ts'
import { KnownParts, type KeptParts } from './kept-parts.ts'
import { Declarations } from './declarations.ts'
import type { UnreachableField, ReachVerdict } from './unreachable-field.ts'
import { labelSettings } from './label-settings.ts'
import { obstaclesOf } from './obstacles.ts'
import { Resolution } from './resolution.ts'
import { judgeRootFields, type LonelyField } from './root-fields.ts'
import { printOperation, SampleOperations, type SampleTypes } from './sample-operation.ts'
import { pathOf, selectionOf } from './trace.ts'
import { type DeadEnd, type Place, StepLimit, Walk } from './walk.ts'

/** A graph that was judged before, and the types that have changed since. */
export type ReachBefore = { readonly parts: KeptParts; readonly changed: ReadonlySet<TypeId> }

/**
 * All fields that cannot be reached, each once, those of the shortest paths first. `types` are those that
 * clients see. In `before`, types and subgraphs have the ids that they have now, and types their kinds.
 */
export function judgeReach(
  graph: TypeGraph,
  types: SampleTypes,
  before: ReachBefore | null = null,
): ReachVerdict & { readonly parts: KeptParts | null } {
  const limit = new StepLimit()
  const samples = new SampleOperations(types)
  const settings = labelSettings([...graph.compiled.labels].sort())
  const known = before === null || settings.length > 1 ? null : new KnownParts(before.parts, before.changed)
  const findings = new Map<string, UnreachableField>()
  let parts: KeptParts | null = null
  for (const labels of settings) {
    const complete = known === null ? null : completeAgain(new QueryGraph(graph, labels), known)
    const resolution = complete?.resolution ?? new Resolution(new QueryGraph(graph, labels))
    const judge = new Judge(resolution, complete ?? new CompleteNodes(resolution), samples, limit)
    for (const finding of judge.findings()) {
      const coordinate = `${finding.field.type}.${finding.field.name}`
      const found = findings.get(coordinate)
      if (found === undefined || finding.path.length < found.path.length) findings.set(coordinate, finding)
    }
    if (settings.length === 1) parts = judge.parts(complete === null ? null : known)
  }
  // The order in which nodes are looked at decides which of several equal reasons is told.
  if (known !== null && (findings.size > 0 || limit.isExceeded)) return judgeReach(graph, types)
  const sorted = [...findings].sort(
    ([a, one], [b, other]) => one.path.length - other.path.length || (a < b ? -1 : 1),
  )
  return { findings: sorted.map(([, finding]) => finding), isDecided: !limit.isExceeded, parts }
}

/** The complete nodes, with those of before; null if one of these is complete no longer. */
function completeAgain(queryGraph: QueryGraph, known: KnownParts): CompleteNodes | null {
  const complete = new CompleteNodes(new Resolution(queryGraph), known)
  for (const part of known.doubtful()) if (!complete.hasAgain(part)) return null
  return complete
}

type RootKind = 'query' | 'mutation' | 'subscription'

/** Judges a graph under one setting of its override labels. */
class Judge {
  readonly #resolution: Resolution
  readonly #complete: CompleteNodes
  readonly #declarations: Declarations
  readonly #samples: SampleOperations
  readonly #limit: StepLimit

  constructor(resolution: Resolution, complete: CompleteNodes, samples: SampleOperations, limit: StepLimit) {
    this.#resolution = resolution
    this.#complete = complete
    this.#declarations = new Declarations(resolution.queryGraph)
    this.#samples = samples
    this.#limit = limit
  }

  /** The parts that were looked at, with those of which all is known. */
  parts(known: KnownParts | null): KeptParts {
    const looked = this.#complete.kept()
    return known === null ? looked : known.with(looked)
  }

  *findings(): Generator<UnreachableField> {
    const { query, mutation, subscription } = this.#resolution.queryGraph.graph.compiled.roots
    yield* this.#ofQuery(query)
    yield* this.#ofSingleFields('mutation', mutation)
    yield* this.#ofSingleFields('subscription', subscription)
  }

  *#ofQuery(type: TypeId): Generator<UnreachableField> {
    const walk = new Walk(this.#resolution, this.#complete, this.#limit)
    walk.add(this.#rootPlace(type))
    yield* this.#ofWalk('query', walk)
  }

  *#ofSingleFields(kind: RootKind, type: TypeId): Generator<UnreachableField> {
    if (this.#resolution.queryGraph.graph.compiled.types[type] === undefined) return
    const root = this.#rootPlace(type)
    const fields = judgeRootFields(this.#resolution, this.#complete, this.#limit, root)
    for (const deadEnd of fields.deadEnds) yield this.#finding(kind, deadEnd)
    for (const lonely of fields.lonely) yield this.#lonelyFinding(kind, root, lonely)
    const walk = new Walk(this.#resolution, this.#complete, this.#limit)
    for (const place of fields.places) walk.add(place)
    yield* this.#ofWalk(kind, walk)
  }

  *#ofWalk(kind: RootKind, walk: Walk): Generator<UnreachableField> {
    const told = new Set<string>()
    for (const deadEnd of walk.deadEnds()) {
      const coordinate =
        deadEnd.field === null ? `${deadEnd.place.type}` : `${deadEnd.object}.${deadEnd.field.name}`
      if (told.has(coordinate)) continue
      told.add(coordinate)
      yield this.#finding(kind, deadEnd)
    }
  }

  #rootPlace(type: TypeId): Place {
    const { queryGraph } = this.#resolution
    const nodes = typeOf(queryGraph.graph, type).presence.map(({ sub }) => queryGraph.node(type, sub, null))
    return { type, nodes, from: null, length: 0 }
  }

  #finding(kind: RootKind, deadEnd: DeadEnd): UnreachableField {
    const { graph, labels } = this.#resolution.queryGraph
    const { place, object, field } = deadEnd
    return {
      field:
        field === null
          ? { type: typeOf(graph, place.type).name, name: '__typename' }
          : { type: typeOf(graph, object).name, name: field.name },
      labels: [...labels].sort(),
      path: pathOf(this.#resolution, deadEnd),
      operation: printOperation(kind, [selectionOf(this.#resolution, this.#samples, deadEnd)]),
      reasons: obstaclesOf(this.#resolution, this.#declarations, deadEnd),
    }
  }

  #lonelyFinding(kind: RootKind, { type }: Place, { name, alone }: LonelyField): UnreachableField {
    const { graph, labels } = this.#resolution.queryGraph
    const root = typeOf(graph, type).name
    return {
      field: { type: root, name },
      labels: [...labels].sort(),
      path: [{ coordinate: `${root}.${name}`, subgraph: null }],
      operation: printOperation(
        kind,
        alone.map(({ deadEnd }) => selectionOf(this.#resolution, this.#samples, deadEnd)),
      ),
      reasons: alone.map(({ node, deadEnd: { place, object, field } }) => ({
        kind: 'not-alone',
        subgraph: graph.compiled.subgraphs[node.sub]?.name ?? '',
        missing:
          field === null
            ? `${typeOf(graph, place.type).name}.__typename`
            : `${typeOf(graph, object).name}.${field.name}`,
      })),
    }
  }
}

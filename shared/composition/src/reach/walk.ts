/**
 * Walks all paths that a client may take, the shortest first, and finds the fields at which they end.
 *
 * At the end of a path the client stands at a set of nodes: a field may be asked of every subgraph that has
 * it. Sets with a complete node need no walk. Nor does a set that holds all nodes of one that was walked
 * before: whatever ends there ended there sooner. Sets of nodes could be as many as there are subsets, so
 * there is a limit to the work; beyond it the walk says that it has not seen everything.
 */
import { type CompiledField, isComposite, namedType, type Node, type TypeId } from '@switchyard/engine/moves'
import { CompleteNodes } from './complete-nodes.ts'
import type { Entered } from './entered.ts'
import type { Resolution } from './resolution.ts'
import { commonObjects, visibleFields } from './visible.ts'

/** A place to which a path leads, and the nodes at which the client may stand there. */
export type Place = {
  readonly type: TypeId
  readonly nodes: readonly Node[]
  readonly from: { readonly place: Place; readonly object: TypeId; readonly field: CompiledField } | null
  /** Fields and type conditions on the way here. */
  readonly length: number
}

/** A field of an object type at which a path ends; null stands for `__typename`, which nobody tells. */
export type DeadEnd = {
  readonly place: Place
  readonly object: TypeId
  readonly field: CompiledField | null
  readonly standing: readonly Entered[]
}

/** The steps that a walk may take in all: more than graphs of a million fields need. */
const MAX_STEPS = 20_000_000

/** Counts the steps of all walks through one graph. */
export class StepLimit {
  #left = MAX_STEPS

  /** True as long as there are steps left. */
  take(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }

  /** True if a walk was cut short. */
  get isExceeded(): boolean {
    return this.#left < 0
  }
}

/** One walk, from the places that are added to it. */
export class Walk {
  readonly #resolution: Resolution
  readonly #complete: CompleteNodes
  readonly #limit: StepLimit
  readonly #waiting: Place[][] = []
  readonly #walked = new Map<TypeId, ReadonlySet<Node>[]>()

  constructor(resolution: Resolution, complete: CompleteNodes, limit: StepLimit) {
    this.#resolution = resolution
    this.#complete = complete
    this.#limit = limit
  }

  /** Adds a place to start from or to go on at. */
  add(place: Place): void {
    if (place.nodes.some((node) => this.#complete.has(node))) return
    const waiting = this.#waiting[place.length]
    if (waiting === undefined) this.#waiting[place.length] = [place]
    else waiting.push(place)
  }

  /** The dead ends, those of the shortest paths first. */
  *deadEnds(): Generator<DeadEnd> {
    for (let length = 0; length < this.#waiting.length; length++)
      for (const place of this.#waiting[length] ?? []) {
        if (this.#isKnown(place)) continue
        if (!this.#limit.take(place.nodes.length)) return
        yield* this.#walkPlace(place)
      }
  }

  /** Whether some of the place's nodes were all that there was at an earlier place. */
  #isKnown({ type, nodes }: Place): boolean {
    const walked = this.#walked.get(type) ?? []
    this.#walked.set(type, walked)
    const here = new Set(nodes)
    this.#limit.take(walked.length)
    if (walked.some((earlier) => earlier.size <= here.size && [...earlier].every((node) => here.has(node))))
      return true
    walked.push(here)
    return false
  }

  *#walkPlace(place: Place): Generator<DeadEnd> {
    const { queryGraph } = this.#resolution
    const objects = commonObjects(queryGraph.graph, place.type, place.nodes)
    const known = new Map(
      objects.map((object) => {
        const sources = place.nodes.map((node) => queryGraph.asObject(node, object))
        return [object, this.#resolution.standing(sources, object)] as const
      }),
    )
    const untold = [...known].find(([, standing]) => standing.every(({ isTold }) => !isTold))
    if (untold !== undefined) {
      const [object, standing] = untold
      yield { place, object, field: null, standing }
    }
    for (const [object, standing] of known)
      for (const field of visibleFields(queryGraph.graph, object))
        yield* this.#walkField(place, object, field, standing)
  }

  *#walkField(
    place: Place,
    object: TypeId,
    field: CompiledField,
    standing: readonly Entered[],
  ): Generator<DeadEnd> {
    this.#limit.take(standing.length)
    const { graph } = this.#resolution.queryGraph
    const type = namedType(field.type)
    if (!isComposite(graph, type)) {
      if (!this.#resolution.hasLeaf(standing, object, field.name)) yield { place, object, field, standing }
      return
    }
    const found = this.#resolution.resolvers(standing, object, field.name)
    this.#limit.take(found.length)
    const nodes = [...new Set(found.flatMap(({ edge }) => edge.to ?? []))].sort((a, b) => a.sub - b.sub)
    if (nodes.length === 0) yield { place, object, field, standing }
    else
      this.add({ type, nodes, from: { place, object, field }, length: place.length + stepsTo(place, object) })
  }
}

/** A field takes one step; one of a single object type takes a type condition before. */
export function stepsTo({ type }: Place, object: TypeId): number {
  return type === object ? 1 : 2
}

/**
 * How selections are answered from nodes, kept for as long as the selections live.
 *
 * Below a `@provides` a type is another node than elsewhere in the same subgraph. Mostly nothing that is wanted there is
 * provided, and both are asked for the same: then both have one answer, so that one selection serves for both. Else every
 * level of nested interfaces would be asked for once for each combination of object types on the way there.
 */
import type { Goal, Selection } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import type { GroupId } from '../../ids.ts'
import type { Node } from './query-graph.ts'
import type { EntityEntry, Local, Pick, Spread, Uncut, Visit } from './solution.ts'

/** No graph has as many nodes. */
const MAX_NODES = 2 ** 32

export class KnownSpreads {
  /** Those of client selections go with their operation: the map is weak. */
  readonly #bySelection = new WeakMap<Selection, Map<number, Spread>>()

  get(selection: Selection, node: Node, group: GroupId): Spread | undefined {
    return this.#bySelection.get(selection)?.get(placeOf(node, group))
  }

  /** Gives the one to be used from now on: one that comes to the same, if there is any. */
  keep(spread: Spread, group: GroupId, budget: Budget): Spread {
    const { node, selection } = spread
    const byPlace = this.#bySelection.get(selection) ?? new Map<number, Spread>()
    this.#bySelection.set(selection, byPlace)
    let kept = spread
    for (const [place, known] of byPlace) {
      if (known.node.sub !== node.sub || known.node.type !== node.type) continue
      if (place !== placeOf(known.node, group) || !sameSpread(known, spread, budget)) continue
      kept = known
      break
    }
    byPlace.set(placeOf(node, group), kept)
    return kept
  }
}

function placeOf(node: Node, group: GroupId): number {
  return node.id + group * MAX_NODES
}

/** Of one selection, from two nodes of one type in one subgraph: the same calls, with the same fields in them. */
function sameSpread(a: Spread, b: Spread, budget: Budget): boolean {
  if (a.cost !== b.cost || a.depth !== b.depth || a.fetches !== b.fetches) return false
  if (a.residual !== null || b.residual !== null || !sameUncut(a.uncut, b.uncut)) return false
  return [...a.byType].every(([object, local]) => {
    const other = b.byType.get(object)
    return other !== undefined && new Comparison(budget).sameLocal(local, other)
  })
}

function sameUncut(a: Uncut | null, b: Uncut | null): boolean {
  if (a === null || b === null) return a === b
  return a.size === b.size && [...a].every(([group, goals]) => sameGoals(goals, b.get(group) ?? []))
}

function sameGoals(a: readonly Goal[], b: readonly Goal[]): boolean {
  return sameLists(a, b, (goal, other) => goal === other)
}

function sameLists<Item>(
  a: readonly Item[],
  b: readonly Item[],
  same: (item: Item, other: Item) => boolean,
): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index]
      return other !== undefined && same(item, other)
    })
  )
}

/** Visits are made for each source: those of one side are told from each other as those of the other side are. */
class Comparison {
  readonly #budget: Budget
  readonly #others = new Map<Visit, Visit>()
  readonly #taken = new Set<Visit>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  sameLocal(a: Local, b: Local): boolean {
    this.#budget.step((a.picks.length + a.visits.length) / 8)
    return (
      sameUncut(a.uncut, b.uncut) &&
      sameGoals(a.residual, b.residual) &&
      sameLists(a.picks, b.picks, (pick, other) => this.#samePick(pick, other)) &&
      sameLists(a.visits, b.visits, (visit, other) => this.#sameVisit(visit, other)) &&
      sameLists(
        a.cuts,
        b.cuts,
        (cut, other) => cut.group === other.group && this.sameLocal(cut.local, other.local),
      )
    )
  }

  /** Where the field leads to is told by what answers the selection there. */
  #samePick(a: Pick, b: Pick): boolean {
    return (
      a.goal === b.goal &&
      a.child === b.child &&
      a.edge.requires === b.edge.requires &&
      a.edge.type === b.edge.type &&
      this.#sameVisit(a.visit, b.visit)
    )
  }

  #sameVisit(a: Visit | null, b: Visit | null): boolean {
    if (a === null || b === null || a === b) return a === b
    const known = this.#others.get(a)
    if (known !== undefined) return known === b
    if (this.#taken.has(b)) return false
    this.#others.set(a, b)
    this.#taken.add(b)
    return (
      a.kind === b.kind &&
      a.node === b.node &&
      a.depth === b.depth &&
      a.call === b.call &&
      this.#sameEntry(a.entity, b.entity)
    )
  }

  #sameEntry(a: EntityEntry | null, b: EntityEntry | null): boolean {
    if (a === null || b === null) return a === b
    return (
      a.key === b.key &&
      a.repType === b.repType &&
      a.requires === b.requires &&
      a.field === b.field &&
      a.discovers === b.discovers &&
      a.typed === b.typed &&
      this.#sameVisit(a.discovery, b.discovery) &&
      sameLists(a.inputs, b.inputs, (pick, other) => this.#samePick(pick, other))
    )
  }
}

/**
 * Which object types may be selected at each place, whatever plan wins.
 *
 * Subgraphs may know different members of one union or interface. Where several of them could answer a field, only the
 * members known to all may be selected, else the response would show which of them was asked. This looks at all
 * possible sources of a place, not at those the plan chooses. A field that only one subgraph can answer keeps all of
 * that subgraph's members.
 */
import type { FieldGoal, Selection } from '../operation/normalised.ts'
import { typeOf } from '../graph/graph.ts'
import type { Budget } from './budget.ts'
import type { TypeId } from './plan.ts'
import type { Node, SchemaView } from './schema-view.ts'
import type { Solver } from './solver.ts'

export type Members = Map<Selection, ReadonlySet<TypeId>>

/** Fills `members` for every selection that must be narrowed. */
export function findMembers(
  view: SchemaView,
  solver: Solver,
  budget: Budget,
  roots: readonly Node[],
  selection: Selection,
  members: Members,
): void {
  const walk = (nodes: ReadonlySet<Node>, below: Selection): void => {
    const targets = new Map<FieldGoal, Set<Node>>()
    for (const [object, goals] of below.byType)
      for (const goal of goals) {
        if (goal.kind !== 'field' || goal.child === null) continue
        for (const node of candidates(nodes, object)) {
          budget.step()
          const to = view.edge(node, goal.name)?.to
          if (to === null || to === undefined) continue
          const known = targets.get(goal)
          if (known === undefined) targets.set(goal, new Set([to]))
          else known.add(to)
        }
      }
    for (const [goal, nodesBelow] of targets) {
      if (goal.child === null) continue
      if (typeOf(view.graph, goal.child.type).kind !== 'object') {
        const common = commonMembers(nodesBelow)
        if (common !== null) members.set(goal.child, common)
      }
      walk(nodesBelow, goal.child)
    }
  }
  const candidates = (nodes: ReadonlySet<Node>, object: TypeId): ReadonlySet<Node> => {
    const all = new Set<Node>()
    for (const node of nodes) {
      if (!node.runtime.includes(object)) continue
      const source = view.asObject(node, object)
      if (object === view.graph.compiled.roots.mutation) all.add(source)
      else for (const entry of solver.reach(source, object)) all.add(entry.node)
    }
    return all
  }
  walk(new Set(roots), selection)
}

/** Null when all know the same. An interface object knows none, so it excludes none. */
function commonMembers(nodes: ReadonlySet<Node>): ReadonlySet<TypeId> | null {
  const telling = [...nodes].filter((node) => !node.interfaceObject)
  const [first, ...others] = telling
  if (first === undefined || others.length === 0) return null
  const common = first.runtime.filter((type) => others.every((node) => node.runtime.includes(type)))
  const differs = telling.some((node) => node.runtime.length !== common.length)
  return differs ? new Set(common) : null
}

/**
 * The fragments with `@defer` of a plan, as people and tools read them: where they sit and what each waits
 * for.
 */
import { type Graph, typeOf } from '../../graph/graph.ts'
import type { FetchId, GroupId, PositionId } from '../../ids/ids.ts'
import type { DeliveryGroup, ObjectShape, Plan, ShapeNode } from '../contract/plan.ts'

/** A deferred fragment of a plan. */
export type DeferredNode = {
  /** As in the response. */
  readonly id: GroupId
  readonly label: string | null
  /** Response keys from the root to the object it sits on. */
  readonly path: string
  /** Object types it applies to; empty where it applies to all. */
  readonly types: readonly string[]
  /** Everything in it is delivered with what is around it: it is never announced. */
  readonly dropped: boolean
  /**
   * The one it is nested in, 0 for the initial part: it is announced with that one, and never delivered
   * before.
   */
  readonly parent: GroupId
  /** Others that deliver fields it selects as well, so that it is complete only after them. */
  readonly completedAfter: readonly GroupId[]
  /** The fetches that its own fields are read from. */
  readonly fetches: readonly FetchId[]
  /**
   * None of these fetches is made for it: its fields are delivered later, but fetched with their
   * surroundings.
   */
  readonly withSurroundings: boolean
}

/** Returns the deferred fragments in document order; none where nothing is deferred. */
export function deferredNodes(
  graph: Graph,
  plan: Plan,
  pathOf: (at: PositionId) => string,
): readonly DeferredNode[] {
  if (!plan.deferred) return []
  const fetches = fetchesByGroup(plan)
  return plan.groups.slice(1).map((group): DeferredNode => {
    const [first] = group.anchors
    const own = [...(fetches.get(group.id) ?? [])].sort((a, b) => a - b)
    return {
      id: group.id,
      label: group.label,
      path: first === undefined ? 'a place without objects' : pathOf(first.at),
      types: typesOf(graph, group),
      dropped: !group.isLive,
      parent: group.parent,
      completedAfter: group.completedAfter,
      fetches: own,
      withSurroundings: own.length > 0 && own.every((id) => plan.fetches[id]?.group !== group.id),
    }
  })
}

/** One line for a person. */
export function printDeferred(node: DeferredNode): string {
  const { id, label, path, types, dropped, parent, completedAfter, fetches, withSurroundings } = node
  const name = label === null ? '' : ` ${JSON.stringify(label)}`
  const on = types.length === 0 ? '' : ` (${types.join(' | ')})`
  const head = `Deferred ${id}${name} at ${path}${on}: `
  if (dropped) return `${head}dropped, everything in it is delivered with what is around it`
  const waits = [
    ...(parent === 0 ? [] : [`deferred ${parent}`]),
    ...completedAfter.map((other) => `deferred ${other}`),
    ...fetches.map((fetch) => `fetch ${fetch}`),
  ]
  const how = withSurroundings ? ', fetched with its surroundings' : ''
  return `${head}waits for ${waits.length === 0 ? 'nothing but the initial part' : waits.join(', ')}${how}`
}

function typesOf(graph: Graph, { anchors }: DeliveryGroup): readonly string[] {
  if (anchors.some(({ types }) => types === null)) return []
  const all = new Set(anchors.flatMap(({ types }) => types ?? []))
  return [...all].map((type) => typeOf(graph, type).name).sort()
}

function fetchesByGroup({ shape }: Plan): ReadonlyMap<GroupId, ReadonlySet<FetchId>> {
  const found = new Map<GroupId, Set<FetchId>>()
  const seen = new Set<ObjectShape>()
  const collectFrom = (node: ShapeNode): void => {
    if (node.kind === 'list') collectFrom(node.item)
    if (node.kind !== 'object' || seen.has(node)) return
    seen.add(node)
    for (const field of node.cases.flatMap(({ fields }) => fields)) {
      if (field.kind !== 'field') continue
      if (field.fetch !== -1) found.set(field.group, (found.get(field.group) ?? new Set()).add(field.fetch))
      collectFrom(field.node)
    }
  }
  collectFrom(shape)
  return found
}

/**
 * Root fields that one subgraph must answer alone: those of mutations and subscriptions. Two subgraphs that
 * were asked for parts of one mutation would both make the change.
 */
import { isComposite, namedType, type Node } from '@switchyard/engine/moves'
import type { CompleteNodes } from './complete-nodes.ts'
import type { Resolution } from './resolution.ts'
import { visibleFields } from './visible.ts'
import { type DeadEnd, type Place, type StepLimit, Walk } from './walk.ts'

/** A root field that no subgraph answers alone, with the first dead end of each that has the field. */
export type LonelyField = {
  readonly name: string
  readonly alone: readonly { readonly node: Node; readonly deadEnd: DeadEnd }[]
}

/** The places and dead ends that the fields of a root lead to. */
export type RootFields = {
  /** Places from which to walk. */
  readonly places: readonly Place[]
  /** Root fields that no subgraph has. */
  readonly deadEnds: readonly DeadEnd[]
  readonly lonely: readonly LonelyField[]
}

/** Judges each field of a root type whose fields are answered by one subgraph each. */
export function judgeRootFields(
  resolution: Resolution,
  complete: CompleteNodes,
  limit: StepLimit,
  root: Place,
): RootFields {
  const { graph } = resolution.queryGraph
  const object = root.type
  const standing = resolution.standing(root.nodes, object)
  const places: Place[] = []
  const deadEnds: DeadEnd[] = []
  const lonely: LonelyField[] = []
  for (const field of visibleFields(graph, object)) {
    const found = resolution.resolvers(standing, object, field.name)
    if (found.length === 0) deadEnds.push({ place: root, object, field, standing })
    const type = namedType(field.type)
    if (!isComposite(graph, type)) continue
    const nodes = found.flatMap(({ edge }) => edge.to ?? [])
    if (nodes.length === 0 || nodes.some((node) => complete.has(node))) continue
    const placeOf = (some: readonly Node[]): Place => ({
      type,
      nodes: some,
      from: { place: root, object, field },
      length: 1,
    })
    const firstDeadEnd = (some: readonly Node[]): DeadEnd | undefined => {
      const walk = new Walk(resolution, complete, limit)
      walk.add(placeOf(some))
      return walk.deadEnds().next().value ?? undefined
    }
    const alone = nodes.map((node) => ({ node, deadEnd: firstDeadEnd([node]) }))
    if (alone.some(({ deadEnd }) => deadEnd === undefined)) continue
    if (nodes.length === 1 || firstDeadEnd(nodes) !== undefined) places.push(placeOf(nodes))
    else
      lonely.push({
        name: field.name,
        alone: alone.flatMap(({ node, deadEnd }) => (deadEnd === undefined ? [] : [{ node, deadEnd }])),
      })
  }
  return { places, deadEnds, lonely }
}

/** Writes down the path to a dead end: the operation that takes it, and the subgraph of each step. */
import { isComposite, namedType, type Node, typeOf } from '@switchyard/engine/moves'
import type { UnreachableStep } from './unreachable-field.ts'
import type { Resolution } from './resolution.ts'
import type { SampleOperations } from './sample-operation.ts'
import type { DeadEnd, Place } from './walk.ts'

/** A step with the node at which the client stands before it. */
type Taken = {
  readonly place: Place
  readonly type: string
  readonly name: string
  readonly from: Node | null
}

/** The fields and type conditions that an operation selects to come to the dead end. */
export function selectionOf(
  resolution: Resolution,
  samples: SampleOperations,
  { place, object, field }: DeadEnd,
): readonly string[] {
  const { graph } = resolution.queryGraph
  const lines: string[] = []
  for (let at: Place | null = place; at?.from != null; at = at.from.place) {
    const { name } = typeOf(graph, at.from.object)
    lines.unshift(
      ...conditionOf(at.from.place, at.from.object, name),
      samples.field(name, at.from.field.name),
    )
  }
  if (field === null) return [...lines, '__typename']
  const { name } = typeOf(graph, object)
  lines.push(...conditionOf(place, object, name), samples.field(name, field.name))
  return isComposite(graph, namedType(field.type)) ? [...lines, '__typename'] : lines
}

function conditionOf({ type }: Place, object: number, name: string): readonly string[] {
  return type === object ? [] : [`... on ${name}`]
}

/** The path to a dead end. It stays in one subgraph as long as it can. */
export function pathOf(
  resolution: Resolution,
  { place, object, field }: DeadEnd,
): readonly UnreachableStep[] {
  const { graph } = resolution.queryGraph
  const nameOfSubgraph = (node: Node | null) => graph.compiled.subgraphs[node?.sub ?? -1]?.name ?? null
  const steps: UnreachableStep[] = []
  const taken = takenSteps(resolution, place)
  for (const [index, { place: before, type, name, from }] of taken.entries()) {
    const to = taken[index + 1]?.from ?? lastNode(place, taken)
    if (typeOf(graph, before.type).name !== type)
      steps.push({ coordinate: `... on ${type}`, subgraph: nameOfSubgraph(from) })
    steps.push({ coordinate: `${type}.${name}`, subgraph: nameOfSubgraph(to) })
  }
  const last = field === null ? place.type : object
  if (last !== place.type)
    steps.push({
      coordinate: `... on ${typeOf(graph, last).name}`,
      subgraph: nameOfSubgraph(place.nodes[0] ?? null),
    })
  const coordinate = `${typeOf(graph, last).name}.${field?.name ?? '__typename'}`
  return [...steps, { coordinate, subgraph: null }]
}

function lastNode(place: Place, taken: readonly Taken[]): Node | null {
  return taken.length === 0 ? null : (place.nodes[0] ?? null)
}

function takenSteps(resolution: Resolution, place: Place): readonly Taken[] {
  const { graph } = resolution.queryGraph
  const taken: Taken[] = []
  let node = place.nodes[0]
  for (let at: Place | null = place; at?.from != null && node !== undefined; at = at.from.place) {
    const { place: before, object, field } = at.from
    const from: Node | undefined = nodeBefore(resolution, before, object, field.name, node)
    taken.unshift({ place: before, type: typeOf(graph, object).name, name: field.name, from: from ?? null })
    node = from
  }
  return taken
}

/** A node of the place from which the field leads to the wanted node; best one of the same subgraph. */
function nodeBefore(
  resolution: Resolution,
  { nodes }: Place,
  object: Place['type'],
  name: string,
  wanted: Node,
): Node | undefined {
  const { queryGraph } = resolution
  const ordered = nodes.toSorted((a, b) => Number(b.sub === wanted.sub) - Number(a.sub === wanted.sub))
  return ordered.find((node) => {
    const entered = resolution.entered(queryGraph.asObject(node, object), object)
    return resolution.resolvers([entered], object, name).some(({ edge }) => edge.to === wanted)
  })
}

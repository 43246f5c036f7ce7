/**
 * Makes findings of the fields that reach finds: why each cannot be resolved, and the places in the subgraphs
 * that this is about.
 */
import { graphFinding, type Finding, type GraphPlace } from '../findings/finding.ts'
import type { Graph } from '../graph/graph.ts'
import type { Obstacle, UnreachableField, UnreachableStep } from '../reach/unreachable-field.ts'
import { fieldName, type Declarations } from './declarations.ts'
import { nameOf, ObstacleExplainer } from './explain-obstacle.ts'

/**
 * Explains fields of one graph, in their order; fields that one mistake cuts off have one finding. `names`
 * has the names of its subgraphs, by position.
 */
export function explainUnreachable(
  fields: readonly UnreachableField[],
  graph: Graph,
  names: readonly string[],
): readonly Finding[] {
  const explainer = new ObstacleExplainer(graph, names)
  return byMistake(fields, explainer).map((same) => explainField(same, explainer))
}

/**
 * Puts fields together that cannot be reached because one subgraph marks a field of its own key as external:
 * that is one mistake, however many fields it cuts off.
 */
function byMistake(
  fields: readonly UnreachableField[],
  explainer: ObstacleExplainer,
): readonly (readonly [UnreachableField, ...UnreachableField[]])[] {
  const groups: [UnreachableField, ...UnreachableField[]][] = []
  const byMark = new Map<string, UnreachableField[]>()
  for (const field of fields) {
    const mark = explainer.ownKeyOf(field)
    const known = mark === null ? undefined : byMark.get(mark)
    if (known === undefined) {
      const group: [UnreachableField, ...UnreachableField[]] = [field]
      groups.push(group)
      if (mark !== null) byMark.set(mark, group)
    } else known.push(field)
  }
  return groups
}

function explainField(
  [first, ...others]: readonly [UnreachableField, ...UnreachableField[]],
  explainer: ObstacleExplainer,
): Finding {
  const { field, path, operation, reasons: obstacles } = first
  const explained = obstacles.map((one) => explainer.explain(one, `${field.type}.${field.name}`))
  const position = (subgraph: string | null) => (subgraph === null ? null : explainer.position(subgraph))
  return graphFinding(
    'SATISFIABILITY_ERROR',
    {
      operation,
      path: path.map(({ coordinate, subgraph }) => ({ coordinate, subgraph: position(subgraph) })),
      reasons: explained.map(({ cause }) => cause),
      also: others.map((one) => `${one.field.type}.${one.field.name}`),
    },
    [
      ...explained.flatMap(({ at }) => at),
      ...placesOfSources(obstacles, field.type, path, explainer),
      ...placesOfTargets(field, explainer.declarations),
    ],
  )
}

/** The places that the path has come to: the field that gave the object, or the object's type. */
function placesOfSources(
  obstacles: readonly Obstacle[],
  type: string,
  path: readonly UnreachableStep[],
  explainer: ObstacleExplainer,
): readonly GraphPlace[] {
  const { declarations } = explainer
  const step = path.slice(0, -1).findLast(({ coordinate }) => !coordinate.startsWith('...'))
  const types = new Map<string, string>()
  for (const obstacle of obstacles)
    if (!types.has(obstacle.subgraph)) types.set(obstacle.subgraph, typeOf(obstacle, type))
  return [...types].flatMap(([name, objectType]): readonly GraphPlace[] => {
    const subgraph = explainer.position(name)
    if (step?.subgraph === name) {
      const from = fieldName(step.coordinate)
      const node = declarations.in(subgraph, from.type, from.name)?.model.node.name
      if (node !== undefined) return [{ subgraph, node, label: { kind: 'path-comes' } }]
    }
    const node = nameOf(declarations.entityIn(subgraph, objectType))
    return node === undefined ? [] : [{ subgraph, node, label: { kind: 'path-goes-on' } }]
  })
}

/** The type of the objects that an obstacle is about. A required field may be one of other objects. */
function typeOf(obstacle: Obstacle, type: string): string {
  if ('field' in obstacle) return fieldName(obstacle.field).type
  return 'type' in obstacle ? obstacle.type : type
}

/** Every subgraph that has the field is concerned, also where the field is a key that cannot be built. */
function placesOfTargets(
  field: UnreachableField['field'],
  declarations: Declarations,
): readonly GraphPlace[] {
  return declarations.of(field).map((one) => ({
    subgraph: one.at,
    node: one.model.node.name,
    label: { kind: declarations.isResolvedHere(one) ? 'resolved' : 'external' },
  }))
}

/**
 * Makes findings of the fields that reach finds: why each cannot be resolved, and the places in the subgraphs
 * that this is about.
 */
import { graphFinding, type Finding, type GraphPlace } from '../findings/finding.ts'
import type { Graph } from '../merge/graph.ts'
import type { Obstacle, UnreachableField, UnreachableStep } from '../reach/unreachable-field.ts'
import { fieldName, type Declarations } from './declarations.ts'
import { nameOf, ObstacleExplainer } from './explain-obstacle.ts'

/** Explains fields of one graph, in their order. `names` are those of its subgraphs, by position. */
export function explainUnreachable(
  fields: readonly UnreachableField[],
  graph: Graph,
  names: readonly string[],
): readonly Finding[] {
  const explainer = new ObstacleExplainer(graph, names)
  return fields.map((field) => explainField(field, explainer))
}

function explainField(
  { field, path, operation, reasons: obstacles }: UnreachableField,
  explainer: ObstacleExplainer,
): Finding {
  const explained = obstacles.map((one) => explainer.explain(one, `${field.type}.${field.name}`))
  const position = (subgraph: string | null) => (subgraph === null ? null : explainer.position(subgraph))
  return graphFinding(
    'SATISFIABILITY_ERROR',
    {
      operation,
      path: path.map(({ coordinate, subgraph }) => ({ coordinate, subgraph: position(subgraph) })),
      reasons: explained.map(({ cause }) => cause),
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

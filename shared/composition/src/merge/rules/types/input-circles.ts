/**
 * Rule: merged input types do not require each other in a circle. An input field has the narrowest of its
 * types, so that subgraphs that have no circle themselves can make one together.
 *
 * https://spec.graphql.org/draft/#sec-Input-Objects.Circular-References
 */
import { graphFinding, type Finding } from '../../../findings/finding.ts'
import type { MergedInput, MergedInputType } from '../../merged.ts'
import type { CheckedGraph, GraphRule } from '../../checked/checked-graph.ts'
import { nameOf } from '../../checked/places.ts'

/** Finds each circle once. */
export const inputCircles: GraphRule = function* inputCircles(graph) {
  const done = new Set<string>()
  for (const { name, merged } of graph.inputs.values())
    if (!done.has(name)) yield* circlesFrom(graph, merged, done)
}

type Step = {
  readonly type: MergedInputType
  readonly fields: Iterator<MergedInput>
  field: MergedInput | null
}

/** Walks with a list of its own instead of recursion: chains of types may be long. */
function* circlesFrom(graph: CheckedGraph, start: MergedInputType, done: Set<string>): Iterable<Finding> {
  const path: Step[] = [stepInto(start)]
  const depths = new Map([[start.name, 0]])
  done.add(start.name)
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const next = step.fields.next()
    if (next.done === true) {
      depths.delete(step.type.name)
      path.pop()
      continue
    }
    step.field = next.value
    const required = requiredInput(graph, next.value)
    const depth = required === null ? undefined : depths.get(required.name)
    if (depth !== undefined) yield circle(graph, path.slice(depth))
    if (required === null || done.has(required.name)) continue
    done.add(required.name)
    depths.set(required.name, path.length)
    path.push(stepInto(required))
  }
}

function stepInto(type: MergedInputType): Step {
  return { type, fields: type.fields.values(), field: null }
}

/** The input type that a field requires a value of. A list can be empty. */
function requiredInput({ inputs }: CheckedGraph, { type }: MergedInput): MergedInputType | null {
  return type.endsWith('!') ? (inputs.get(type.slice(0, -1))?.merged ?? null) : null
}

function circle({ inputs }: CheckedGraph, steps: readonly Step[]): Finding {
  const fields = steps.map(({ type, field }) => `${type.name}.${field?.name ?? ''}`)
  const places = steps.flatMap(({ type, field }) =>
    (inputs.get(type.name)?.declarations ?? []).flatMap(({ at, model }) => {
      const found = field === null ? undefined : model.fields.get(field.name)
      return found === undefined ? [] : [nameOf({ at, model: found })]
    }),
  )
  return graphFinding('INVALID_GRAPHQL', { kind: 'input-circle', fields }, places)
}

/**
 * Rule: input types do not require each other in a circle, since no value of theirs could be written.
 *
 * https://spec.graphql.org/draft/#sec-Input-Objects.Circular-References
 */
import { Kind } from 'graphql'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { InputModel, InputType } from '../../../model/model.ts'
import { writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'

/** Fields in all circles that are told: there can be as many circles as fields, each as long as all types. */
const MOST_FIELDS = 100_000

/** Finds each circle once. */
export const inputCircles: Rule = function* inputCircles(subgraph) {
  const done = new Set<InputType>()
  let left = MOST_FIELDS
  for (const type of subgraph.model.types.values()) {
    if (type.kind !== 'input' || done.has(type)) continue
    for (const steps of circlesFrom(subgraph, type, done)) {
      yield circle(steps)
      left -= steps.length
      if (left <= 0) return
    }
  }
}

type Step = { readonly type: InputType; readonly fields: Iterator<InputModel>; field: InputModel | null }

/** Walks with a list of its own instead of recursion: chains of types may be long. */
function* circlesFrom(
  subgraph: CheckedSubgraph,
  start: InputType,
  done: Set<InputType>,
): Iterable<readonly Step[]> {
  const path: Step[] = [stepInto(start)]
  const depths = new Map([[start, 0]])
  done.add(start)
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const next = step.fields.next()
    if (next.done === true) {
      depths.delete(step.type)
      path.pop()
      continue
    }
    step.field = next.value
    const required = requiredInput(subgraph, next.value)
    const depth = required === null ? undefined : depths.get(required)
    if (depth !== undefined) yield path.slice(depth)
    if (required === null || done.has(required)) continue
    done.add(required)
    depths.set(required, path.length)
    path.push(stepInto(required))
  }
}

function stepInto(type: InputType): Step {
  return { type, fields: type.fields.values(), field: null }
}

/** The input type that a field requires a value of. A list can be empty. */
function requiredInput({ model, names }: CheckedSubgraph, { node }: InputModel): InputType | null {
  if (node.type.kind !== Kind.NON_NULL_TYPE || node.type.type.kind !== Kind.NAMED_TYPE) return null
  const found = model.types.get(names.type(node.type.type.name.value))
  return found?.kind === 'input' ? found : null
}

function circle(steps: readonly Step[]): SubgraphFinding {
  const fields = steps.map(({ type, field }) => `${writtenName(type)}.${field?.name ?? ''}`)
  const at = steps.flatMap(({ field }) => (field === null ? [] : [{ node: field.node.name }]))
  return finding('INVALID_GRAPHQL', { kind: 'input-circle', fields }, at)
}

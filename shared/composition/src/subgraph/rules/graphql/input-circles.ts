/** Rule: input types do not require each other in a circle. */
import { Kind } from 'graphql'
import { finding } from '../../../findings/finding.ts'
import { findCircles } from '../../../model/input-circles.ts'
import type { InputModel, InputType } from '../../../model/model.ts'
import { writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'

/** Finds each circle once. */
export const inputCircles: Rule = function* inputCircles(subgraph) {
  const types = [...subgraph.model.types.values()].filter((type) => type.kind === 'input')
  const circles = findCircles(types, {
    fieldsOf: (type) => type.fields.values(),
    requiredBy: (field) => requiredInput(subgraph, field),
  })
  for (const circle of circles) {
    const fields = circle.map(({ type, field }) => `${writtenName(type)}.${field.name}`)
    const at = circle.map(({ field }) => ({ node: field.node.name }))
    yield finding('INVALID_GRAPHQL', { kind: 'input-circle', fields }, at)
  }
}

function requiredInput({ model, names }: CheckedSubgraph, { node }: InputModel): InputType | null {
  if (node.type.kind !== Kind.NON_NULL_TYPE || node.type.type.kind !== Kind.NAMED_TYPE) return null
  const found = model.types.get(names.type(node.type.type.name.value))
  return found?.kind === 'input' ? found : null
}

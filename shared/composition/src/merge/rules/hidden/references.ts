/** Rule: what clients see has types that they see. */
import { graphFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import {
  isHidden,
  isChecked,
  type CheckedFieldsType,
  type CheckedGraph,
  type TypeRule,
} from '../../checked/checked-graph.ts'
import { appliedAt, place } from '../../checked/places.ts'
import { visibleInputs } from '../../checked/visible-inputs.ts'

/** Finds visible fields, arguments and input fields of hidden types. */
export const hiddenReferences: TypeRule = function* hiddenReferences(type, graph) {
  if (isChecked(type) && !isHidden(type.merged)) yield* ofFields(graph, type)
  for (const { coordinate, merged, declarations } of visibleInputs(type)) {
    const hidden = isHidden(merged) ? null : hiddenType(graph, merged.type)
    if (hidden === null) continue
    const used = declarations().map(({ at, model }) => place(at, model.node.type, { kind: 'used' }))
    yield reference(graph, hidden, coordinate, used)
  }
}

function* ofFields(graph: CheckedGraph, { fields }: CheckedFieldsType): Iterable<Finding> {
  for (const { coordinate, declarations, merged } of fields.values()) {
    const hidden = merged === null || isHidden(merged) ? null : hiddenType(graph, merged.type)
    if (hidden === null) continue
    const used = declarations.map(({ at, model }) => place(at, model.node.type, { kind: 'used' }))
    yield reference(graph, hidden, coordinate, used)
  }
}

function hiddenType(graph: CheckedGraph, type: string): string | null {
  const found = graph.mergedType(namedTypeOf(type))
  return found !== undefined && isHidden(found) ? found.name : null
}

function reference(
  { types }: CheckedGraph,
  type: string,
  coordinate: string,
  used: readonly GraphPlace[],
): Finding {
  const hiding = types.get(type).flatMap((one) => appliedAt(one, 'inaccessible'))
  return graphFinding('REFERENCED_INACCESSIBLE', { type, coordinate }, [...hiding, ...used])
}

/** Rule: what clients see has types that they see. */
import { graphFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import {
  isHidden,
  type CheckedFieldsType,
  type CheckedGraph,
  type GraphRule,
} from '../../checked/checked-graph.ts'
import { appliedAt, place } from '../../checked/places.ts'
import { argumentsOf, inputFieldsOf } from '../../checked/visible-inputs.ts'

/** Finds visible fields, arguments and input fields of hidden types. */
export const hiddenReferences: GraphRule = function* hiddenReferences(graph) {
  const types = [...graph.objects, ...graph.interfaces]
  for (const type of types) if (!isHidden(type.merged)) yield* ofFields(graph, type)
  for (const inputs of [argumentsOf(types), inputFieldsOf(graph)])
    for (const { coordinate, merged, declarations } of inputs) {
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

function hiddenType({ merged }: CheckedGraph, type: string): string | null {
  const found = merged.types.get(namedTypeOf(type))
  return found !== undefined && isHidden(found) ? found.name : null
}

function reference(
  { types }: CheckedGraph,
  type: string,
  coordinate: string,
  used: readonly GraphPlace[],
): Finding {
  const hiding = (types.get(type) ?? []).flatMap((one) => appliedAt(one, 'inaccessible'))
  return graphFinding('REFERENCED_INACCESSIBLE', { type, coordinate }, [...hiding, ...used])
}

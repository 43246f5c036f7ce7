/** Rule: a field that implements a visible field of an interface is visible, too. */
import { graphFinding } from '../../../findings/finding.ts'
import { isHidden, isChecked, type TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt, nameOf } from '../../checked/places.ts'

/** Finds hidden fields that implement visible ones. */
export const hiddenImplementations: TypeRule = function* hiddenImplementations(type, graph) {
  if (!isChecked(type) || isHidden(type.merged)) return
  for (const field of type.fields.values()) {
    if (field.merged === null || !isHidden(field.merged)) continue
    for (const name of type.merged.interfaces) {
      const implemented = graph.interface(name)
      const expected = implemented?.fields.get(field.name)
      if (implemented === null || expected === undefined || expected.merged === null) continue
      if (isHidden(implemented.merged) || isHidden(expected.merged)) continue
      yield graphFinding(
        'IMPLEMENTED_BY_INACCESSIBLE',
        { field: field.coordinate, implemented: expected.coordinate },
        [
          ...field.declarations.flatMap((one) => appliedAt(one, 'inaccessible')),
          ...expected.declarations.map((one) => nameOf(one)),
        ],
      )
    }
  }
}

/** Rule: a field that implements a visible field of an interface is visible, too. */
import { graphFinding } from '../../../findings/finding.ts'
import { isHidden, type GraphRule } from '../../checked/checked-graph.ts'
import { appliedAt, nameOf } from '../../checked/places.ts'

/** Finds hidden fields that implement visible ones. */
export const hiddenImplementations: GraphRule = function* hiddenImplementations(graph) {
  const interfaces = new Map(graph.interfaces.map((one) => [one.name, one]))
  for (const { fields, merged: type } of [...graph.objects, ...graph.interfaces]) {
    if (isHidden(type)) continue
    for (const field of fields.values()) {
      if (field.merged === null || !isHidden(field.merged)) continue
      for (const name of type.interfaces) {
        const implemented = interfaces.get(name)
        const expected = implemented?.fields.get(field.name)
        if (implemented === undefined || expected === undefined || expected.merged === null) continue
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
}

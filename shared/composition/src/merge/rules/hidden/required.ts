/** Rule: what has to be given is seen by those who give it. */
import { graphFinding } from '../../../findings/finding.ts'
import { isHidden, type TypeRule } from '../../checked/checked-graph.ts'
import { isRequired, requiredAt } from '../../checked/input-values.ts'
import { appliedAt } from '../../checked/places.ts'
import { visibleInputs } from '../../checked/visible-inputs.ts'

/** Finds hidden arguments and input fields that are required. */
export const hiddenRequired: TypeRule = function* hiddenRequired(type) {
  if (type.kind !== 'interface')
    for (const { coordinate, merged, declarations } of visibleInputs(type)) {
      if (!isHidden(merged) || !isRequired(merged)) continue
      const declared = declarations()
      yield graphFinding('REQUIRED_INACCESSIBLE', { coordinate }, [
        ...declared.flatMap((one) => appliedAt(one, 'inaccessible')),
        ...declared.filter(({ model }) => isRequired(model)).map((one) => requiredAt(one)),
      ])
    }
}

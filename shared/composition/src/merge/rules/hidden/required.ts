/** Rule: what has to be given is seen by those who give it. */
import { graphFinding } from '../../../findings/finding.ts'
import { isHidden, type GraphRule } from '../../checked/checked-graph.ts'
import { isRequired, requiredAt } from '../../checked/input-values.ts'
import { appliedAt } from '../../checked/places.ts'
import { argumentsOf, inputFieldsOf } from '../../checked/visible-inputs.ts'

/** Finds hidden arguments and input fields that are required. */
export const hiddenRequired: GraphRule = function* hiddenRequired(graph) {
  for (const inputs of [argumentsOf(graph.objects), inputFieldsOf(graph)])
    for (const { coordinate, merged, declarations } of inputs) {
      if (!isHidden(merged) || !isRequired(merged)) continue
      const declared = declarations()
      yield graphFinding('REQUIRED_INACCESSIBLE', { coordinate }, [
        ...declared.flatMap((one) => appliedAt(one, 'inaccessible')),
        ...declared.filter(({ model }) => isRequired(model)).map((one) => requiredAt(one)),
      ])
    }
}

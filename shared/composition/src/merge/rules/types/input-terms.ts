/**
 * Rule: what one subgraph says of an argument or input field goes with what another one says: a deprecated
 * one is not required, and the fields of a `@oneOf` type are nullable.
 */
import { graphFinding, newFinding } from '../../../findings/finding.ts'
import { isHidden, type TypeRule } from '../../checked/checked-graph.ts'
import { isRequired, requiredAt } from '../../checked/input-values.ts'
import { appliedAt, typeOf } from '../../checked/places.ts'
import { visibleInputs } from '../../checked/visible-inputs.ts'

/** Finds required arguments and input fields that are deprecated, and required fields of `@oneOf` types. */
export const inputTerms: TypeRule = function* inputTerms(type) {
  for (const { coordinate, merged, declarations } of visibleInputs(type)) {
    if (merged.applied.deprecated === null || isHidden(merged) || !isRequired(merged)) continue
    const declared = declarations()
    yield graphFinding('INVALID_GRAPHQL', { kind: 'required-deprecated', coordinate }, [
      ...declared.flatMap((one) => appliedAt(one, 'deprecated')),
      ...declared.filter(({ model }) => isRequired(model)).map((one) => requiredAt(one)),
    ])
  }
  if (type.kind !== 'input' || !type.merged.applied.isOneOf) return
  for (const { coordinate, merged, declarations } of visibleInputs(type)) {
    if (!merged.type.endsWith('!') && merged.defaultValue === null) continue
    yield newFinding(
      graphFinding('INVALID_GRAPHQL', { kind: 'one-of-field', coordinate }, [
        ...type.declarations.flatMap((one) => appliedAt(one, 'oneOf')),
        ...declarations().map((one) => typeOf(one, false)),
      ]),
    )
  }
}

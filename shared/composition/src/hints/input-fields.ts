/** Hint: a field of an input type is left out of the graph, or has different types that fit. */
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { MergeFacts } from '../graph/facts.ts'
import type { InputType } from '../model/model.ts'
import { inputTypes, isRequired } from './input-types.ts'
import { readMembers } from './members.ts'
import { atName, atTypeName } from './places.ts'
import type { SharedDefinition } from './shared-definitions.ts'
import { declarationsOfKind } from '../graph/declarations.ts'

/** Finds such fields of a type that is an input type. */
export function* inputFields(
  { name: type, declarations }: SharedDefinition,
  facts: MergeFacts,
): Iterable<Finding> {
  const inputs = declarationsOfKind(declarations, 'input')
  for (const { name, having, lacking } of readMembers(inputs, (model: InputType) => model.fields)) {
    const field = `${type}.${name}`
    if (lacking.length === 0) yield* inputTypes(field, having, facts)
    else if (!having.some(({ model }) => isRequired(model)))
      yield graphFinding('INCONSISTENT_INPUT_OBJECT_FIELD', { field, type }, [
        ...having.map((one) => atName(one, { kind: 'declared' })),
        ...lacking.flatMap((one) => atTypeName(one, { kind: 'no-field', field: name })),
      ])
  }
}

/** Hint: a value of an enum is left out of the graph, as another subgraph would not take it as an input. */
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { MergeFacts } from '../graph/facts.ts'
import type { EnumType } from '../model/model.ts'
import { readMembers } from './members.ts'
import { atName, atTypeName } from './places.ts'
import type { SharedDefinition } from './shared-definitions.ts'
import { declarationsOfKind } from '../graph/declarations.ts'

/** Finds such values of an enum that arguments and input fields have as their type, and no field returns. */
export function* inputEnumValues(
  { name: type, declarations }: SharedDefinition,
  facts: MergeFacts,
): Iterable<Finding> {
  const { isInput, isOutput } = facts.useOf(type)
  if (!isInput || isOutput) return
  const enums = declarationsOfKind(declarations, 'enum')
  for (const { name: value, having, lacking } of readMembers(enums, (model: EnumType) => model.values))
    if (lacking.length > 0)
      yield graphFinding('INCONSISTENT_ENUM_VALUE_FOR_INPUT_ENUM', { type, value }, [
        ...having.map((one) => atName(one, { kind: 'defined' })),
        ...lacking.flatMap((one) => atTypeName(one, { kind: 'no-value', value })),
      ])
}

/** Rule: an argument that tells the size of a list is in every subgraph that has the list. */
import { graphFinding } from '../../../findings/finding.ts'
import { isChecked, type TypeRule } from '../../checked/checked-graph.ts'
import { appliedOrName } from '../../checked/places.ts'

/** Finds lists of which no slicing argument is left. */
export const listSizes: TypeRule = function* listSizes(type) {
  if (!isChecked(type)) return
  for (const { coordinate, declarations, merged } of type.fields.values()) {
    const names = merged?.applied.listSize?.slicingArguments ?? []
    if (merged === null || names.length === 0) continue
    const kept = new Set(merged.arguments.map(({ name }) => name))
    if (names.some((name) => kept.has(name))) continue
    yield graphFinding(
      'LIST_SIZE_INVALID_SLICING_ARGUMENT',
      { kind: 'not-everywhere', field: coordinate, arguments: names },
      declarations.map((one) => appliedOrName(one, 'listSize')),
    )
  }
}

/** Hint: subgraphs give an argument or an input field different types, and clients see the narrowest. */
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { MergeFacts } from '../graph/facts.ts'
import type { Declared } from '../graph/declared.ts'
import { narrowest } from '../graph/type-texts.ts'
import type { InputModel } from '../model/model.ts'
import { atTypeReference } from './places.ts'

/** Finds different types that fit. Those that do not fit are an error. */
export function* inputTypes(
  coordinate: string,
  inputs: readonly Declared<InputModel>[],
  { subtypes }: MergeFacts,
): Iterable<Finding> {
  const types = new Set(inputs.map(({ model }) => model.type))
  const published = types.size > 1 ? narrowest([...types], subtypes) : null
  if (published === null) return
  const at = inputs.map(atTypeReference)
  yield graphFinding('INCONSISTENT_BUT_COMPATIBLE_ARGUMENT_TYPE', { coordinate, published }, at)
}

/** True for an argument or input field that has to be given. A subgraph that lacks it is an error. */
export function isRequired({ type, defaultValue }: InputModel): boolean {
  return type.endsWith('!') && defaultValue === null
}

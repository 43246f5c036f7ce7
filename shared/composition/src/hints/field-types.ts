/** Hint: subgraphs give a field different types, and clients see it less exactly than some of them say. */
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { MergeFacts } from '../graph/facts.ts'
import { widest } from '../graph/type-texts.ts'
import { atTypeReference } from './places.ts'
import type { FieldDeclaration } from '../graph/declarations.ts'

/** Finds different types that fit. Those that do not fit are an error. */
export function* fieldTypes(
  coordinate: string,
  fields: readonly FieldDeclaration[],
  { subtypes }: MergeFacts,
): Iterable<Finding> {
  const types = new Set(fields.map(({ model }) => model.type))
  const published = types.size > 1 ? widest([...types], subtypes) : null
  if (published === null) return
  const at = fields.map(atTypeReference)
  yield graphFinding('INCONSISTENT_BUT_COMPATIBLE_FIELD_TYPE', { coordinate, published }, at)
}

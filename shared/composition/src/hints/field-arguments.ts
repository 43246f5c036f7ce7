/** Hints about the arguments of a field that several subgraphs resolve. */
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { MergeFacts } from '../graph/facts.ts'
import type { FieldModel, InputModel } from '../model/model.ts'
import { defaultPresence } from './default-presence.ts'
import { inputTypes, isRequired } from './input-types.ts'
import { readMembers, type Member } from './members.ts'
import { atName } from './places.ts'
import type { FieldDeclaration } from '../graph/declarations.ts'

/** Finds arguments that are left out of the graph, or that clients see otherwise than subgraphs say. */
export function* fieldArguments(
  field: string,
  fields: readonly FieldDeclaration[],
  facts: MergeFacts,
): Iterable<Finding> {
  for (const member of readMembers(fields, (model: FieldModel) => model.arguments)) {
    if (member.lacking.length > 0) {
      yield* argumentPresence(field, member)
      continue
    }
    const coordinate = `${field}(${member.name}:)`
    yield* inputTypes(coordinate, member.having, facts)
    yield* defaultPresence(coordinate, member.having)
  }
}

function* argumentPresence(
  field: string,
  { name: argument, having, lacking }: Member<FieldModel, InputModel>,
): Iterable<Finding> {
  if (having.some(({ model }) => isRequired(model))) return
  yield graphFinding('INCONSISTENT_ARGUMENT_PRESENCE', { field, argument }, [
    ...having.map((one) => atName(one, { kind: 'declared' })),
    ...lacking.map((one) => atName(one, { kind: 'no-argument', argument })),
  ])
}

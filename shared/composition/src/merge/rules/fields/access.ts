/** Rule: the alternatives of scopes and policies that subgraphs demand together can be looked at. */
import { graphFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import { MOST_ALTERNATIVES } from '../../access.ts'
import type { Declared } from '../../../graph/declared.ts'
import type { MergedHead } from '../../merged.ts'
import type { Described } from '../../../model/model.ts'
import { isChecked, type TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt } from '../../checked/places.ts'

/** Finds types and fields with too many alternatives. */
export const access: TypeRule = function* access(type, { types }) {
  yield* check(type.merged, type.name, () => types.get(type.name))
  if (isChecked(type))
    for (const { coordinate, merged: field, declarations } of type.fields.values())
      if (field !== null) yield* check(field, coordinate, () => declarations)
}

function* check(
  { applied }: MergedHead,
  coordinate: string,
  readDeclarations: () => readonly Declared<Described>[],
): Iterable<Finding> {
  if (!applied.access.isCut) return
  const places = readDeclarations().flatMap((one) => demandsOf(one))
  yield graphFinding('AUTHORIZATION_TOO_COMPLEX', { coordinate, limit: MOST_ALTERNATIVES }, places)
}

function demandsOf(one: Declared<Described>): readonly GraphPlace[] {
  return ['requiresScopes', 'policy'].flatMap((directive) => appliedAt(one, directive))
}

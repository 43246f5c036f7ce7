/** Rule: the members of a union are object types, also where another subgraph says what they are. */
import { graphFinding } from '../../../findings/finding.ts'
import type { TypeRule } from '../../checked/checked-graph.ts'
import { firstNameOf, namesOf } from '../../checked/places.ts'
import { declarationsOfKind } from '../../../graph/declarations.ts'

/** Finds members that are an interface, since a subgraph has an interface object in their place. */
export const unions: TypeRule = function* unions(type, graph) {
  if (type.kind !== 'union') return
  for (const { name, at } of type.merged.members) {
    const kind = graph.mergedType(name)?.kind
    if (kind === undefined || kind === 'object') continue
    const declaring = new Set(at)
    const unionsHere = declarationsOfKind(type.declarations, 'union')
    yield graphFinding('INVALID_GRAPHQL', { kind: 'union-member', union: type.name, member: name }, [
      ...unionsHere.filter((one) => declaring.has(one.at)).flatMap((one) => firstNameOf(one)),
      ...graph.types.get(name).flatMap((one) => namesOf(one)),
    ])
  }
}

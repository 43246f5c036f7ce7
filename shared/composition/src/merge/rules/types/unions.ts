/** Rule: the members of a union are object types, also where another subgraph says what they are. */
import { graphFinding } from '../../../findings/finding.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'
import { firstNameOf, namesOf } from '../../checked/places.ts'
import { declarationsOfKind } from '../../declarations.ts'

/** Finds members that are an interface, since a subgraph has an interface object in their place. */
export const unions: GraphRule = function* unions({ merged, types }) {
  for (const type of merged.types.values()) {
    if (type.kind !== 'union') continue
    for (const { name, at } of type.members) {
      const kind = merged.types.get(name)?.kind
      if (kind === undefined || kind === 'object') continue
      const declaring = new Set(at)
      const unionsHere = declarationsOfKind(types.get(type.name) ?? [], 'union')
      yield graphFinding('INVALID_GRAPHQL', { kind: 'union-member', union: type.name, member: name }, [
        ...unionsHere.filter((one) => declaring.has(one.at)).flatMap((one) => firstNameOf(one)),
        ...(types.get(name) ?? []).flatMap((one) => namesOf(one)),
      ])
    }
  }
}

/**
 * Finds the fields that an unreachable field requires and that cannot be fetched for it, and those that these
 * require in turn.
 */
import { type SubgraphId, typeOf } from '@switchyard/engine/moves'
import type { Declaration, Declarations, FieldDeclarations } from './declarations.ts'
import type { Entered } from './entered.ts'
import type { MissingField, MissingFields } from './missing-fields.ts'
import type { Resolution } from './resolution.ts'

/** The fields that a declaration requires and that cannot be fetched. */
type Requirement = Declaration & { readonly missing: readonly BlockedField[] }

/** A field that cannot be resolved: the unreachable field, or one that it requires. */
export type BlockedField = MissingField & {
  readonly coordinate: string
  readonly declarations: FieldDeclarations
  /** The subgraphs that objects can be had of. */
  readonly subgraphs: ReadonlySet<SubgraphId>
  /** The subgraphs that require it. */
  readonly requiredBy: Set<SubgraphId>
  /** The requirements of the subgraphs that can be entered. */
  readonly requirements: Requirement[]
}

/** More fields are not followed from one unreachable field. */
const MAX_FIELDS = 20

/** The blocked fields, the unreachable one first, and then those that fewer others lead to. */
export function blockedFields(
  { queryGraph }: Resolution,
  declarations: Declarations,
  missingFields: MissingFields,
  field: MissingField,
): readonly BlockedField[] {
  const known = new Map<string, BlockedField>()
  const subgraphsOf = new Map<readonly Entered[], ReadonlySet<SubgraphId>>()
  const blockedField = (missing: MissingField): readonly BlockedField[] => {
    const coordinate = `${typeOf(queryGraph.graph, missing.object).name}.${missing.name}`
    const found = known.get(coordinate)
    if (found !== undefined || known.size >= MAX_FIELDS) return found === undefined ? [] : [found]
    const { standing } = missing
    const subgraphs = subgraphsOf.get(standing) ?? new Set(standing.flatMap((entered) => entered.subgraphs()))
    subgraphsOf.set(standing, subgraphs)
    const made = {
      ...missing,
      coordinate,
      declarations: declarations.of(missing.object, missing.name),
      subgraphs,
      requiredBy: new Set<SubgraphId>(),
      requirements: [],
    }
    known.set(coordinate, made)
    return [made]
  }
  blockedField(field)
  // Fields that are added while the loop runs are visited by it, too.
  for (const blocked of known.values())
    for (const { owner, edge } of blocked.declarations.all) {
      if (edge.external || edge.requires === null || !blocked.subgraphs.has(edge.sub)) continue
      const missing = missingFields.of(blocked.standing, edge.requires.fieldSet).flatMap(blockedField)
      if (missing.length > 0) blocked.requirements.push({ owner, edge, missing: [...new Set(missing)] })
      for (const one of missing) one.requiredBy.add(edge.sub)
    }
  return [...known.values()]
}

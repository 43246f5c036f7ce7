/** Fields that a `@provides` gives and their owners do not share. */
import { Kind } from 'graphql'
import type { SelectionSetNode } from 'graphql'
import type { CompositionHint } from '../contract/composition-result.ts'
import { fieldSetOf } from '../subgraph/field-sets.ts'
import { at, type Located } from '../locations/place.ts'
import { names } from '../locations/rule.ts'
import {
  federationDirectives,
  isExternal,
  isKeyField,
  type ParsedSubgraph,
  type SubgraphType,
} from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'
import { hint } from './hint.ts'

/**
 * Hints about what the subgraph `source` provides of others that do not mark it with `@shareable`. Other
 * composers refuse it, since two subgraphs resolve the field then.
 */
export function provisionHints(source: Located, sources: readonly Located[]): readonly CompositionHint[] {
  const { name, subgraph } = source
  const hints: CompositionHint[] = []
  for (const type of subgraph.types.values())
    for (const field of type.fields.values())
      for (const directive of federationDirectives(subgraph, field, 'provides')) {
        const provided = providedCoordinates(subgraph, baseName(field.type), fieldSetOf(directive))
        for (const text of new Set(provided)) {
          const owners = sources.filter((other) => other !== source && isUnshared(other.subgraph, text))
          if (owners.length === 0) continue
          hints.push(
            hint(
              'PROVIDED_FIELD_NOT_SHAREABLE',
              `"${type.name}.${field.name.value}" of subgraph "${name}" provides "${text}", which subgraph ${owners.map((one) => `"${one.name}"`).join(', ')} does not mark with @shareable. It composes here; other composers refuse it, so mark it if the schema is meant for them, too.`,
              [...names(owners, text, () => 'not @shareable'), ...at(source, directive, 'provided here')],
            ),
          )
        }
      }
  return hints
}

/** The coordinates of the external fields that a selection on a type names. */
function providedCoordinates(
  subgraph: ParsedSubgraph,
  typeName: string,
  set: SelectionSetNode | null | undefined,
): readonly string[] {
  const type = subgraph.types.get(typeName)
  return (set?.selections ?? []).flatMap((node): readonly string[] => {
    if (node.kind === Kind.INLINE_FRAGMENT)
      return providedCoordinates(subgraph, node.typeCondition?.name.value ?? typeName, node.selectionSet)
    if (node.kind !== Kind.FIELD) return []
    const field = type?.fields.get(node.name.value)
    if (type === undefined || field === undefined) return []
    return [
      ...(isExternal(subgraph, type, field) ? [`${typeName}.${field.name.value}`] : []),
      ...providedCoordinates(subgraph, baseName(field.type), node.selectionSet),
    ]
  })
}

/** Whether the subgraph resolves the field and says that no other one does. */
function isUnshared(subgraph: ParsedSubgraph, coordinate: string): boolean {
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = subgraph.types.get(typeName)
  const field = type?.fields.get(name)
  // In Federation 1 every field may be shared, and fields of interfaces are not resolved by themselves.
  if (type === undefined || field === undefined || subgraph.link === null) return false
  if (type.kind !== Kind.OBJECT_TYPE_DEFINITION || isExternal(subgraph, type, field)) return false
  return !isKeyField(subgraph, type, name) && !isShareable(subgraph, type, field)
}

function isShareable(
  subgraph: ParsedSubgraph,
  type: SubgraphType,
  field: Parameters<typeof isExternal>[2],
): boolean {
  return [type, field].some((node) => federationDirectives(subgraph, node, 'shareable').length > 0)
}

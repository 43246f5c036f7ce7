/** Rule: types have members, are extended as what they are, and unions are of object types. */
import { membersOf } from '../../../documents/definitions.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { TypePart } from '../../../model/model.ts'
import { isKnownType, isObjectType, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'

/** Finds types without members, extensions of another kind, and members of unions that are no objects. */
export const typeContents: Rule = function* typeContents(subgraph) {
  const rootNames = new Set(['Query', 'Mutation', 'Subscription'])
  for (const [type, parts] of subgraph.parts) {
    const [first] = parts
    if (first === undefined) continue
    const others = parts.filter((part) => wordOf(part) !== wordOf(first))
    const extensions = others.filter(({ kind }) => kind.endsWith('Extension'))
    if (extensions.length > 0)
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'extension-of-other-kind', type },
        extensions.map(({ name }) => ({ node: name })),
      )
    const members = WHAT[wordOf(first)]
    const isRoot = members === 'fields' && rootNames.has(subgraph.names.type(type))
    if (members !== undefined && !isRoot && parts.every(isEmpty))
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'empty-type', type, members },
        parts.map(({ name }) => ({ node: name })),
      )
    for (const part of parts) yield* wrongMembers(subgraph, part)
  }
}

/** `ObjectType` for a definition and an extension of one. */
function wordOf({ kind }: TypePart): string {
  return kind.replace(/(?:Definition|Extension)$/, '')
}

const WHAT: Readonly<Record<string, 'fields' | 'values' | 'members' | undefined>> = {
  ObjectType: 'fields',
  InterfaceType: 'fields',
  InputObjectType: 'fields',
  EnumType: 'values',
  UnionType: 'members',
}

function isEmpty(part: TypePart): boolean {
  return membersOf(part).length === 0 && !('types' in part && (part.types ?? []).length > 0)
}

function* wrongMembers(subgraph: CheckedSubgraph, part: TypePart): Iterable<SubgraphFinding> {
  if (!('types' in part)) return
  for (const node of part.types ?? []) {
    const member = node.name.value
    if (!isKnownType(subgraph, member) || isObjectType(subgraph, member)) continue
    yield finding('INVALID_GRAPHQL', { kind: 'union-member', union: part.name.value, member }, [{ node }])
  }
}

/**
 * Rule: names do not begin with `__`.
 *
 * https://spec.graphql.org/draft/#sec-Names.Reserved-Names
 */
import { introspectionTypes, Kind, type NameNode } from 'graphql'
import { isTypeNode, membersOf } from '../../../documents/definitions.ts'
import { finding } from '../../../findings/finding.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'

const OF_INTROSPECTION: ReadonlySet<string> = new Set(introspectionTypes.map(({ name }) => name))

/** Finds each such name once, with all its places. The types of introspection may be written out. */
export const reservedNames: Rule = function* reservedNames({ definitions }) {
  const found: NameNode[] = []
  const look = (name: NameNode) => {
    if (name.value.startsWith('__')) found.push(name)
  }
  for (const node of definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) look(node.name)
    if (node.kind === Kind.DIRECTIVE_DEFINITION) for (const one of node.arguments ?? []) look(one.name)
    if (!isTypeNode(node)) continue
    if (!OF_INTROSPECTION.has(node.name.value)) look(node.name)
    for (const member of membersOf(node)) {
      look(member.name)
      if (member.kind === Kind.FIELD_DEFINITION) for (const one of member.arguments ?? []) look(one.name)
    }
  }
  for (const [name, same] of Map.groupBy(found, ({ value }) => value))
    yield finding(
      'INVALID_GRAPHQL',
      { kind: 'reserved-name', name },
      same.map((node) => ({ node })),
    )
}

/** Rule: types, directives, their fields, values and arguments are each defined once. */
import { Kind, type DirectiveDefinitionNode, type InputValueDefinitionNode } from 'graphql'
import { membersOf, type MemberNode } from '../../../documents/definitions.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { TypePart } from '../../../model/model.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { repeatedAt, repeatedByName } from './repeated.ts'

/** Finds definitions that are there more than once. */
export const uniqueDefinitions: Rule = function* uniqueDefinitions({ definitions, parts }) {
  for (const [type, all] of parts) {
    const defined = all.filter(({ kind }) => kind.endsWith('Definition'))
    if (defined.length > 1) yield* repeatedType(type, defined)
    else yield* repeatedMembers(type, all)
    for (const part of all)
      for (const member of membersOf(part))
        if (member.kind === Kind.FIELD_DEFINITION)
          yield* repeatedArguments(`${type}.${member.name.value}`, member.arguments)
  }
  const directives = definitions.filter(
    (node): node is DirectiveDefinitionNode => node.kind === Kind.DIRECTIVE_DEFINITION,
  )
  for (const [directive, same] of repeatedByName(directives))
    yield finding(
      'INVALID_GRAPHQL',
      { kind: 'repeated-directive-definition', directive },
      repeatedAt(same.map(({ name }) => name)),
    )
  for (const node of directives) yield* repeatedArguments(`@${node.name.value}`, node.arguments)
}

function* repeatedType(type: string, defined: readonly TypePart[]): Iterable<SubgraphFinding> {
  const at = repeatedAt(defined.map(({ name }) => name))
  yield finding('INVALID_GRAPHQL', { kind: 'repeated-type', type }, at)
}

function* repeatedMembers(type: string, parts: readonly TypePart[]): Iterable<SubgraphFinding> {
  const [first] = parts
  const members: readonly MemberNode[] =
    parts.length === 1 && first !== undefined ? membersOf(first) : parts.flatMap((part) => membersOf(part))
  for (const [name, same] of repeatedByName(members)) {
    const kind = same[0]?.kind === Kind.ENUM_VALUE_DEFINITION ? 'repeated-value' : 'repeated-field'
    const at = repeatedAt(same.map((one) => one.name))
    yield finding('INVALID_GRAPHQL', { kind, coordinate: `${type}.${name}` }, at)
  }
}

function* repeatedArguments(
  owner: string,
  nodes: readonly InputValueDefinitionNode[] | undefined,
): Iterable<SubgraphFinding> {
  if (nodes === undefined || nodes.length < 2) return
  for (const [name, same] of repeatedByName(nodes))
    yield finding(
      'INVALID_GRAPHQL',
      { kind: 'repeated-argument', coordinate: `${owner}(${name}:)` },
      repeatedAt(same.map((one) => one.name)),
    )
}

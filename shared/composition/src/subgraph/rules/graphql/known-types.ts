/**
 * Rule: every type that is named exists.
 *
 * https://spec.graphql.org/draft/#sec-Type-System
 */
import { nearestWord } from '@switchyard/contracts/nearest-word'
import { Kind, specifiedScalarTypes } from 'graphql'
import type { DirectiveDefinitionNode, NamedTypeNode, TypeNode } from 'graphql'
import { isAboutEvents } from '../../../events/event-directives.ts'
import { isTypeNode, membersOf, type MemberNode } from '../../../documents/definitions.ts'
import { finding } from '../../../findings/finding.ts'
import { isKnownType, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'

/** Findings with a suggestion: each compares its name with all names of types in the subgraph. */
const MOST_SUGGESTIONS = 50
const SCALARS = specifiedScalarTypes.map(({ name }) => name)

/** Finds names of types that do not exist. Roots have a rule of their own. */
export const knownTypes: Rule = function* knownTypes(subgraph) {
  let left = MOST_SUGGESTIONS
  for (const node of namedTypes(subgraph)) {
    const type = node.name.value
    if (isKnownType(subgraph, type)) continue
    const near = left > 0 ? nearestWord(type, [...subgraph.parts.keys(), ...SCALARS]) : null
    left -= 1
    yield finding('INVALID_GRAPHQL', { kind: 'unknown-type', type, near }, [{ node }])
  }
}

/** Returns the named type inside of lists and non-null types. */
export function namedType(type: TypeNode): NamedTypeNode {
  let inner = type
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type
  return inner
}

function* namedTypes(subgraph: CheckedSubgraph): Iterable<NamedTypeNode> {
  for (const node of subgraph.definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) yield* typesOfDirective(subgraph, node)
    if (!isTypeNode(node)) continue
    if ('interfaces' in node) yield* node.interfaces ?? []
    if ('types' in node) yield* node.types ?? []
    for (const member of membersOf(node)) yield* typesOfMember(member)
  }
}

/**
 * The types that the arguments of a directive need. The definition of a directive that a specification brings
 * may name types of specifications, which it brings as well. Any other has to define them.
 */
function* typesOfDirective(
  { names, parts }: CheckedSubgraph,
  { name, arguments: defined }: DirectiveDefinitionNode,
): Iterable<NamedTypeNode> {
  const isSpecified =
    name.value === 'link' || isAboutEvents(name.value) || names.directive(name.value) !== null
  for (const { type } of defined ?? []) {
    const node = namedType(type)
    const isThere = names.isMachinery(node.name.value) && (isSpecified || parts.has(node.name.value))
    if (!isThere) yield node
  }
}

function* typesOfMember(member: MemberNode): Iterable<NamedTypeNode> {
  if ('type' in member) yield namedType(member.type)
  if (member.kind === Kind.FIELD_DEFINITION)
    for (const one of member.arguments ?? []) yield namedType(one.type)
}

/** Reads what one subgraph's schema says, from the document that was parsed. */
import { Kind, type DirectiveDefinitionNode, type DocumentNode } from 'graphql'
import { readEventFields } from './read-events.ts'
import { withPublishResult } from './publish-result.ts'
import { asOfEvents } from './types-of-events.ts'
import { isTypeNode } from '../documents/definitions.ts'
import { readComposedDirectives } from './composed-directives.ts'
import type { SubgraphModel, TypeModel, TypePart } from './model.ts'
import { readNames, type Names } from './names.ts'
import { readType, type Reading } from './read-types.ts'

/** Reads a type of its parts. */
type ReadType = (name: string, parts: readonly TypePart[], reading: Reading) => TypeModel

/** Reads a document. What the rules for subgraphs refuse is left out, or read as far as it goes. */
export function readModel(parsed: DocumentNode, readOne: ReadType = readType): SubgraphModel {
  const document = withPublishResult(parsed)
  const names = readNames(document)
  const composed = readComposedDirectives(document, names)
  const parts: ReadonlyMap<string, readonly TypePart[]> = Map.groupBy(
    document.definitions.filter(isTypeNode).filter(({ name }) => !names.isMachinery(name.value)),
    ({ name }) => names.type(name.value),
  )
  const read = new Map(
    [...parts].map(([name, nodes]) => [name, readOne(name, nodes, { names, composed })] as const),
  )
  const events = readEventFields(read)
  return {
    minor: names.minor,
    types: events.length === 0 ? read : asOfEvents(read),
    directives: readDirectives(document, names),
    composed,
    events,
    document,
  }
}

function readDirectives(document: DocumentNode, names: Names): ReadonlyMap<string, DirectiveDefinitionNode> {
  const found = new Map<string, DirectiveDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.DIRECTIVE_DEFINITION && names.directive(node.name.value) === null)
      found.set(node.name.value, node)
  return found
}

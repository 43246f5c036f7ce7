/** The type `edfs__PublishResult`, which authors need not define. */
import { Kind, parse, type DefinitionNode, type DocumentNode } from 'graphql'
import { isTypeNode } from '../documents/definitions.ts'
import { PUBLISH_RESULT, PUBLISH_RESULT_SDL } from '../events/event-directives.ts'

const DEFINITION: readonly DefinitionNode[] = parse(PUBLISH_RESULT_SDL, { noLocation: true }).definitions

/** Adds the type to a document that names it and does not define it. */
export function withPublishResult(document: DocumentNode): DocumentNode {
  const { definitions } = document
  if (!definitions.some(returnsResult)) return document
  const isDefined = definitions.some((node) => isTypeNode(node) && node.name.value === PUBLISH_RESULT)
  return isDefined ? document : { ...document, definitions: [...definitions, ...DEFINITION] }
}

/** True if a field with a directive returns the type. Without a directive it has no meaning. */
function returnsResult(node: DefinitionNode): boolean {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) return false
  return (
    node.fields?.some(({ type, directives }) => {
      if (directives === undefined || directives.length === 0) return false
      const inner = type.kind === Kind.NON_NULL_TYPE ? type.type : type
      return inner.kind === Kind.NAMED_TYPE && inner.name.value === PUBLISH_RESULT
    }) === true
  )
}

/** Finds every application of a directive in a document, with the coordinate that it is applied to. */
import { Kind } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, InputValueDefinitionNode } from 'graphql'
import { isTypeNode, membersOf } from '../documents/definitions.ts'

/** One application of a directive, and the schema element that it is applied to. */
export type AppliedDirective = {
  readonly node: ConstDirectiveNode
  /** `Query.a`, `Query.a(n:)`, `@x(n:)`; `schema` for the schema itself. */
  readonly coordinate: string
}

type Carrier = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

/** Returns the directives in the order of the document. */
export function appliedDirectives(document: DocumentNode): readonly AppliedDirective[] {
  const found: AppliedDirective[] = []
  const gather = ({ directives }: Carrier, coordinate: string) => {
    for (const node of directives ?? []) found.push({ node, coordinate })
  }
  const gatherArguments = (nodes: readonly InputValueDefinitionNode[] | undefined, owner: string) => {
    for (const node of nodes ?? []) gather(node, `${owner}(${node.name.value}:)`)
  }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION)
      gather(definition, 'schema')
    if (definition.kind === Kind.DIRECTIVE_DEFINITION)
      gatherArguments(definition.arguments, `@${definition.name.value}`)
    if (!isTypeNode(definition)) continue
    const type = definition.name.value
    gather(definition, type)
    for (const member of membersOf(definition)) {
      const coordinate = `${type}.${member.name.value}`
      gather(member, coordinate)
      if (member.kind === Kind.FIELD_DEFINITION) gatherArguments(member.arguments, coordinate)
    }
  }
  return found
}

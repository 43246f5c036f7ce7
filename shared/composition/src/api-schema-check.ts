/**
 * Check: is what clients will see a valid schema at all? The library lets some merges through that are not,
 * such as an interface that gains a field another interface, which implements it elsewhere, does not have.
 *
 * The client schema is made of the finished supergraph: that of the library still holds hidden members of
 * unions and hidden arguments of interfaces.
 */
import { buildASTSchema, isTypeDefinitionNode, validateSchema, visit } from 'graphql'
import type { DocumentNode, GraphQLError } from 'graphql'
import type { Directed } from './directives/join-directives.ts'

/** The errors of the schema that clients would see. Empty when that schema is valid. */
export function findApiSchemaErrors(
  supergraph: DocumentNode,
): readonly { readonly code: string; readonly message: string }[] {
  return validateSchema(buildASTSchema(clientSchema(supergraph), { assumeValidSDL: true })).map(describe)
}

function clientSchema(supergraph: DocumentNode): DocumentNode {
  const hidden = new Set(
    supergraph.definitions
      .filter((node) => isTypeDefinitionNode(node))
      .filter((node) => isHidden(node))
      .map(({ name }) => name.value),
  )
  const visibleOnly = (node: Directed) => (isHidden(node) ? null : undefined)
  return visit(supergraph, {
    DirectiveDefinition: () => null,
    FieldDefinition: visibleOnly,
    InputValueDefinition: visibleOnly,
    EnumValueDefinition: visibleOnly,
    ScalarTypeDefinition: visibleOnly,
    ObjectTypeDefinition: visibleOnly,
    InterfaceTypeDefinition: visibleOnly,
    UnionTypeDefinition: visibleOnly,
    EnumTypeDefinition: visibleOnly,
    InputObjectTypeDefinition: visibleOnly,
    Directive: () => null,
    NamedType: (node, _key, parent) =>
      Array.isArray(parent) && hidden.has(node.name.value) ? null : undefined,
  })
}

function isHidden({ directives }: Directed): boolean {
  return directives?.some(({ name }) => name.value === 'inaccessible') === true
}

function describe({ message }: GraphQLError): { readonly code: string; readonly message: string } {
  const code = message.includes('expected but') ? 'INTERFACE_FIELD_NO_IMPLEM' : 'INVALID_GRAPHQL'
  return { code, message: `The merged schema is not valid: ${message}` }
}

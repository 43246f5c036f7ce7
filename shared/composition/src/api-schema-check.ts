/**
 * Check: is what clients will see a valid schema at all? The library lets some merges through that are not, such as an
 * interface that gains a field another interface, which implements it elsewhere, does not have.
 */
import { buildASTSchema, Kind, validateSchema, visit } from 'graphql'
import type { DocumentNode, GraphQLError } from 'graphql'

export function findApiSchemaErrors(
  api: DocumentNode,
): readonly { readonly code: string; readonly message: string }[] {
  return validateSchema(buildASTSchema(withoutHiddenMembers(api), { assumeValidSDL: true })).map(describe)
}

/** The library's client schema lacks inaccessible types, but still lists them as members of unions. */
function withoutHiddenMembers(api: DocumentNode): DocumentNode {
  const objects = new Set(
    api.definitions.flatMap((node) => (node.kind === Kind.OBJECT_TYPE_DEFINITION ? [node.name.value] : [])),
  )
  return visit(api, {
    UnionTypeDefinition: (node) => ({
      ...node,
      types: node.types?.filter(({ name }) => objects.has(name.value)),
    }),
  })
}

function describe({ message }: GraphQLError): { readonly code: string; readonly message: string } {
  const code = message.includes('expected but') ? 'INTERFACE_FIELD_NO_IMPLEM' : 'INVALID_GRAPHQL'
  return { code, message: `The merged schema is not valid: ${message}` }
}

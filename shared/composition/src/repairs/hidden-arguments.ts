/**
 * Repair: `@inaccessible` on an argument of a field of an interface object, which the library drops. Clients would see the
 * argument on the interface and on each of its types.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, FieldDefinitionNode } from 'graphql'
import { federationDirectives, isInterfaceObject, type Subgraph } from '../subgraph.ts'

const INACCESSIBLE: ConstDirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'inaccessible' },
}

export function withHiddenArguments(supergraph: DocumentNode, subgraphs: readonly Subgraph[]): DocumentNode {
  const hidden = new Set(subgraphs.flatMap(hiddenArguments))
  if (hidden.size === 0) return supergraph
  const mend = (types: readonly string[], field: FieldDefinitionNode): FieldDefinitionNode => ({
    ...field,
    arguments: field.arguments?.map((one) => {
      const isHidden = types.some((type) => hidden.has(`${type}.${field.name.value}(${one.name.value}:)`))
      const isMarked = one.directives?.some(({ name }) => name.value === 'inaccessible') === true
      return isHidden && !isMarked ? { ...one, directives: [...(one.directives ?? []), INACCESSIBLE] } : one
    }),
  })
  const mendType = <
    Node extends {
      readonly name: { readonly value: string }
      readonly interfaces?: readonly { readonly name: { readonly value: string } }[] | undefined
      readonly fields?: readonly FieldDefinitionNode[] | undefined
    },
  >(
    node: Node,
  ): Node => {
    const types = [node.name.value, ...(node.interfaces ?? []).map(({ name }) => name.value)]
    return { ...node, fields: node.fields?.map((field) => mend(types, field)) }
  }
  return visit(supergraph, { ObjectTypeDefinition: mendType, InterfaceTypeDefinition: mendType })
}

function hiddenArguments(subgraph: Subgraph): readonly string[] {
  return [...subgraph.types.values()]
    .filter((type) => isInterfaceObject(subgraph, type))
    .flatMap((type) =>
      [...type.fields.values()].flatMap((field) =>
        (field.arguments ?? [])
          .filter((one) => federationDirectives(subgraph, one, 'inaccessible').length > 0)
          .map((one) => `${type.name}.${field.name.value}(${one.name.value}:)`),
      ),
    )
}

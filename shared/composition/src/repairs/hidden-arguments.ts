/**
 * Repair: `@inaccessible` on arguments of fields of interfaces and interface objects, which the library
 * drops. Clients would see the argument there, and for an interface object on each type that gets the field
 * through it.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, FieldDefinitionNode } from 'graphql'
import {
  federationDirectives,
  isInterfaceObject,
  type ParsedSubgraph,
  type SubgraphType,
} from '../subgraph/subgraph.ts'

const INACCESSIBLE: ConstDirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'inaccessible' },
}

/** The supergraph with `@inaccessible` on the arguments that a subgraph hides. */
export function withHiddenArguments(
  supergraph: DocumentNode,
  subgraphs: readonly ParsedSubgraph[],
): DocumentNode {
  const hidden = new Set(subgraphs.flatMap((subgraph) => hiddenArguments(subgraph, () => true)))
  if (hidden.size === 0) return supergraph
  const inherited = new Set(
    subgraphs.flatMap((subgraph) => hiddenArguments(subgraph, (type) => isInterfaceObject(subgraph, type))),
  )
  const mend = <
    Node extends {
      readonly name: { readonly value: string }
      readonly interfaces?: readonly { readonly name: { readonly value: string } }[] | undefined
      readonly fields?: readonly FieldDefinitionNode[] | undefined
    },
  >(
    node: Node,
  ): Node => ({
    ...node,
    fields: node.fields?.map((field) => ({
      ...field,
      arguments: field.arguments?.map((one) => {
        const place = `${field.name.value}(${one.name.value}:)`
        const isHidden =
          hidden.has(`${node.name.value}.${place}`) ||
          node.interfaces?.some(({ name }) => inherited.has(`${name.value}.${place}`)) === true
        const isMarked = one.directives?.some(({ name }) => name.value === 'inaccessible') === true
        return isHidden && !isMarked ? { ...one, directives: [...(one.directives ?? []), INACCESSIBLE] } : one
      }),
    })),
  })
  return visit(supergraph, { ObjectTypeDefinition: mend, InterfaceTypeDefinition: mend })
}

function hiddenArguments(
  subgraph: ParsedSubgraph,
  matches: (type: SubgraphType) => boolean,
): readonly string[] {
  return [...subgraph.types.values()]
    .filter(matches)
    .flatMap((type) =>
      [...type.fields.values()].flatMap((field) =>
        (field.arguments ?? [])
          .filter((one) => federationDirectives(subgraph, one, 'inaccessible').length > 0)
          .map((one) => `${type.name}.${field.name.value}(${one.name.value}:)`),
      ),
    )
}

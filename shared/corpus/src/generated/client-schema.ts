/** The schema that clients see, from the whole one: everything marked `@inaccessible` is left out. */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  print,
  visit,
} from 'graphql'

export const HIDDEN_DIRECTIVE =
  'directive @inaccessible on OBJECT | INTERFACE | UNION | ENUM | SCALAR | INPUT_OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE'

type Marked = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

export function clientSdl(whole: string): string {
  const document = parse(whole, { noLocation: true })
  const hidden = new Set(document.definitions.filter(isHidden).map(nameOf))
  const withoutHidden = (node: Marked) => (isHidden(node) ? null : undefined)
  const client = visit(document, {
    DirectiveDefinition: (node) => (node.name.value === 'inaccessible' ? null : undefined),
    ObjectTypeDefinition: { enter: withoutHidden },
    InterfaceTypeDefinition: { enter: withoutHidden },
    UnionTypeDefinition: { enter: withoutHidden },
    EnumTypeDefinition: { enter: withoutHidden },
    ScalarTypeDefinition: { enter: withoutHidden },
    InputObjectTypeDefinition: { enter: withoutHidden },
    FieldDefinition: { enter: (node) => (isHidden(node) || hidden.has(typeName(node)) ? null : undefined) },
    InputValueDefinition: { enter: withoutHidden },
    EnumValueDefinition: { enter: withoutHidden },
    NamedType: { enter: (node) => (hidden.has(node.name.value) ? null : undefined) },
  })
  return print(client)
}

function isHidden(node: Marked | DefinitionNode): boolean {
  return 'directives' in node && node.directives?.some(({ name }) => name.value === 'inaccessible') === true
}

function nameOf(definition: DefinitionNode): string {
  return 'name' in definition && definition.name?.kind === Kind.NAME ? definition.name.value : ''
}

function typeName({ type }: FieldDefinitionNode): string {
  let named = type
  while (named.kind !== Kind.NAMED_TYPE) named = named.type
  return named.name.value
}

/** Reads facts about object types from a subgraph's SDL, and joins definitions with their extensions. */
import { Kind, parse } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, FieldDefinitionNode, SelectionSetNode } from 'graphql'

export type KeyFacts = { readonly selection: SelectionSetNode; readonly resolvable: boolean }

export type FieldFacts = {
  readonly name: string
  readonly external: boolean
  readonly requires: SelectionSetNode | null
  readonly provides: SelectionSetNode | null
  readonly overrides: { readonly from: string; readonly label: string | null } | null
}

export type TypeFacts = {
  readonly name: string
  readonly kind: 'object' | 'interface'
  readonly keys: readonly KeyFacts[]
  readonly interfaceObject: boolean
  /** Federation 1, or marked as an extension: its external key fields can be selected. */
  readonly extension: boolean
  readonly fields: ReadonlyMap<string, FieldFacts>
}

export function readSubgraphFacts(sdl: string): ReadonlyMap<string, TypeFacts> {
  const document = parse(sdl)
  const named = directiveNames(sdl)
  const federation1 = !sdl.includes('specs.apollo.dev/federation/')
  const facts = new Map<string, TypeFacts>()
  for (const definition of document.definitions) {
    const kind = kindOf(definition)
    if (kind === null || !('fields' in definition) || !('name' in definition)) continue
    const name = definition.name?.value ?? ''
    const known = facts.get(name)
    const directives: readonly ConstDirectiveNode[] = definition.directives ?? []
    const fields = new Map(known?.fields)
    for (const field of definition.fields ?? []) {
      if (field.kind === Kind.FIELD_DEFINITION) fields.set(field.name.value, readField(field, named))
    }
    facts.set(name, {
      name,
      kind,
      fields,
      keys: [...(known?.keys ?? []), ...directives.filter(named('key')).map(readKey)],
      interfaceObject: known?.interfaceObject === true || directives.some(named('interfaceObject')),
      extension:
        known?.extension === true ||
        federation1 ||
        directives.some(named('extends')) ||
        definition.kind === Kind.OBJECT_TYPE_EXTENSION,
    })
  }
  return facts
}

function kindOf(definition: DocumentNode['definitions'][number]): 'object' | 'interface' | null {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
      return 'object'
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION:
      return 'interface'
    default:
      return null
  }
}

function readKey(directive: ConstDirectiveNode): KeyFacts {
  const resolvable = directive.arguments?.find(({ name }) => name.value === 'resolvable')?.value
  return {
    selection: parseSelection(stringArgument(directive, 'fields') ?? ''),
    resolvable: !(resolvable?.kind === Kind.BOOLEAN && !resolvable.value),
  }
}

type Named = (name: string) => (directive: ConstDirectiveNode) => boolean

/** Finds directives by their name in the specification: imported, imported `as` something, or in full. */
function directiveNames(sdl: string): Named {
  const aliases = new Map<string, string>()
  for (const [, name = '', as = ''] of sdl.matchAll(/name: "@(\w+)", as: "@(\w+)"/g)) aliases.set(as, name)
  return (name) => (directive) => {
    const used = directive.name.value
    return (aliases.get(used) ?? used.replace('federation__', '')) === name
  }
}

function readField(field: FieldDefinitionNode, named: Named): FieldFacts {
  const directives = field.directives ?? []
  const selection = (name: string) => {
    const directive = directives.find(named(name))
    const text = directive === undefined ? null : stringArgument(directive, 'fields')
    return text === null ? null : parseSelection(text)
  }
  const override = directives.find(named('override'))
  return {
    name: field.name.value,
    external: directives.some(named('external')),
    requires: selection('requires'),
    provides: selection('provides'),
    overrides:
      override === undefined
        ? null
        : { from: stringArgument(override, 'from') ?? '', label: stringArgument(override, 'label') },
  }
}

function stringArgument(directive: ConstDirectiveNode, name: string): string | null {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value
  return value?.kind === Kind.STRING ? value.value : null
}

function parseSelection(text: string): SelectionSetNode {
  const [definition] = parse(`{ ${text} }`, { noLocation: true }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`"${text}" is no selection`)
  return definition.selectionSet
}

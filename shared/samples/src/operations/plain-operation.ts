/** The same question in plainer words: with conditions carried out, and with fragments in their places. */
import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type DirectiveNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql'

type Conditional = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> }

/**
 * Removes skipped selections from an operation, and all that only these used. If nothing is left selected,
 * the result is null, or, with `fillEmpty`, `__typename` is selected instead.
 */
export function withoutSkipped<Operation extends Conditional>(
  operation: Operation,
  { fillEmpty = false }: { readonly fillEmpty?: boolean } = {},
): Operation | null {
  const document = parse(operation.query, { noLocation: true })
  const values = new Map<string, unknown>(Object.entries(operation.variables ?? {}))
  const isOn = (directive: DirectiveNode) => {
    const value = directive.arguments?.[0]?.value
    if (value?.kind === Kind.BOOLEAN) return value.value
    return value?.kind === Kind.VARIABLE && values.get(value.name.value) === true
  }
  const kept = (node: { readonly directives?: readonly DirectiveNode[] | undefined }) =>
    node.directives?.every((directive) => (directive.name.value === 'skip') !== isOn(directive)) === false
      ? null
      : undefined
  let isEmpty = false
  const decided = visit(document, {
    Field: { enter: kept },
    InlineFragment: { enter: kept },
    FragmentSpread: { enter: kept },
    Directive: () => null,
    SelectionSet: {
      leave: ({ selections }): SelectionSetNode | undefined => {
        if (selections.length > 0) return undefined
        if (fillEmpty) return TYPENAME_ONLY
        isEmpty = true
        return undefined
      },
    },
  })
  return isEmpty ? null : { ...operation, query: print(withoutUnused(decided)) }
}

const TYPENAME_ONLY: SelectionSetNode = {
  kind: Kind.SELECTION_SET,
  selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
}

/** Replaces every fragment spread by an inline fragment. */
export function withoutFragmentSpreads(query: string): string {
  const document = parse(query, { noLocation: true })
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const inlined = <Node extends ASTNode>(node: Node): Node =>
    visit(node, {
      FragmentSpread(spread): InlineFragmentNode | undefined {
        const fragment = fragments.get(spread.name.value)
        if (fragment === undefined) return undefined
        return {
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: fragment.typeCondition,
          ...(spread.directives === undefined ? {} : { directives: spread.directives }),
          selectionSet: inlined(fragment.selectionSet),
        }
      },
    })
  const definitions = document.definitions
    .filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION)
    .map((definition) => inlined(definition))
  return print({ ...document, definitions })
}

function withoutUnused(document: DocumentNode): DocumentNode {
  const used = new Set<string>()
  const variables = new Set<string>()
  const follow = (node: DocumentNode['definitions'][number]): void => {
    visit(node, {
      VariableDefinition: () => false,
      Variable: ({ name }) => void variables.add(name.value),
      FragmentSpread: ({ name }) => {
        if (used.has(name.value)) return
        used.add(name.value)
        const fragment = document.definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name.value,
        )
        if (fragment !== undefined) follow(fragment)
      },
    })
  }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) follow(definition)
  }
  return {
    ...document,
    definitions: document.definitions.flatMap((definition): readonly DefinitionNode[] => {
      if (definition.kind === Kind.OPERATION_DEFINITION) return [withVariables(definition, variables)]
      return definition.kind === Kind.FRAGMENT_DEFINITION && used.has(definition.name.value)
        ? [definition]
        : []
    }),
  }
}

function withVariables(
  operation: OperationDefinitionNode,
  used: ReadonlySet<string>,
): OperationDefinitionNode {
  const variableDefinitions = (operation.variableDefinitions ?? []).filter(({ variable }) =>
    used.has(variable.name.value),
  )
  return { ...operation, variableDefinitions }
}

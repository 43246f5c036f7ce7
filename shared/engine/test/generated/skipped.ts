/** The operation with its conditions carried out: what is skipped is gone, and so is all that only it used. */
import {
  type DefinitionNode,
  type DocumentNode,
  type DirectiveNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql'
import type { SuiteOperation } from '../corpus/harness/suite.ts'

/** Null where something would be left without any selection. */
export function withoutSkipped(operation: SuiteOperation): SuiteOperation | null {
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
      leave: ({ selections }) => {
        if (selections.length === 0) isEmpty = true
      },
    },
  })
  return isEmpty ? null : { ...operation, query: print(withoutUnused(decided)) }
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

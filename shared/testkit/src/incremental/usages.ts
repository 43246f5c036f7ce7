/**
 * The selections of an operation with every fragment in its place, and with the fragments that are deferred
 * numbered as they are read. What is skipped is gone.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  GraphQLDeferDirective,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** A fragment with an active `@defer`. */
export type Usage = {
  /** The number of the fragment, from 1 on, in document order. */
  readonly id: number
  readonly label: string | null
  /** The deferred fragment around it. */
  readonly parent: Usage | null
  /** The fields that lead to the object that it sits on. */
  readonly way: readonly FieldSelection[]
}

export type FieldSelection = {
  readonly kind: 'field'
  readonly node: FieldNode
  readonly key: string
  /** The innermost deferred fragment around it. */
  readonly usage: Usage | null
  readonly children: readonly Selection[]
}

export type FragmentSelection = {
  readonly kind: 'fragment'
  readonly condition: string | null
  /** Set where the fragment itself is deferred. */
  readonly defers: Usage | null
  readonly children: readonly Selection[]
}

export type Selection = FieldSelection | FragmentSelection

export type Question = {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string | null
}

export type ReadOperation = {
  readonly operation: OperationDefinitionNode
  readonly selections: readonly Selection[]
  readonly usages: readonly Usage[]
}

export function readUsages({ schema, document, variables = {}, operationName }: Question): ReadOperation {
  const operation = getOperationAST(document, operationName)
  if (!operation) throw new Error('The document does not have this operation')
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (coerced.errors !== undefined) throw new AggregateError(coerced.errors, 'Variables that do not fit')
  const values = coerced.variableValues
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const usages: Usage[] = []

  function isLeftOut(node: SelectionNode): boolean {
    return (
      getDirectiveValues(GraphQLSkipDirective, node, values)?.['if'] === true ||
      getDirectiveValues(GraphQLIncludeDirective, node, values)?.['if'] === false
    )
  }

  function deferOf(node: SelectionNode, parent: Usage | null, way: readonly FieldSelection[]): Usage | null {
    const given = getDirectiveValues(GraphQLDeferDirective, node, values)
    if (given === undefined || given['if'] === false) return null
    const label = given['label']
    const usage = { id: usages.length + 1, label: typeof label === 'string' ? label : null, parent, way }
    usages.push(usage)
    return usage
  }

  function read(set: SelectionSetNode, usage: Usage | null, way: readonly FieldSelection[]): Selection[] {
    return set.selections.flatMap((node): Selection[] => {
      if (isLeftOut(node)) return []
      if (node.kind === Kind.FIELD) {
        const children: Selection[] = []
        const field: FieldSelection = {
          kind: 'field',
          node,
          key: (node.alias ?? node.name).value,
          usage,
          children,
        }
        if (node.selectionSet !== undefined) children.push(...read(node.selectionSet, usage, [...way, field]))
        return [field]
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node
      if (fragment === undefined) throw new Error('The document lacks a fragment')
      const defers = deferOf(node, usage, way)
      const condition = fragment.typeCondition?.name.value ?? null
      return [
        { kind: 'fragment', condition, defers, children: read(fragment.selectionSet, defers ?? usage, way) },
      ]
    })
  }

  return { operation, selections: read(operation.selectionSet, null, []), usages }
}

/**
 * Splits `__schema` and `__type` off into an operation of their own, which is answered from the API schema.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import type { IntrospectionPart } from './normalised.ts'
import type { Fragments } from '../fragments.ts'

/** The operation of the fields `__schema` and `__type`; null if there are none. */
export function introspectionPart(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  fields: readonly FieldNode[],
  showsDefer: boolean,
): IntrospectionPart | null {
  if (fields.length === 0) return null
  const selections = fields.map(withoutConditions)
  const used = new Map<string, FragmentDefinitionNode>()
  const variables = new Set<string>()
  const collect = (node: FieldNode | FragmentDefinitionNode): void => {
    visit(node, {
      Variable: ({ name }) => {
        variables.add(name.value)
      },
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value)
        if (fragment === undefined || used.has(name.value)) return
        used.set(name.value, fragment)
        collect(fragment)
      },
    })
  }
  for (const field of selections) collect(field)
  const definition: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) =>
      variables.has(variable.name.value),
    ),
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  }
  return {
    document: print({ kind: Kind.DOCUMENT, definitions: [definition, ...used.values()] }),
    responseKeys: [...new Set(fields.map((field) => field.alias?.value ?? field.name.value))],
    variables: [...variables],
    showsDefer,
  }
}

/** The field without `@skip` and `@include`, which were decided before. Fields below it keep theirs. */
function withoutConditions(field: FieldNode): FieldNode {
  return {
    ...field,
    directives: (field.directives ?? []).filter(
      ({ name }) => name.value !== 'skip' && name.value !== 'include',
    ),
  }
}

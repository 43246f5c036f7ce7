/** Where `@defer` may stand and how its labels are given, for the operation that is executed. */
import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLDeferDirective,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { deferDirective } from './defers.ts'
import { fragmentsOf } from './fragments.ts'
import { RequestError } from './operation-error.ts'
import { visitReached } from './reached-directives.ts'

const MAX_ERRORS = 50

/** The document must be valid. Throws a `RequestError`. */
export function checkDefers(document: DocumentNode, operation: OperationDefinitionNode): void {
  const errors = [
    ...(operation.operation === 'mutation' ? onMutationRoot(document, operation) : []),
    ...wrongLabels(document, operation),
  ]
  if (errors.length > 0)
    throw new RequestError('validate', 'GRAPHQL_VALIDATION_FAILED', errors.slice(0, MAX_ERRORS))
}

function onMutationRoot(document: DocumentNode, operation: OperationDefinitionNode): readonly GraphQLError[] {
  const fragments = fragmentsOf(document)
  const errors: GraphQLError[] = []
  const seen = new Set<SelectionSetNode>()
  const check = (set: SelectionSetNode): void => {
    if (seen.has(set)) return
    seen.add(set)
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) continue
      const directive = deferDirective(node)
      if (directive !== undefined)
        errors.push(
          new GraphQLError(
            '"@defer" must not stand on the root fields of a mutation, which are executed one after the other and then answered. Expected it below one of these fields.',
            { nodes: directive },
          ),
        )
      const body = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
      if (body !== undefined) check(body.selectionSet)
    }
  }
  check(operation.selectionSet)
  return errors
}

function wrongLabels(document: DocumentNode, operation: OperationDefinitionNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = []
  const first = new Map<string, DirectiveNode>()
  visitReached(document, operation, (directive) => {
    if (directive.name.value !== GraphQLDeferDirective.name) return
    const label = directive.arguments?.find(({ name }) => name.value === 'label')?.value
    if (label === undefined || label.kind === Kind.NULL) return
    if (label.kind !== Kind.STRING) {
      errors.push(
        new GraphQLError(
          'The label of "@defer" must be written in the operation as a string, not be a variable.',
          {
            nodes: directive,
          },
        ),
      )
      return
    }
    const other = first.get(label.value)
    if (other === undefined) first.set(label.value, directive)
    else
      errors.push(
        new GraphQLError(
          `Two "@defer" of the operation have the label "${label.value}". Each label must be different, since it tells clients which fragment has arrived.`,
          { nodes: [other, directive] },
        ),
      )
  })
  return errors
}

import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { Graph } from '../graph/graph.ts'
import type { Plan } from '../plan/plan.ts'
import { planOperation, type PlanOptions } from '../plan/plan-operation.ts'
import { takesExactNumbers } from './exact-inputs.ts'
import { fragmentsOf } from './fragments.ts'
import {
  checkConditionVariables,
  checkLimits,
  DEFAULT_OPERATION_LIMITS,
  type OperationLimits,
} from './limits.ts'
import { RequestError } from './operation-error.ts'
import { overrideLabels } from './override-labels.ts'
import { parseDocument, selectOperation } from './parse.ts'
import { validateDocument } from './validate.ts'
import { coerceVariables } from './variables.ts'

export type OperationRequest = {
  readonly document: string
  readonly operationName?: string | null
  /** Limits not named here are the defaults. */
  readonly limits?: Partial<OperationLimits>
}

/**
 * A valid operation, ready to be planned and executed any number of times. Holds nothing of a single request, so it
 * may be cached by document text and operation name for as long as its graph lives.
 */
export class Operation {
  readonly kind: 'query' | 'mutation'
  readonly name: string | null
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** Names of the variables in its `@skip` and `@include`. Their values decide on the plan, others do not. */
  readonly conditions: readonly string[]
  /** Labels of progressive overrides that can matter to a plan of this operation, ascending. */
  readonly overrideLabels: readonly string[]
  /** Whether some variable may hold a number that a double cannot: read them with `parseExactly` then. */
  readonly takesExactNumbers: boolean
  readonly #graph: Graph
  readonly #schema: GraphQLSchema

  constructor(
    graph: Graph,
    document: DocumentNode,
    definition: OperationDefinitionNode,
    kind: 'query' | 'mutation',
    conditions: ReadonlySet<string>,
  ) {
    this.kind = kind
    this.name = definition.name?.value ?? null
    this.document = document
    this.definition = definition
    this.#graph = graph
    this.#schema = graph.apiSchema
    this.conditions = [...conditions]
    this.takesExactNumbers = takesExactNumbers(graph.apiSchema, definition)
    this.overrideLabels = overrideLabels(graph, document, definition)
  }

  /** Throws a `RequestError` of phase `variables`. Values that the operation does not declare are ignored. */
  coerceVariables(raw: Readonly<Record<string, unknown>> | null | undefined): ReadonlyMap<string, unknown> {
    return coerceVariables(this.#schema, this.definition, new Set(this.conditions), raw ?? {})
  }

  /**
   * The plan for these coerced variables and active labels, made anew each time. Only variables named by `conditions` and
   * labels named by `overrideLabels` matter: whoever keeps plans keeps one for each combination of those. Throws a
   * `PlanningError`.
   */
  plan(variables: ReadonlyMap<string, unknown>, options: PlanOptions = {}): Plan {
    return planOperation(this.#graph, this.document, this.definition, variables, options)
  }
}

/** Throws a `RequestError` that says what is wrong with the request. */
export function prepareOperation(graph: Graph, request: OperationRequest): Operation {
  const limits = { ...DEFAULT_OPERATION_LIMITS, ...request.limits }
  const document = parseDocument(request.document, limits)
  const definition = selectOperation(document, request.operationName)
  const kind = definition.operation
  if (kind === 'subscription')
    throw new RequestError('operation', 'SUBSCRIPTIONS_NOT_SUPPORTED', [
      'Subscriptions are not supported; send a query or a mutation.',
    ])
  checkLimits(document, definition, limits)
  validateDocument(graph.validationSchema, document)
  const conditions = conditionVariables(document, definition)
  checkConditionVariables(conditions, limits)
  return new Operation(graph, document, definition, kind, conditions)
}

/** Variables of `@skip` and `@include` in the operation and in the fragments it reaches. */
function conditionVariables(document: DocumentNode, operation: OperationDefinitionNode): ReadonlySet<string> {
  const fragments = fragmentsOf(document)
  const names = new Set<string>()
  const seen = new Set<string>()
  const collect = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        if (seen.has(name.value)) return
        seen.add(name.value)
        const fragment = fragments.get(name.value)
        if (fragment !== undefined) collect(fragment)
      },
      Directive: (directive: DirectiveNode) => {
        if (directive.name.value !== 'skip' && directive.name.value !== 'include') return
        const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
        if (value?.kind === Kind.VARIABLE) names.add(value.name.value)
      },
    })
  }
  collect(operation)
  return names
}

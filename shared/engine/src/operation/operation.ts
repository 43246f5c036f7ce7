import { type DocumentNode, GraphQLDeferDirective, Kind, type OperationDefinitionNode } from 'graphql'
import type { Graph } from '../graph/graph.ts'
import type { Turns } from '../work/slices.ts'
import { accessConditions } from './access-conditions.ts'
import { takesExactNumbers } from './exact-inputs.ts'
import { DeferRules } from './check-defers.ts'
import {
  checkConditionVariables,
  checkLimits,
  DEFAULT_OPERATION_LIMITS,
  type OperationLimits,
} from './limits.ts'
import { forgetTokens } from './kept-document.ts'
import { RequestError } from './operation-error.ts'
import type { OperationKind } from './operation-kind.ts'
import { overrideLabels } from './override-labels.ts'
import { parseDocument, selectOperation } from './parse.ts'
import type { SeenInputs } from './inputs/seen-inputs.ts'
import { validateDocument } from './validate.ts'
import { type CoercedVariables, type ConditionVariables, type RawVariables, Variables } from './variables.ts'
import { visitReached } from './reached-directives.ts'

/** An operation that is to be prepared. */
export type OperationRequest = {
  readonly document: string
  readonly operationName?: string | null
  /** Limits not named here are the defaults. */
  readonly limits?: Partial<OperationLimits>
  /**
   * Fragments with `@defer` are to be delivered later. Without it `@defer` means nothing, and its use is not
   * checked.
   */
  readonly defer?: boolean
  /**
   * Subscriptions are prepared as well. Without it they are refused with `SUBSCRIPTIONS_NOT_SUPPORTED`.
   */
  readonly subscriptions?: boolean
  /**
   * Called when a step begins, which is when the step before it ends. The first step, parsing, is not
   * announced: it begins with the call itself.
   */
  readonly onStep?: (step: OperationStep) => void
}

/** `normalize`: choosing the operation and measuring it against the limits. */
export type OperationStep = 'normalize' | 'validate'

/**
 * A valid operation, ready to be planned and executed any number of times. Holds nothing of a single request,
 * so it may be cached by document text and operation name for as long as its graph lives.
 */
export class Operation {
  /** The graph it is valid for. */
  readonly graph: Graph
  readonly kind: OperationKind
  readonly name: string | null
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /**
   * Names of the variables in its `@skip` and `@include`, and in its `@defer` where that has a meaning. The
   * plan depends on their values and on no others. A value is true, false or absent; absent means true in
   * `@defer`.
   */
  readonly conditions: readonly string[]
  /** Labels of progressive overrides that can matter to a plan of this operation, ascending. */
  readonly overrideLabels: readonly string[]
  /**
   * Numbers of the conditions of `graph.access` that decide what of it may be seen, ascending. The plan
   * depends on which of them are met.
   */
  readonly accessConditions: readonly number[]
  /** Whether some variable may hold a number that a double cannot: read them with `parseExactly` then. */
  readonly takesExactNumbers: boolean
  /** The number of nodes of the document: they are most of what an operation takes in memory. */
  readonly nodes: number
  /** `@defer` has a meaning: its fragments are to be delivered later. */
  readonly mayDefer: boolean
  /** It has a `@defer` that is active with some values of its variables. */
  readonly hasDefers: boolean
  readonly #variables: Variables
  /** The rules for `@defer`. Null if nothing may be deferred, so that `@defer` has no effect. */
  readonly #deferRules: DeferRules | null

  constructor(
    graph: Graph,
    document: DocumentNode,
    definition: OperationDefinitionNode,
    kind: OperationKind,
    conditions: ConditionVariables,
    variables: Variables,
    deferRules: DeferRules | null,
    nodes: number,
  ) {
    this.kind = kind
    this.name = definition.name?.value ?? null
    this.document = document
    this.definition = definition
    this.nodes = nodes
    this.graph = graph
    this.conditions = [...conditions.all]
    this.#variables = variables
    this.mayDefer = deferRules !== null
    this.hasDefers = deferRules?.mayApply === true
    this.#deferRules = deferRules
    this.takesExactNumbers = takesExactNumbers(graph.apiSchema, definition)
    this.overrideLabels = overrideLabels(graph, document, definition)
    this.accessConditions = accessConditions(graph, document, definition)
  }

  /**
   * Throws a `RequestError`: of phase `variables`, or of phase `validate` if these values activate a `@defer`
   * that must not stand where it does. Values that the operation does not declare are ignored.
   */
  coerceVariables(raw: RawVariables): CoercedVariables {
    return this.#checked(this.#variables.coerce(raw))
  }

  /**
   * The same, letting other requests run in between if there is much to do; only then it returns a promise.
   * `seen` notes the input fields and enum values that the values name.
   */
  coerceVariablesInTurns(
    raw: RawVariables,
    turns: Turns,
    seen: SeenInputs | null = null,
  ): CoercedVariables | Promise<CoercedVariables> {
    const values = this.#variables.coerceInTurns(raw, turns, seen)
    return values instanceof Promise ? values.then((late) => this.#checked(late)) : this.#checked(values)
  }

  /** Returns what notes the input fields and enum values of variables. Null if they can have none. */
  seenInputs(): SeenInputs | null {
    return this.#variables.seenInputs()
  }

  #checked(values: CoercedVariables): CoercedVariables {
    this.#deferRules?.check(values)
    return values
  }
}

/** Parses, measures and validates an operation. Throws a `RequestError` that says what is wrong with it. */
export function prepareOperation(graph: Graph, request: OperationRequest): Operation {
  const limits = { ...DEFAULT_OPERATION_LIMITS, ...request.limits }
  const { document, lines } = parseDocument(request.document, limits)
  request.onStep?.('normalize')
  const definition = selectOperation(document, request.operationName)
  const kind = definition.operation
  if (kind === 'subscription' && request.subscriptions !== true)
    throw new RequestError('operation', 'SUBSCRIPTIONS_NOT_SUPPORTED', [
      'Subscriptions are not supported; send a query or a mutation.',
    ])
  checkLimits(document, limits)
  const mayDefer = request.defer === true
  request.onStep?.('validate')
  validateDocument(graph.validationSchema, document, lines, mayDefer)
  const deferRules = mayDefer ? new DeferRules(document, definition, lines) : null
  const conditions = conditionVariables(document, definition, mayDefer)
  checkConditionVariables(conditions.all, limits)
  const variables = new Variables(graph.apiSchema, definition, {
    conditions,
    lines,
    maxValues: limits.variableValues,
  })
  const nodes = forgetTokens(document)
  return new Operation(graph, document, definition, kind, conditions, variables, deferRules, nodes)
}

/** The variables of conditions in the operation and in the fragments it reaches. */
function conditionVariables(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  mayDefer: boolean,
): ConditionVariables {
  const all = new Set<string>()
  const required = new Set<string>()
  visitReached(document, operation, (node) => {
    const name = node.name.value
    const isRequired = name === 'skip' || name === 'include'
    if (!isRequired && !(mayDefer && name === GraphQLDeferDirective.name)) return
    const value = node.arguments?.find((argument) => argument.name.value === 'if')?.value
    if (value?.kind !== Kind.VARIABLE) return
    all.add(value.name.value)
    if (isRequired) required.add(value.name.value)
  })
  return { all, required }
}

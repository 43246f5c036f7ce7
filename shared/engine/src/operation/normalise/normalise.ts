/**
 * Turns a valid document into the normalised operation
 * (https://spec.graphql.org/draft/#sec-Executing-Selection-Sets). `@skip` and `@include` are decided here,
 * with the values of this request, so nothing later knows conditions. So is `if` of `@defer`, where fragments
 * may be deferred at all.
 */
import { type DocumentNode, type OperationDefinitionNode, print } from 'graphql'
import { printValue } from '../../graph/canonical-arguments.ts'
import type { Graph } from '../../graph/graph.ts'
import { Budget, DEFAULT_STEP_LIMIT } from '../../work/planning-budget.ts'
import { PlanningError } from '../../work/planning-error.ts'
import { DeferOwnership } from './defer-ownership.ts'
import { findDefers } from '../defers.ts'
import { fragmentsOf } from '../fragments.ts'
import { Normaliser } from './normalise-fields.ts'
import { introspectionPart } from './normalise-introspection.ts'
import type { NormalisedOperation } from './normalised.ts'

/** The facts that decide what of an operation is left, and what of it is deferred. */
export type NormaliseOptions = {
  /** `@defer` has a meaning. */
  readonly mayDefer?: boolean
  /** Nothing is deferred all the same. */
  readonly isWhole?: boolean
  /** Numbers of the conditions of `graph.access` that the request meets. */
  readonly granted?: ReadonlySet<number>
}

/**
 * Normalises an operation. Throws a `PlanningError` if the graph has no such root type, or beyond the budget.
 */
export function normaliseOperation(
  graph: Graph,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  booleans: ReadonlyMap<string, unknown>,
  budget: Budget = new Budget(DEFAULT_STEP_LIMIT),
  { mayDefer = false, isWhole = false, granted = new Set() }: NormaliseOptions = {},
): NormalisedOperation {
  const kind = operation.operation
  const rootType = graph.compiled.roots[kind]
  if (rootType === -1)
    throw new PlanningError(
      'PLANNING_UNSUPPORTED',
      `The graph has no root type for a ${kind}; expected ${rootsOf(graph)}.`,
    )
  const fragments = fragmentsOf(document)
  const defers = mayDefer && !isWhole ? findDefers(operation, fragments, booleans, budget) : null
  const ownership = defers === null ? null : new DeferOwnership(defers, budget)
  const normaliser = new Normaliser(graph, fragments, booleans, budget, defers, ownership, granted)
  const selection = normaliser.root(rootType, (defers ?? operation).selectionSet)
  return {
    kind,
    name: operation.name?.value ?? null,
    rootType,
    selection,
    denied: [...normaliser.denied],
    introspection: introspectionPart(operation, fragments, normaliser.introspectionFields, mayDefer),
    deferred:
      ownership === null
        ? null
        : { groups: ownership.groups(), anchorsOf: (place) => ownership.anchorsOf(place) },
    variableDefinitions: variableDefinitions(operation),
  }
}

/** Lists the kinds of operations that a graph has, for messages. */
function rootsOf({ compiled: { roots } }: Graph): string {
  const kinds = (['query', 'mutation', 'subscription'] as const).filter((kind) => roots[kind] !== -1)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(kinds.map((kind) => `a ${kind}`))
}

function variableDefinitions(operation: OperationDefinitionNode): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>()
  for (const { variable, type, defaultValue } of operation.variableDefinitions ?? []) {
    const value = defaultValue === undefined ? '' : `=${printValue(defaultValue)}`
    definitions.set(variable.name.value, `$${variable.name.value}:${print(type)}${value}`)
  }
  return definitions
}

/**
 * An operation after normalisation: no fragments, no conditions, no duplicates. What a selection asks for is listed per
 * object type, because that is what a running value finally is; types that are asked for the same share the list and
 * its goals, so identity of a goal means identity of what is wanted.
 */
import type { TypeRef } from '../graph/compiled-graph.ts'
import type { GroupId, IntrospectionPart, TypeId } from '../plan/plan.ts'

export type Selection = {
  /** Declared type of the place. */
  readonly type: TypeId
  /** In ascending order of type. Holds every possible type that is visible here, also those with nothing selected. */
  readonly byType: ReadonlyMap<TypeId, readonly Goal[]>
}

export type Goal = FieldGoal | TypenameGoal | IntrospectionGoal

export type FieldGoal = {
  readonly kind: 'field'
  /** The client's response key, or the field's name for keys and requires inputs. */
  readonly key: string
  readonly name: string
  /** Canonical text with parentheses, '' for none. */
  readonly args: string
  readonly variables: readonly string[]
  /** Type in the supergraph. */
  readonly type: TypeRef
  readonly child: Selection | null
  readonly group: GroupId
  /** Set on a remainder: the goal as it was wanted, of which another subgraph answers the rest. */
  readonly whole: FieldGoal | null
}

export type TypenameGoal = { readonly kind: 'typename'; readonly key: string; readonly group: GroupId }
export type IntrospectionGoal = {
  readonly kind: 'introspection'
  readonly key: string
  readonly group: GroupId
}

export type NormalisedOperation = {
  readonly kind: 'query' | 'mutation'
  readonly name: string | null
  readonly rootType: TypeId
  readonly selection: Selection
  readonly introspection: IntrospectionPart | null
  /** Printed definitions (`$first:Int=10`) by variable name. */
  readonly variableDefinitions: ReadonlyMap<string, string>
}

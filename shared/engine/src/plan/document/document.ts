/**
 * Subgraph documents while a plan is being built. A field has no response key yet: what reads it holds the
 * field itself, and keys are given out once all fields of a document are known.
 */
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'
import type { FieldEdge, Node } from '../../graph/moves/query-graph.ts'

/** A selection set of a document under construction. */
export type DocumentSelection = {
  readonly sub: SubgraphId
  /** The declared type in the subgraph; null for the union of all entities. */
  readonly type: TypeId | null
  readonly fields: DocumentField[]
  /** The fields by what they mean and what is wanted below, while goals are added. */
  readonly byMeaning: Map<string, DocumentField>
  /** `__typename` is selected, too. */
  typename: boolean
}

/** A field of a document under construction. */
export type DocumentField = {
  readonly name: string
  readonly args: string
  readonly variables: readonly string[]
  /** The field's type in the subgraph, as the object declares it or the interface it is selected on. */
  readonly type: TypeRef
  /** The field is non-null for some object type at least: if it fails, its object becomes null. */
  nonNull: boolean
  readonly child: DocumentSelection | null
  /** The response key that the field gets if no other field has it. */
  readonly preferred: string
  /** Selected by the client, not only needed for a key or requires. */
  client: boolean
  /** The types that the field is selected for: interface objects count as the interface. */
  readonly on: Set<TypeId>
  /** The response key; '' until keys are given out. */
  key: string
}

/** An empty selection set. */
export function documentSelection(sub: SubgraphId, type: TypeId | null): DocumentSelection {
  return { sub, type, fields: [], byMeaning: new Map(), typename: false }
}

/** A goal that is to be answered by a field of a document. */
export type FieldRequest = {
  /** The type of the objects that the goal is wanted of. */
  readonly on: TypeId
  readonly goal: FieldGoal
  /** Tells everything that is wanted below the goal. */
  readonly text: string
  readonly edge: FieldEdge
  /** The node that the value comes from; null for a leaf. */
  readonly to: Node | null
  /** The client wants the goal; else it is needed for a key or `@requires`. */
  readonly client: boolean
  /**
   * The type that the interface declares the field with, if the field is selected on the interface itself.
   */
  readonly onInterface: TypeRef | null
}

/**
 * The field of the document that answers a goal. Object types share it if they agree on its type, or if it
 * stands on their interface. Goals that differ in their texts have fields of their own, since what one of
 * them selects could null the object of the other one by failing.
 */
export function selectField(
  selection: DocumentSelection,
  { on, goal, text, edge, to, client, onInterface }: FieldRequest,
  typeText: (type: TypeRef) => string,
): DocumentField {
  const type = onInterface ?? edge.type
  // Below another node, a `@provides` of one type's field alone, other fields may be selected.
  const meaning = `${text}:${typeText(type)}:${to?.id ?? ''}`
  const known = selection.byMeaning.get(meaning)
  if (known !== undefined) {
    known.on.add(on)
    known.client ||= client
    known.nonNull ||= edge.type.nonNull
    return known
  }
  const field: DocumentField = {
    name: goal.name,
    args: goal.args,
    variables: goal.variables,
    type,
    nonNull: edge.type.nonNull,
    child: to === null ? null : documentSelection(to.sub, to.type),
    preferred: goal.key,
    client,
    on: new Set([on]),
    key: '',
  }
  selection.fields.push(field)
  selection.byMeaning.set(meaning, field)
  return field
}

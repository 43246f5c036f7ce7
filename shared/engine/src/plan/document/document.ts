/**
 * Subgraph documents while a plan is being built. A field has no response key yet: what reads it holds the
 * field itself, and keys are given out once all fields of a document are known.
 */
import type { TypeRef } from '../../graph/compiled-graph.ts'
import type { FieldGoal } from '../../operation/normalised.ts'
import type { SubgraphId, TypeId } from '../../ids.ts'
import type { FieldEdge, Node } from '../search/query-graph.ts'

/** A selection set of a document under construction. */
export type DocumentSelection = {
  readonly sub: SubgraphId
  /** Type of the place in the subgraph's schema; null for the union of all entities. */
  readonly type: TypeId | null
  readonly fields: DocumentField[]
  /** The fields by what they mean and what is wanted below, while goals are added. */
  readonly byMeaning: Map<string, DocumentField>
  typename: boolean
}

/** A field of a document under construction. */
export type DocumentField = {
  readonly name: string
  readonly args: string
  readonly variables: readonly string[]
  /** In the subgraph's schema: the object's own, or that of the interface it is selected on. */
  readonly type: TypeRef
  /** When it fails, it takes its object with it, of some type at least. */
  nonNull: boolean
  readonly child: DocumentSelection | null
  /** The key it should get, if nothing else has it. */
  readonly preferred: string
  /** Selected by the client, not only needed for a key or requires. */
  client: boolean
  /** Types (as the subgraph names them) for which it is selected. */
  readonly on: Set<TypeId>
  /** '' until keys are given out. */
  key: string
}

/** An empty selection set. */
export function documentSelection(sub: SubgraphId, type: TypeId | null): DocumentSelection {
  return { sub, type, fields: [], byMeaning: new Map(), typename: false }
}

/**
 * The field of the document that answers a goal for objects of type `on`; `to` is the node that its value
 * comes from.
 *
 * Types share a field if they agree on its type, or if it stands on their interface, which declares it with
 * the type `onInterface`. `text` tells everything that is wanted below it: goals that differ in it have
 * fields of their own, since what one of them selects could null the object of the other one by failing.
 */
export function selectField(
  selection: DocumentSelection,
  on: TypeId,
  goal: FieldGoal,
  text: string,
  edge: FieldEdge,
  to: Node | null,
  client: boolean,
  onInterface: TypeRef | null,
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
    child: to === null ? null : childSelection(to),
    preferred: goal.key,
    client,
    on: new Set([on]),
    key: '',
  }
  selection.fields.push(field)
  selection.byMeaning.set(meaning, field)
  return field
}

function childSelection(node: Node): DocumentSelection {
  return documentSelection(node.sub, node.type)
}

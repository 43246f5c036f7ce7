/** Writes what entity calls send: the representations of objects, by the runtime types of the objects. */
import type { FieldSet } from '../../graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph } from '../../graph/graph.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'
import type { RepresentationCase, RepresentationField, RepresentationInput } from '../contract/plan.ts'
import type { DraftCall, DraftProvider, DraftRepresentation, DraftRepresentationField } from './draft.ts'
import { type DraftNumbers, positionIdOf, slotOf } from './draft-numbers.ts'

/** Returns the representations that a call sends for the objects of its position. */
export function emitRepresentationInput(
  graph: Graph,
  numbers: DraftNumbers,
  call: DraftCall,
): RepresentationInput {
  const provider = numbers.providerOf(call)
  const { position } = provider
  return {
    at: positionIdOf(numbers, position),
    slot: slotOf(numbers, provider),
    cases: emitCases(numbers, call.cases, position.selection.type, inputsOfAll(graph, provider)),
  }
}

/** `needed`: the names of the fields without which nothing that the call asks for can be answered. */
function emitCases(
  numbers: DraftNumbers,
  cases: readonly DraftRepresentation[],
  declared: TypeId,
  needed: ReadonlySet<string> | 'every' | null,
): readonly RepresentationCase[] {
  return cases.map((item) => ({
    types: numbers.inOrder(item.anyType ? new Set([...item.types, declared]) : item.types),
    typename: item.typename,
    fields: item.fields.map((field) =>
      emitField(numbers, field, needed === 'every' || needed?.has(field.name) === true),
    ),
  }))
}

/**
 * The names of the inputs that every field of a call requires: without them there is nothing to ask for. None
 * if the call is made to learn the type as well.
 */
function inputsOfAll(graph: Graph, { document, tellsType }: DraftProvider): ReadonlySet<string> | null {
  if (tellsType) return null
  const [first, ...others] = document.fields.flatMap(({ name, on }) =>
    [...on].map((type) => inputsOf(graph, type, document.sub, name)),
  )
  return new Set([...(first ?? [])].filter((name) => others.every((inputs) => inputs.has(name))))
}

function inputsOf(graph: Graph, type: TypeId, sub: SubgraphId, name: string): ReadonlySet<string> {
  const edge = fieldOf(graph, type, name)?.edges.find((some) => some.sub === sub)
  const names = (fieldSet: FieldSet): readonly string[] =>
    fieldSet.flatMap((item) => (item.kind === 'field' ? [item.name] : names(item.below)))
  return new Set(names(edge?.requires?.fieldSet ?? []))
}

function emitField(
  numbers: DraftNumbers,
  field: DraftRepresentationField,
  isNeeded: boolean,
): RepresentationField {
  const needed = isNeeded && field.nonNull && !field.key ? ({ isNeeded } as const) : {}
  if (field.kind === 'leaf') {
    const source = { slot: slotOf(numbers, field.provider), key: field.field.key }
    const id = numbers.isId(field.field.type) ? { isId: true as const } : {}
    return { kind: 'leaf', name: field.name, source, ...id, key: field.key, ...needed }
  }
  return {
    kind: 'object',
    name: field.name,
    position: positionIdOf(numbers, field.position),
    key: field.key,
    ...needed,
    cases: emitCases(numbers, field.cases, field.position.selection.type, isNeeded ? 'every' : null),
    withTypename: field.withTypename,
  }
}

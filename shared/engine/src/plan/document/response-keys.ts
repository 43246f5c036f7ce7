/**
 * Gives out response keys within one subgraph document, so that no key has two meanings there
 * (https://spec.graphql.org/draft/#sec-Field-Selection-Merging, stricter: also between types that cannot
 * overlap). The client's keys come first; whatever clashes is asked for under an internal alias. So is an
 * object that is an input of another request, where a non-null field that only others want of it could take
 * it away by failing.
 */
import type { TypeRef } from '../../graph/compiled-graph.ts'
import { type Graph, isComposite } from '../../graph/graph.ts'
import type { Budget } from '../../budget.ts'
import type { DocumentField, DocumentSelection } from './document.ts'
import { keepsNullsApart } from './null-isolation.ts'

/** All selections given here share one place in the response. */
export function assignResponseKeys(
  graph: Graph,
  selections: readonly DocumentSelection[],
  budget: Budget,
): void {
  const fields = selections.flatMap((selection) => selection.fields)
  budget.step(fields.length / 2)
  const clientKeys = new Set(fields.map((field) => field.preferred))
  const meanings = new Map<string, string>()
  const keysOf = new Map<string, Set<string>>()
  const holders = new Map<string, DocumentField[]>()
  /**
   * The client's key behind an internal alias: two keys of a mutation are two calls, whatever else they
   * share.
   */
  const aliasOf = new Map<string, string>()
  let aliases = 0
  for (const field of [...fields.filter((item) => item.client), ...fields.filter((item) => !item.client)]) {
    const meaning = `${field.name}${field.args}|${mergeableShape(graph, field.type)}`
    const safe = (candidate: string): boolean =>
      field.client || staysWhole(graph, field, holders.get(candidate) ?? [], budget)
    const known = keysOf.get(meaning) ?? new Set()
    keysOf.set(meaning, known)
    let key = (field.client ? undefined : [...known].find(safe)) ?? field.preferred
    const taken = (candidate: string): boolean => {
      const other = meanings.get(candidate)
      return other !== undefined && other !== meaning
    }
    const another = (candidate: string): boolean => {
      if (candidate === field.preferred) return false
      if (!field.client) return clientKeys.has(candidate) && !known.has(candidate)
      return clientKeys.has(candidate) || (aliasOf.get(candidate) ?? field.preferred) !== field.preferred
    }
    while (isDangerous(key) || taken(key) || another(key) || !safe(key)) {
      key = `_s${aliases}`
      aliases += 1
    }
    field.key = key
    if (field.client && key !== field.preferred) aliasOf.set(key, field.preferred)
    meanings.set(key, meaning)
    known.add(key)
    const others = holders.get(key)
    if (others === undefined) holders.set(key, [field])
    else others.push(field)
  }
  for (const children of byKey(fields).values())
    assignResponseKeys(
      graph,
      children.flatMap((field) => field.child ?? []),
      budget,
    )
}

/** Nothing else that is wanted of the same object under the same key can take it away by failing. */
function staysWhole(
  graph: Graph,
  { child, on }: DocumentField,
  others: readonly DocumentField[],
  budget: Budget,
): boolean {
  if (child === null) return true
  budget.step(others.length / 16)
  return others.every(
    (other) =>
      other.child === null ||
      ![...on].some((type) => other.on.has(type)) ||
      keepsNullsApart(graph, other.child.fields, child.fields, budget),
  )
}

function byKey(fields: readonly DocumentField[]): ReadonlyMap<string, readonly DocumentField[]> {
  const groups = new Map<string, DocumentField[]>()
  for (const field of fields) {
    if (field.child === null) continue
    const group = groups.get(field.key)
    if (group === undefined) groups.set(field.key, [field])
    else group.push(field)
  }
  return groups
}

/** Two fields may share a key only if these are equal: wrappers, and the leaf's type. */
export function mergeableShape(graph: Graph, type: TypeRef): string {
  const end = type.nonNull ? '!' : ''
  if (type.kind === 'list') return `[${mergeableShape(graph, type.item)}]${end}`
  return (isComposite(graph, type.type) ? '{}' : String(type.type)) + end
}

/** Absent from data, these would be found on the prototype; `__typename` is ours. */
function isDangerous(key: string): boolean {
  return key in Object.prototype || key === 'toJSON' || key === '__typename'
}

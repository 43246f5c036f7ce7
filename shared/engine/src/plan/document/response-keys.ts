/**
 * Gives out response keys within one subgraph document, so that no key has two meanings there
 * (https://spec.graphql.org/draft/#sec-Field-Selection-Merging, stricter: also between types that cannot
 * overlap).
 *
 * The client's keys come first. A field whose key is taken is asked for under an internal alias, `_s0`, `_s1`
 * and so on. So is an object that is an input of another request, if a non-null field that only others want
 * of the object could null it by failing.
 */
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import { type Graph, isComposite } from '../../graph/graph.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { DocumentField, DocumentSelection } from './document.ts'
import { keepsNullsApart } from './null-isolation.ts'

/** Gives out the keys of selections that share one place in the response, and of everything below them. */
export function assignResponseKeys(
  graph: Graph,
  selections: readonly DocumentSelection[],
  budget: Budget,
): void {
  const fields = selections.flatMap((selection) => selection.fields)
  budget.step(fields.length / 2)
  const keys = new ResponseKeys(graph, new Set(fields.map((field) => field.preferred)), budget)
  for (const field of fields) if (field.client) keys.assign(field)
  for (const field of fields) if (!field.client) keys.assign(field)
  for (const children of byKey(fields).values())
    assignResponseKeys(
      graph,
      children.flatMap((field) => field.child ?? []),
      budget,
    )
}

/** The keys of the fields at one place in the response. */
class ResponseKeys {
  readonly #graph: Graph
  readonly #clientKeys: ReadonlySet<string>
  readonly #budget: Budget
  readonly #meanings = new Map<string, string>()
  readonly #keysByMeaning = new Map<string, Set<string>>()
  readonly #fieldsByKey = new Map<string, DocumentField[]>()
  /**
   * The client's key behind an internal alias: two keys of a mutation are two calls, whatever else they
   * share.
   */
  readonly #clientKeyOfAlias = new Map<string, string>()
  #aliases = 0

  constructor(graph: Graph, clientKeys: ReadonlySet<string>, budget: Budget) {
    this.#graph = graph
    this.#clientKeys = clientKeys
    this.#budget = budget
  }

  assign(field: DocumentField): void {
    const meaning = `${field.name}${field.args}|${mergeableShape(this.#graph, field.type)}`
    const known = this.#keysByMeaning.get(meaning) ?? new Set()
    this.#keysByMeaning.set(meaning, known)
    const shared = field.client ? undefined : [...known].find((key) => this.#staysWhole(field, key))
    let key = shared ?? field.preferred
    while (!this.#isFree(field, key, meaning, known)) {
      key = `_s${this.#aliases}`
      this.#aliases += 1
    }
    field.key = key
    if (field.client && key !== field.preferred) this.#clientKeyOfAlias.set(key, field.preferred)
    this.#meanings.set(key, meaning)
    known.add(key)
    const holders = this.#fieldsByKey.get(key)
    if (holders === undefined) this.#fieldsByKey.set(key, [field])
    else holders.push(field)
  }

  /** `known`: the keys that fields of this meaning have already. */
  #isFree(field: DocumentField, key: string, meaning: string, known: ReadonlySet<string>): boolean {
    const other = this.#meanings.get(key)
    if (isDangerous(key) || (other !== undefined && other !== meaning)) return false
    if (key !== field.preferred && this.#belongsToClient(field, key, known)) return false
    return this.#staysWhole(field, key)
  }

  /**
   * Whether the key, which is not the one that the field prefers, is kept for another field of the client.
   */
  #belongsToClient(field: DocumentField, key: string, known: ReadonlySet<string>): boolean {
    if (!field.client) return this.#clientKeys.has(key) && !known.has(key)
    return (
      this.#clientKeys.has(key) || (this.#clientKeyOfAlias.get(key) ?? field.preferred) !== field.preferred
    )
  }

  /**
   * Whether nothing else that is wanted of the same object under the key can null the object by failing. The
   * client's own fields may.
   */
  #staysWhole({ client, child, on }: DocumentField, key: string): boolean {
    if (client || child === null) return true
    const others = this.#fieldsByKey.get(key) ?? []
    this.#budget.step(others.length / 16)
    return others.every(
      (other) =>
        other.child === null ||
        ![...on].some((type) => other.on.has(type)) ||
        keepsNullsApart(this.#graph, other.child.fields, child.fields, this.#budget),
    )
  }
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

/** A text for the list and non-null wrappers and the leaf type: fields of one key must have equal ones. */
export function mergeableShape(graph: Graph, type: TypeRef): string {
  const end = type.nonNull ? '!' : ''
  if (type.kind === 'list') return `[${mergeableShape(graph, type.item)}]${end}`
  return (isComposite(graph, type.type) ? '{}' : String(type.type)) + end
}

/** Whether a lookup of the key would find a member of the prototype, or the `__typename` that plans add. */
function isDangerous(key: string): boolean {
  return key in Object.prototype || key === 'toJSON' || key === '__typename'
}

/**
 * Puts calls of one subgraph that can be made at the same time into one request.
 *
 * Calls that ask for the same share one `_entities` field and their representations, too.
 */
import type { Graph } from '../../graph/graph.ts'
import { printTypeRef, typeOf } from '../../graph/graph.ts'
import type { Budget } from '../../work/planning-budget.ts'
import { dependenciesOf } from './dependencies.ts'
import type { DocumentField, DocumentSelection } from '../document/document.ts'
import type { DraftRepresentation, DraftProvider, DraftCall } from './draft.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { PlanPreference } from '../contract/plan.ts'
import { casesText, sameRepresentations } from './representation-structure.ts'
import { scheduleCalls } from './schedule-calls.ts'
import { mayShareRequest } from '../document/null-isolation.ts'

/** Calls that become one fetch. Calls of one part share an `_entities` field and its representations. */
export type DraftFetch = { readonly level: number; readonly parts: readonly (readonly DraftCall[])[] }

/** Most different calls that a call is compared with. */
const MAX_COMPARED = 24

/** Most leaves that may be fetched in vain so that two calls share a part. */
const MAX_EXTRA_LEAVES = 8

/** The fields that a call sends and selects. Calls that are equal in both are compared with others once. */
type CallContent = {
  readonly cases: readonly DraftRepresentation[]
  readonly sends: SentTypes
  readonly byType: ReadonlyMap<TypeId, Fields>
}
/** Fields by a text that tells what they mean and select. */
type Fields = ReadonlyMap<string, DocumentField>
/** The types that answers may have; `any` where a call names an interface in its representations. */
type SentTypes = { readonly types: ReadonlySet<TypeId>; readonly any: boolean }

const NO_FIELDS: Fields = new Map()
/** A fetch that calls may still join. */
type OpenFetch = { readonly level: number; readonly parts: OpenPart[] }
/** Calls that share an `_entities` field so far, and the different contents that they ask for, each once. */
type OpenPart = { readonly calls: DraftCall[]; readonly kinds: Map<string, CallContent> }

/** Fetches in the order in which they can be made. */
export function batchCalls(
  graph: Graph,
  calls: readonly DraftCall[],
  providerOf: (call: DraftCall) => DraftProvider,
  isObject: (type: TypeId) => boolean,
  prefer: PlanPreference,
  budget: Budget,
): readonly DraftFetch[] {
  const levels = scheduleCalls(dependenciesOf(calls, isObject, budget), prefer, budget)
  const reader = new DocumentReader(graph, budget)
  const open = new Map<string, OpenFetch[]>()
  for (const call of calls) {
    const level = levels.get(call) ?? 0
    const key = `${level}|${call.barrier}|${call.group}|${call.subgraph}|${call.kind}`
    const known = open.get(key) ?? []
    open.set(key, known)
    let fetch = call.kind === 'root' ? known.find(mayShareRoot(graph, call, providerOf, budget)) : known[0]
    if (fetch === undefined) {
      fetch = { level, parts: [] }
      known.push(fetch)
    }
    if (call.kind === 'root') fetch.parts.push({ calls: [call], kinds: new Map() })
    else addEntityCall(fetch, call, contentOf(graph, call, providerOf(call), reader), budget)
  }
  return [...open.values()]
    .flat()
    .map(({ level, parts }) => ({ level, parts: parts.map((part) => part.calls) }))
    .sort((a, b) => a.level - b.level || subgraphOf(a) - subgraphOf(b))
}

/** Adds the call to a part of the fetch whose calls ask for the same, or makes a part for it. */
function addEntityCall(fetch: OpenFetch, call: DraftCall, content: CallContent, budget: Budget): void {
  const kind = kindOf(content)
  const part = fetch.parts.slice(-MAX_COMPARED).find((other) => mayJoin(other, kind, content, budget))
  if (part === undefined) fetch.parts.push({ calls: [call], kinds: new Map([[kind, content]]) })
  else {
    part.calls.push(call)
    part.kinds.set(kind, content)
  }
}

function contentOf(
  graph: Graph,
  { cases }: DraftCall,
  { document }: DraftProvider,
  reader: DocumentReader,
): CallContent {
  return { cases, sends: sentTypes(graph, cases), byType: reader.fieldsByType(document) }
}

/**
 * Whether a root call may join a fetch. Calls at one position always do: the fields of a mutation, for
 * example.
 */
function mayShareRoot(
  graph: Graph,
  call: DraftCall,
  providerOf: (call: DraftCall) => DraftProvider,
  budget: Budget,
) {
  return ({ parts }: OpenFetch): boolean =>
    parts.every(({ calls }) =>
      calls.every(
        (other) =>
          other.position === call.position ||
          mayShareRequest(graph, providerOf(other).document, providerOf(call).document, budget),
      ),
    )
}

function subgraphOf(fetch: DraftFetch): number {
  return fetch.parts[0]?.[0]?.subgraph ?? 0
}

/** A text that is equal for calls that send and select the same. */
function kindOf({ cases, byType }: CallContent): string {
  const texts = [...byType].map(([type, fields]) => `${type}:${[...fields.keys()].sort().join(',')}`)
  return `${casesText(cases)}||${texts.sort().join(';')}`
}

/** Whether a call may share the `_entities` field of a part with its calls. */
function mayJoin(part: OpenPart, kind: string, content: CallContent, budget: Budget): boolean {
  if (part.kinds.has(kind) && sameRepresentations(content.cases, content.cases)) return true
  if (part.kinds.size > MAX_COMPARED) return false
  for (const other of part.kinds.values()) {
    budget.step((other.cases.length + content.cases.length) / 8)
    if (!sameRepresentations(other.cases, content.cases) || !similar(other, content, budget)) return false
  }
  return true
}

/**
 * Whether two calls select the same of each type, but for a few extra leaves without arguments on one side.
 * The extra leaves must be nullable: a non-null field that fails would null the whole entity at a place that
 * never asked for it.
 */
function similar(a: CallContent, b: CallContent, budget: Budget): boolean {
  for (const type of new Set([...a.byType.keys(), ...b.byType.keys()])) {
    const first = fieldsOf(a, type)
    const second = fieldsOf(b, type)
    if (first === null || second === null) continue
    budget.step((first.size + second.size) / 16)
    const onlyFirst = missingIn(second, first)
    const onlySecond = missingIn(first, second)
    if (onlyFirst.length > 0 && onlySecond.length > 0) return false
    const extra = [...onlyFirst, ...onlySecond]
    if (extra.length > MAX_EXTRA_LEAVES || !extra.every(isSpareLeaf)) return false
  }
  return true
}

/** The fields that are selected of a type; null where no answer can be of the type. */
function fieldsOf({ byType, sends }: CallContent, type: TypeId): Fields | null {
  return byType.get(type) ?? (sends.any || sends.types.has(type) ? NO_FIELDS : null)
}

function sentTypes(graph: Graph, cases: readonly DraftRepresentation[]): SentTypes {
  const types = new Set<TypeId>()
  let any = false
  for (const item of cases)
    for (const type of item.types) {
      if (typeOf(graph, type).name === item.typename) types.add(type)
      else any = true
    }
  return { types, any }
}

function missingIn(fields: Fields, wanted: Fields): readonly DocumentField[] {
  return [...wanted].flatMap(([text, field]) => (fields.has(text) ? [] : [field]))
}

function isSpareLeaf(field: DocumentField): boolean {
  return field.child === null && field.args === '' && !field.nonNull
}

/** Reads what documents select, each field once. */
class DocumentReader {
  readonly #graph: Graph
  readonly #budget: Budget
  readonly #texts = new Map<DocumentField, string>()

  constructor(graph: Graph, budget: Budget) {
    this.#graph = graph
    this.#budget = budget
  }

  fieldsByType(selection: DocumentSelection): ReadonlyMap<TypeId, Fields> {
    const result = new Map<TypeId, Map<string, DocumentField>>()
    for (const field of selection.fields) {
      const text = this.#textOf(field)
      this.#budget.step(field.on.size / 8)
      for (const type of field.on) {
        const fields = result.get(type)
        if (fields === undefined) result.set(type, new Map([[text, field]]))
        else fields.set(text, field)
      }
    }
    return result
  }

  #textOf(field: DocumentField): string {
    const known = this.#texts.get(field)
    if (known !== undefined) return known
    this.#budget.step(1 + (field.child === null ? 0 : field.on.size / 16))
    let text = `${field.preferred}:${field.name}${field.args}:${printTypeRef(this.#graph, field.type)}`
    if (field.child !== null) {
      const below = field.child.fields
        .map((child) => `${[...child.on].sort((a, b) => a - b).join('.')}:${this.#textOf(child)}`)
        .sort()
      text += `{${field.child.typename ? '__typename ' : ''}${below.join(' ')}}`
    }
    this.#texts.set(field, text)
    return text
  }
}

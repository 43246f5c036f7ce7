/**
 * Writes the finished draft down as the plan: numbers for positions, slots and fetches, and texts for
 * documents.
 */
import type { Sel, TypeRef } from '../../graph/compiled-graph.ts'
import { fieldOf, type Graph, isCustomScalar, namedType, typeOf } from '../../graph/graph.ts'
import type { NormalisedOperation } from '../../operation/normalised.ts'
import { dependenciesOf, isGuarded } from './dependencies.ts'
import {
  type DraftCase,
  type DraftPosition,
  type DraftRepField,
  knownObjectType,
  liveSlot,
  type Slot,
  type DraftCall,
  callFor,
  typenameSlots,
} from './draft.ts'
import type { DocSelection } from '../document/document.ts'
import type { Request } from './batch-calls.ts'
import type { Budget } from '../../budget.ts'
import {
  fetchId,
  type FetchId,
  NO_POSITION,
  positionId,
  type PositionId,
  type SubgraphId,
  type TypeId,
} from '../../ids.ts'
import type {
  Fetch,
  FetchPart,
  Position,
  Provider,
  RepresentationCase,
  RepresentationField,
  Source,
} from '../plan.ts'
import { printSelections } from '../document/print-selection.ts'
import { assignResponseKeys } from '../document/response-keys.ts'
import { SelectionTexts } from '../document/selection-texts.ts'

/** The numbers that the parts of a draft have in its plan. */
export type Numbering = {
  /** All positions, in the order of their ids. */
  readonly positions: readonly DraftPosition[]
  readonly positionIds: ReadonlyMap<DraftPosition, PositionId>
  /** The slots that are left after merging, in order. */
  readonly slots: ReadonlyMap<DraftPosition, readonly Slot[]>
  /** Their places in these lists. */
  readonly slotIndex: ReadonlyMap<Slot, number>
  readonly fetchOf: ReadonlyMap<DraftCall, { readonly fetch: FetchId; readonly part: number }>
  readonly slotOf: (call: DraftCall) => Slot
  readonly isObject: (type: TypeId) => boolean
  readonly isId: (type: TypeRef) => boolean
}

/** Numbers positions from the root down, slots within their position, and requests in their order. */
export function numberDraft(
  graph: Graph,
  root: DraftPosition,
  requests: readonly Request[],
  slotOf: (call: DraftCall) => Slot,
): Numbering {
  const positions: DraftPosition[] = []
  const visit = (position: DraftPosition): void => {
    positions.push(position)
    for (const child of position.children) visit(child)
  }
  visit(root)
  const fetchOf = new Map<DraftCall, { fetch: FetchId; part: number }>()
  for (const [fetch, { parts }] of requests.entries())
    for (const [part, calls] of parts.entries())
      for (const call of calls) fetchOf.set(call, { fetch: fetchId(fetch), part })
  const slots = new Map(
    positions.map((position) => [position, position.slots.filter((slot) => slot.mergedInto === null)]),
  )
  return {
    positions,
    positionIds: new Map(positions.map((position, id) => [position, positionId(id)])),
    slots,
    slotIndex: new Map(
      [...slots.values()].flatMap((list) => list.map((slot, index) => [slot, index] as const)),
    ),
    fetchOf,
    slotOf,
    isObject: (type) => typeOf(graph, type).kind === 'object',
    isId: (type) => typeOf(graph, namedType(type)).name === 'ID',
  }
}

/** Throws a RangeError if the position is not part of the draft. */
export function positionIdOf(numbering: Numbering, position: DraftPosition): PositionId {
  return numberOf(numbering.positionIds, position, 'A position')
}

/** Throws a RangeError if the slot is not part of the draft. */
export function slotIndexOf(numbering: Numbering, slot: Slot): number {
  return numberOf(numbering.slotIndex, liveSlot(slot), 'A slot')
}

/** The fetch that gives the objects of a slot. */
export function fetchIdOf(numbering: Numbering, slot: Slot): FetchId {
  return numberOf(numbering.fetchOf, callFor(slot), 'A call').fetch
}

/**
 * A part of the draft without a number is a mistake of the planner: better no plan than one that points
 * nowhere.
 */
function numberOf<Part, Numbered>(numbers: ReadonlyMap<Part, Numbered>, part: Part, what: string): Numbered {
  const found = numbers.get(part)
  if (found === undefined) throw new RangeError(`${what} of the plan has lost its number.`)
  return found
}

/** Positions in the order of their ids. */
export function emitPositions(graph: Graph, numbering: Numbering): readonly Position[] {
  return numbering.positions.map((position) => ({
    id: positionIdOf(numbering, position),
    parent: position.parent === null ? NO_POSITION : positionIdOf(numbering, position.parent),
    responseKey: position.responseKey,
    guard: isGuarded(position, numbering.isObject) ? ascending(position.guard) : null,
    type: position.selection.type,
    objectType: knownObjectType(position, numbering.isObject),
    typename: typenameSlots(position, numbering.isObject).map(
      (slot): Source => ({ slot: slotIndexOf(numbering, slot), key: '__typename' }),
    ),
    providers: (numbering.slots.get(position) ?? []).map((slot) => emitProvider(numbering, slot)),
  }))
}

function emitProvider(numbering: Numbering, slot: Slot): Provider {
  const { source } = slot
  if (source.kind === 'inline')
    return { kind: 'inline', slot: slotIndexOf(numbering, source.parent), key: source.field.key }
  const { fetch, part } = numberOf(numbering.fetchOf, source.call, 'A call')
  return source.call.kind === 'root' ? { kind: 'root', fetch } : { kind: 'entity', fetch, part }
}

/** Must run before anything reads a response key. */
export function settleDocuments(
  graph: Graph,
  numbering: Numbering,
  requests: readonly Request[],
  budget: Budget,
): void {
  for (const position of numbering.positions)
    for (const slot of typenameSlots(position, numbering.isObject)) slot.doc.typename = true
  for (const { parts } of requests) {
    const isRoot = parts[0]?.[0]?.kind === 'root'
    const documents = parts.map((calls) => calls.map((call) => numbering.slotOf(call).doc))
    for (const selections of isRoot ? [documents.flat()] : documents)
      assignResponseKeys(graph, selections, budget)
  }
}

/** Fetches in the order of their ids. Response keys must have been given out. */
export function emitFetches(
  graph: Graph,
  operation: NormalisedOperation,
  numbering: Numbering,
  requests: readonly Request[],
  budget: Budget,
): readonly Fetch[] {
  const calls = requests.flatMap(({ parts }) => parts.flat())
  const dependencies = dependenciesOf(calls, numbering.isObject, budget)
  return requests.map(({ parts }, index): Fetch => {
    const own = parts.flat()
    const [first] = own
    if (first === undefined) throw new RangeError('A request of the plan has no calls.')
    const after = new Set<FetchId>()
    for (const call of own)
      for (const other of dependencies.get(call) ?? [])
        after.add(numberOf(numbering.fetchOf, other, 'A call').fetch)
    const isRoot = first.kind === 'root'
    const variables = new Set<string>()
    const selections = new SelectionTexts()
    // Root fields of all parts stand in one document; entities are asked for part by part.
    const texts = (isRoot ? [own] : parts).map((part) =>
      printSelections(
        graph,
        part.map((call) => numbering.slotOf(call).doc),
        variables,
        selections,
        budget,
      ),
    )
    const nameOf = (part: number) => representationName(part, operation.variableDefinitions)
    const kind = isRoot && own.some((call) => call.position.parent === null) ? operation.kind : 'query'
    return {
      id: fetchId(index),
      subgraph: first.sub,
      group: first.group,
      operation: kind,
      after: ascending(after),
      parts: isRoot
        ? own.map((call) => emitRootPart(numbering, call))
        : parts.map((part, index) =>
            emitEntityPart(graph, numbering, part, aliasOf(index, parts.length), nameOf(index)),
          ),
      document: selections.write(
        isRoot
          ? printRootDocument(operation, kind, texts.join(''), variables)
          : printEntityDocument(operation, texts, nameOf, variables),
      ),
      operationName: null,
      exactNumbers: own.some((call) => selectsCustomScalar(graph, numbering.slotOf(call).doc)),
      variables: [...variables],
      reason: isRoot ? 'root fields' : [...new Set(own.flatMap((call) => [...call.reasons]))].join(', '),
    }
  })
}

function selectsCustomScalar(graph: Graph, { fields }: DocSelection): boolean {
  return fields.some(({ type, child }) =>
    child === null ? isCustomScalar(graph, namedType(type)) : selectsCustomScalar(graph, child),
  )
}

function representationName(part: number, taken: ReadonlyMap<string, string>): string {
  let name = `r${part}`
  while (taken.has(name)) name = `_${name}`
  return name
}

function aliasOf(part: number, count: number): string {
  return count === 1 ? '_entities' : `_e${part}`
}

function emitRootPart(numbering: Numbering, call: DraftCall): FetchPart {
  const slot = numbering.slotOf(call)
  return {
    kind: 'root',
    at: positionIdOf(numbering, slot.position),
    slot: slotIndexOf(numbering, slot),
  }
}

function emitEntityPart(
  graph: Graph,
  numbering: Numbering,
  calls: readonly DraftCall[],
  alias: string,
  variable: string,
): FetchPart {
  return {
    kind: 'entities',
    alias,
    variable,
    inputs: calls.map((call) => {
      const slot = numbering.slotOf(call)
      return {
        at: positionIdOf(numbering, slot.position),
        slot: slotIndexOf(numbering, slot),
        cases: emitCases(numbering, call.cases, slot.position.selection.type, inputsOfAll(graph, slot)),
      }
    }),
  }
}

function emitCases(
  numbering: Numbering,
  cases: readonly DraftCase[],
  declared: TypeId,
  needed: ReadonlySet<string> | 'every' | null,
): readonly RepresentationCase[] {
  return cases.map((item) => ({
    types: ascending(item.anyType ? new Set([...item.types, declared]) : item.types),
    typename: item.typename,
    fields: item.fields.map((field) =>
      emitRepField(numbering, field, needed === 'every' || needed?.has(field.name) === true),
    ),
  }))
}

/** What every field of a call requires: without it there is nothing to ask. */
function inputsOfAll(graph: Graph, { doc, discovers }: Slot): ReadonlySet<string> | null {
  if (discovers) return null
  const [first, ...others] = doc.fields.flatMap(({ name, on }) =>
    [...on].map((type) => inputsOf(graph, type, doc.sub, name)),
  )
  return new Set([...(first ?? [])].filter((name) => others.every((inputs) => inputs.has(name))))
}

function inputsOf(graph: Graph, type: TypeId, sub: SubgraphId, name: string): ReadonlySet<string> {
  const edge = fieldOf(graph, type, name)?.edges.find((some) => some.sub === sub)
  const names = (sel: Sel): readonly string[] =>
    sel.flatMap((item) => (item.kind === 'field' ? [item.name] : names(item.sub)))
  return new Set(names(edge?.requires?.sel ?? []))
}

function emitRepField(numbering: Numbering, field: DraftRepField, isInput: boolean): RepresentationField {
  const needed = isInput && field.nonNull && !field.key ? { isNeeded: true as const } : {}
  if (field.kind === 'leaf') {
    const source = { slot: slotIndexOf(numbering, field.slot), key: field.field.key }
    const id = numbering.isId(field.field.type) ? { isId: true as const } : {}
    return { kind: 'leaf', name: field.name, source, ...id, key: field.key, ...needed }
  }
  return {
    kind: 'object',
    name: field.name,
    position: positionIdOf(numbering, field.position),
    key: field.key,
    ...needed,
    cases: emitCases(numbering, field.cases, field.position.selection.type, isInput ? 'every' : null),
    withTypename: field.withTypename,
  }
}

function printRootDocument(
  operation: NormalisedOperation,
  kind: 'query' | 'mutation',
  selection: string,
  variables: ReadonlySet<string>,
): string {
  const definitions = variableText(operation, variables)
  if (kind === 'query' && definitions.length === 0) return selection
  return `${kind}${definitions.length === 0 ? '' : `(${definitions.join(',')})`}${selection}`
}

function printEntityDocument(
  operation: NormalisedOperation,
  selections: readonly string[],
  nameOf: (part: number) => string,
  variables: ReadonlySet<string>,
): string {
  const definitions = [
    ...selections.map((_, part) => `$${nameOf(part)}:[_Any!]!`),
    ...variableText(operation, variables),
  ]
  const fields = selections.map((selection, part) => {
    const alias = selections.length === 1 ? '' : `${aliasOf(part, selections.length)}:`
    return `${alias}_entities(representations:$${nameOf(part)})${selection}`
  })
  return `query(${definitions.join(',')}){${fields.join(' ')}}`
}

function variableText(operation: NormalisedOperation, variables: ReadonlySet<string>): readonly string[] {
  return [...variables].flatMap((name) => operation.variableDefinitions.get(name) ?? [])
}

function ascending<Id extends number>(ids: Iterable<Id>): readonly Id[] {
  return [...ids].sort((a, b) => a - b)
}

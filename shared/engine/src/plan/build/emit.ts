/**
 * Writes the finished draft down as the plan: numbers for positions, providers and fetches, and texts for
 * documents.
 */
import type { FieldSet, TypeRef } from '../../graph/compiled-graph.ts'
import { fieldOf, type Graph, isCustomScalar, namedType, typeOf } from '../../graph/graph.ts'
import type { NormalisedOperation } from '../../operation/normalised.ts'
import { dependenciesOf, isGuarded } from './dependencies.ts'
import {
  type DraftRepresentation,
  type DraftPosition,
  type DraftRepresentationField,
  knownObjectType,
  liveProvider,
  type DraftProvider,
  type DraftCall,
  callFor,
  typenameProviders,
} from './draft.ts'
import type { DocumentSelection } from '../document/document.ts'
import type { DraftFetch } from './batch-calls.ts'
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
export type DraftNumbers = {
  /** All positions, in the order of their ids. */
  readonly positions: readonly DraftPosition[]
  readonly positionIds: ReadonlyMap<DraftPosition, PositionId>
  /** The providers that are left after merging, in order. */
  readonly providers: ReadonlyMap<DraftPosition, readonly DraftProvider[]>
  /** Their places in these lists. */
  readonly slots: ReadonlyMap<DraftProvider, number>
  readonly fetchOf: ReadonlyMap<DraftCall, { readonly fetch: FetchId; readonly part: number }>
  readonly slotOf: (call: DraftCall) => DraftProvider
  readonly isObject: (type: TypeId) => boolean
  readonly isId: (type: TypeRef) => boolean
}

/** Numbers positions from the root down, providers within their position, and requests in their order. */
export function numberDraft(
  graph: Graph,
  root: DraftPosition,
  fetches: readonly DraftFetch[],
  providerOf: (call: DraftCall) => DraftProvider,
): DraftNumbers {
  const positions: DraftPosition[] = []
  const visit = (position: DraftPosition): void => {
    positions.push(position)
    for (const child of position.children) visit(child)
  }
  visit(root)
  const fetchOf = new Map<DraftCall, { fetch: FetchId; part: number }>()
  for (const [fetch, { parts }] of fetches.entries())
    for (const [part, calls] of parts.entries())
      for (const call of calls) fetchOf.set(call, { fetch: fetchId(fetch), part })
  const providers = new Map(
    positions.map((position) => [
      position,
      position.providers.filter((provider) => provider.mergedInto === null),
    ]),
  )
  return {
    positions,
    positionIds: new Map(positions.map((position, id) => [position, positionId(id)])),
    providers,
    slots: new Map(
      [...providers.values()].flatMap((list) => list.map((provider, index) => [provider, index] as const)),
    ),
    fetchOf,
    slotOf: providerOf,
    isObject: (type) => typeOf(graph, type).kind === 'object',
    isId: (type) => typeOf(graph, namedType(type)).name === 'ID',
  }
}

/** Throws a RangeError if the position is not part of the draft. */
export function positionIdOf(numbers: DraftNumbers, position: DraftPosition): PositionId {
  return numberOf(numbers.positionIds, position, 'A position')
}

/** Throws a RangeError if the provider is not part of the draft. */
export function slotOf(numbers: DraftNumbers, provider: DraftProvider): number {
  return numberOf(numbers.slots, liveProvider(provider), 'A provider')
}

/** The fetch that gives the objects of a provider. */
export function fetchIdOf(numbers: DraftNumbers, provider: DraftProvider): FetchId {
  return numberOf(numbers.fetchOf, callFor(provider), 'A call').fetch
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
export function emitPositions(graph: Graph, numbers: DraftNumbers): readonly Position[] {
  return numbers.positions.map((position) => ({
    id: positionIdOf(numbers, position),
    parent: position.parent === null ? NO_POSITION : positionIdOf(numbers, position.parent),
    responseKey: position.responseKey,
    guard: isGuarded(position, numbers.isObject) ? ascending(position.guard) : null,
    type: position.selection.type,
    objectType: knownObjectType(position, numbers.isObject),
    typename: typenameProviders(position, numbers.isObject).map(
      (provider): Source => ({ slot: slotOf(numbers, provider), key: '__typename' }),
    ),
    providers: (numbers.providers.get(position) ?? []).map((provider) => emitProvider(numbers, provider)),
  }))
}

function emitProvider(numbers: DraftNumbers, provider: DraftProvider): Provider {
  const { source } = provider
  if (source.kind === 'inline')
    return { kind: 'inline', slot: slotOf(numbers, source.parent), key: source.field.key }
  const { fetch, part } = numberOf(numbers.fetchOf, source.call, 'A call')
  return source.call.kind === 'root' ? { kind: 'root', fetch } : { kind: 'entity', fetch, part }
}

/** Must run before anything reads a response key. */
export function settleDocuments(
  graph: Graph,
  numbers: DraftNumbers,
  fetches: readonly DraftFetch[],
  budget: Budget,
): void {
  for (const position of numbers.positions)
    for (const provider of typenameProviders(position, numbers.isObject)) provider.document.typename = true
  for (const { parts } of fetches) {
    const isRoot = parts[0]?.[0]?.kind === 'root'
    const documents = parts.map((calls) => calls.map((call) => numbers.slotOf(call).document))
    for (const selections of isRoot ? [documents.flat()] : documents)
      assignResponseKeys(graph, selections, budget)
  }
}

/** Fetches in the order of their ids. Response keys must have been given out. */
export function emitFetches(
  graph: Graph,
  operation: NormalisedOperation,
  numbers: DraftNumbers,
  fetches: readonly DraftFetch[],
  budget: Budget,
): readonly Fetch[] {
  const calls = fetches.flatMap(({ parts }) => parts.flat())
  const dependencies = dependenciesOf(calls, numbers.isObject, budget)
  return fetches.map(({ parts }, index): Fetch => {
    const own = parts.flat()
    const [first] = own
    if (first === undefined) throw new RangeError('A request of the plan has no calls.')
    const after = new Set<FetchId>()
    for (const call of own)
      for (const other of dependencies.get(call) ?? [])
        after.add(numberOf(numbers.fetchOf, other, 'A call').fetch)
    const isRoot = first.kind === 'root'
    const variables = new Set<string>()
    const selections = new SelectionTexts()
    // Root fields of all parts stand in one document; entities are asked for part by part.
    const texts = (isRoot ? [own] : parts).map((part) =>
      printSelections(
        graph,
        part.map((call) => numbers.slotOf(call).document),
        variables,
        selections,
        budget,
      ),
    )
    const nameOf = (part: number) => representationName(part, operation.variableDefinitions)
    const kind = isRoot && own.some((call) => call.position.parent === null) ? operation.kind : 'query'
    return {
      id: fetchId(index),
      subgraph: first.subgraph,
      group: first.group,
      operation: kind,
      after: ascending(after),
      parts: isRoot
        ? own.map((call) => emitRootPart(numbers, call))
        : parts.map((part, index) =>
            emitEntityPart(graph, numbers, part, aliasOf(index, parts.length), nameOf(index)),
          ),
      document: selections.write(
        isRoot
          ? printRootDocument(operation, kind, texts.join(''), variables)
          : printEntityDocument(operation, texts, nameOf, variables),
      ),
      operationName: null,
      exactNumbers: own.some((call) => selectsCustomScalar(graph, numbers.slotOf(call).document)),
      variables: [...variables],
      reason: isRoot ? 'root fields' : [...new Set(own.flatMap((call) => [...call.reasons]))].join(', '),
    }
  })
}

function selectsCustomScalar(graph: Graph, { fields }: DocumentSelection): boolean {
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

function emitRootPart(numbers: DraftNumbers, call: DraftCall): FetchPart {
  const provider = numbers.slotOf(call)
  return {
    kind: 'root',
    at: positionIdOf(numbers, provider.position),
    slot: slotOf(numbers, provider),
  }
}

function emitEntityPart(
  graph: Graph,
  numbers: DraftNumbers,
  calls: readonly DraftCall[],
  alias: string,
  variable: string,
): FetchPart {
  return {
    kind: 'entities',
    alias,
    variable,
    inputs: calls.map((call) => {
      const provider = numbers.slotOf(call)
      return {
        at: positionIdOf(numbers, provider.position),
        slot: slotOf(numbers, provider),
        cases: emitCases(numbers, call.cases, provider.position.selection.type, inputsOfAll(graph, provider)),
      }
    }),
  }
}

function emitCases(
  numbers: DraftNumbers,
  cases: readonly DraftRepresentation[],
  declared: TypeId,
  needed: ReadonlySet<string> | 'every' | null,
): readonly RepresentationCase[] {
  return cases.map((item) => ({
    types: ascending(item.anyType ? new Set([...item.types, declared]) : item.types),
    typename: item.typename,
    fields: item.fields.map((field) =>
      emitRepField(numbers, field, needed === 'every' || needed?.has(field.name) === true),
    ),
  }))
}

/** What every field of a call requires: without it there is nothing to ask. */
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

function emitRepField(
  numbers: DraftNumbers,
  field: DraftRepresentationField,
  isInput: boolean,
): RepresentationField {
  const needed = isInput && field.nonNull && !field.key ? { isNeeded: true as const } : {}
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
    cases: emitCases(numbers, field.cases, field.position.selection.type, isInput ? 'every' : null),
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

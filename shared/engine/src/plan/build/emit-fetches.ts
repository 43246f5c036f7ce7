/** Writes the fetches of a plan: their documents, what they wait for, and what they are made for. */
import type { OperationKind } from '../../operation/operation-kind.ts'
import { type Graph, isCustomScalar } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import type { NormalisedOperation } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import { fetchId, type FetchId } from '../../ids/ids.ts'
import type { Fetch, FetchPart } from '../contract/plan.ts'
import type { DocumentSelection } from '../document/document.ts'
import { printSelections } from '../document/print-selection.ts'
import { assignResponseKeys } from '../document/response-keys.ts'
import { SelectionTexts } from '../document/selection-texts.ts'
import type { DraftFetch } from './batch-calls.ts'
import { dependenciesOf } from './dependencies.ts'
import { type DraftCall, typenameProviders } from './draft.ts'
import { ascending, type DraftNumbers, numberOf, positionIdOf, slotOf } from './draft-numbers.ts'
import { emitRepresentationInput } from './emit-representations.ts'

/** Gives out the response keys of all documents. Must run before anything reads a response key. */
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
    const documents = parts.map((calls) => calls.map((call) => numbers.providerOf(call).document))
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
  return fetches.map((fetch, index): Fetch => {
    const own = fetch.parts.flat()
    const [first] = own
    if (first === undefined) throw new RangeError('A request of the plan has no calls.')
    const after = new Set<FetchId>()
    for (const call of own)
      for (const other of dependencies.get(call) ?? [])
        after.add(numberOf(numbers.fetchOf, other, 'A call').fetch)
    const isRoot = first.kind === 'root'
    return {
      id: fetchId(index),
      subgraph: first.subgraph,
      group: first.group,
      operation: kindOf(operation, own),
      after: ascending(after),
      parts: isRoot
        ? own.map((call) => emitRootPart(numbers, call))
        : fetch.parts.map((part, at): FetchPart => {
            const inputs = part.map((call) => emitRepresentationInput(graph, numbers, call))
            const variable = representationsVariable(operation, at)
            return { kind: 'entities', alias: aliasOf(at, fetch.parts.length), variable, inputs }
          }),
      ...emitDocument(graph, operation, numbers, fetch, budget),
      operationName: null,
      exactNumbers: own.some((call) => selectsCustomScalar(graph, numbers.providerOf(call).document)),
      reason: [
        ...new Set([...(isRoot ? ['root fields'] : []), ...own.flatMap((call) => [...call.reasons])]),
      ].join(', '),
    }
  })
}

/**
 * Only calls at the root of a mutation are mutations, and likewise of a subscription: the query root may be
 * entered again further down.
 */
function kindOf({ kind }: NormalisedOperation, calls: readonly DraftCall[]): OperationKind {
  return calls.some((call) => call.kind === 'root' && call.position.parent === null) ? kind : 'query'
}

/** The document of a fetch, and the client's variables in it. */
function emitDocument(
  graph: Graph,
  operation: NormalisedOperation,
  numbers: DraftNumbers,
  { parts }: DraftFetch,
  budget: Budget,
): Pick<Fetch, 'document' | 'variables'> {
  const calls = parts.flat()
  const isRoot = calls[0]?.kind === 'root'
  const variables = new Set<string>()
  const selections = new SelectionTexts()
  // Root fields of all parts stand in one selection set; entities are asked for part by part.
  const texts = (isRoot ? [calls] : parts).map((part) => {
    const documents = part.map((call) => numbers.providerOf(call).document)
    return printSelections(graph, documents, variables, selections, budget)
  })
  const document = isRoot
    ? printRootDocument(operation, kindOf(operation, calls), texts.join(''), variables)
    : printEntityDocument(operation, texts, variables)
  return { document: selections.write(document), variables: [...variables] }
}

function selectsCustomScalar(graph: Graph, { fields }: DocumentSelection): boolean {
  return fields.some(({ type, child }) =>
    child === null ? isCustomScalar(graph, namedType(type)) : selectsCustomScalar(graph, child),
  )
}

/** The variable that holds the representations of a part. The client may have a variable of that name. */
function representationsVariable({ variableDefinitions }: NormalisedOperation, part: number): string {
  let name = `r${part}`
  while (variableDefinitions.has(name)) name = `_${name}`
  return name
}

/** The response key of the `_entities` field of a part. */
function aliasOf(part: number, count: number): string {
  return count === 1 ? '_entities' : `_e${part}`
}

function emitRootPart(numbers: DraftNumbers, call: DraftCall): FetchPart {
  const provider = numbers.providerOf(call)
  return {
    kind: 'root',
    at: positionIdOf(numbers, provider.position),
    slot: slotOf(numbers, provider),
  }
}

function printRootDocument(
  operation: NormalisedOperation,
  kind: OperationKind,
  selection: string,
  variables: ReadonlySet<string>,
): string {
  const definitions = variableTexts(operation, variables)
  if (kind === 'query' && definitions.length === 0) return selection
  return `${kind}${definitions.length === 0 ? '' : `(${definitions.join(',')})`}${selection}`
}

function printEntityDocument(
  operation: NormalisedOperation,
  selections: readonly string[],
  variables: ReadonlySet<string>,
): string {
  const definitions = [
    ...selections.map((_, part) => `$${representationsVariable(operation, part)}:[_Any!]!`),
    ...variableTexts(operation, variables),
  ]
  const fields = selections.map((selection, part) => {
    const alias = selections.length === 1 ? '' : `${aliasOf(part, selections.length)}:`
    return `${alias}_entities(representations:$${representationsVariable(operation, part)})${selection}`
  })
  return `query(${definitions.join(',')}){${fields.join(' ')}}`
}

function variableTexts(operation: NormalisedOperation, variables: ReadonlySet<string>): readonly string[] {
  return [...variables].flatMap((name) => operation.variableDefinitions.get(name) ?? [])
}

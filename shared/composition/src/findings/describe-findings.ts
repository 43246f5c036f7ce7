/** Makes errors for people of findings: the sentences of the catalogue, and places in the texts. */
import { Kind, parse, type ASTNode, type DocumentNode, type SelectionSetNode } from 'graphql'
import type { Code } from '../catalogue/index.ts'
import { CATALOGUE } from '../catalogue/index.ts'
import { hintOfError, type NameOf } from '../catalogue/entry.ts'
import { labelText } from '../catalogue/labels.ts'
import { nameParts } from '../catalogue/unreachable.ts'
import type { CompositionError, SdlLocation } from '../contract/composition-result.ts'
import { argument } from '../federation/federation-link.ts'
import { locateNodes, pairNodes } from '../documents/located-nodes.ts'
import { at, spanOf, tidy } from '../documents/place.ts'
import type { Finding, GraphPlace } from './finding.ts'

/** A subgraph whose schema was parsed without locations. */
export type DescribedSubgraph = {
  readonly name: string
  readonly sdl: string
  readonly document: DocumentNode
}

/**
 * Limits of the findings that get places, and of their text. An author with more of them mends these first,
 * and the message of an unreachable field alone grows with the length of its path.
 */
const MOST_PLACED = 1000
const MOST_CHARACTERS = 4 * 1024 * 1024
/** The length to which the messages after that many characters are cut. */
const LONGEST_CUT = 2000

/** The errors that findings are shown as. Positions in findings are those in `subgraphs`. */
export function describeFindings(
  findings: readonly Finding[],
  subgraphs: readonly DescribedSubgraph[],
): readonly CompositionError[] {
  const nameOf = (position: number) => subgraphs[position]?.name ?? ''
  const placesOf = readPlaces(findings.slice(0, MOST_PLACED), subgraphs, nameOf)
  let characters = 0
  return findings.map((found, index) => {
    const message = messageOf(found, nameOf)
    characters += message.length + (found.code === 'SATISFIABILITY_ERROR' ? found.facts.operation.length : 0)
    const isWhole = index < MOST_PLACED && characters <= MOST_CHARACTERS
    const locations = isWhole ? tidy(found.at.flatMap((place) => placesOf(place))) : []
    return {
      code: found.code,
      message: isWhole ? message : endsOf(message, LONGEST_CUT),
      subgraphs: subgraphsOf(found, nameOf),
      locations,
      ...(isWhole && found.code === 'SATISFIABILITY_ERROR' ? nameParts(found.facts, nameOf) : {}),
    }
  })
}

function messageOf(found: Finding, nameOf: NameOf): string {
  const owner = found.owner === null ? '' : `[${nameOf(found.owner)}] `
  return `${owner}${sentenceOf(found, nameOf)}${found.isNew ? hintOfError() : ''}`
}

function subgraphsOf({ owner, at }: Finding, nameOf: NameOf): readonly string[] {
  const positions = new Set(at.map(({ subgraph }) => subgraph))
  if (owner !== null) positions.add(owner)
  return [...positions].map(nameOf).sort()
}

/** The text, or its two ends: the reasons stand last. */
function endsOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)} … ${text.slice(-length / 2)}`
}

function sentenceOf<C extends Code>({ code, facts }: Finding<C>, nameOf: NameOf): string {
  return CATALOGUE[code].says(facts, nameOf)
}

/** Parses each text once for all findings in it. */
function readPlaces(
  findings: readonly Finding[],
  subgraphs: readonly DescribedSubgraph[],
  nameOf: NameOf,
): (place: GraphPlace) => readonly SdlLocation[] {
  const wanted = Map.groupBy(
    findings.flatMap((found) => found.at),
    ({ subgraph }) => subgraph,
  )
  const located = new Map(
    [...wanted].map(([position, places]) => {
      const { sdl = '', document } = subgraphs[position] ?? {}
      const nodes = new Set(places.map(({ node }) => node))
      return [position, document === undefined ? new Map() : locateNodes(sdl, document, nodes)] as const
    }),
  )
  // Subgraphs may share their nodes, and have them at other places in their texts.
  const selections = new Map<number, LocatedSelections>([...wanted.keys()].map((at) => [at, new Map()]))
  return (place) => {
    const name = nameOf(place.subgraph)
    const node = located.get(place.subgraph)?.get(place.node)
    const label = place.label === undefined ? undefined : labelText(place.label, nameOf)
    if (node === undefined) return []
    return place.within === undefined
      ? at({ name }, node, label)
      : placesInSelection({ name, node, label }, place.within, selections.get(place.subgraph) ?? new Map())
  }
}

type LocatedSelections = Map<SelectionSetNode, LocatedSelection | null>

/** The nodes of a selection with their offsets in the text of the schema. */
type LocatedSelection = { readonly nodes: ReadonlyMap<ASTNode, ASTNode>; readonly offset: number }

/**
 * The place of a node in a selection. It is the whole string where the string is not written plainly, and the
 * whole directive where it has no string.
 */
function placesInSelection(
  {
    name,
    node,
    label,
  }: { readonly name: string; readonly node: ASTNode; readonly label: string | undefined },
  { selection, node: inner }: NonNullable<GraphPlace['within']>,
  selections: LocatedSelections,
): readonly SdlLocation[] {
  const text = node.kind === Kind.DIRECTIVE ? argument(node, 'fields') : undefined
  if (text?.kind !== Kind.STRING || text.loc === undefined) return at({ name }, node, label)
  let found = selections.get(selection)
  if (found === undefined) {
    found = locateSelection(text.value, text.loc.start, selection)
    selections.set(selection, found)
  }
  const isPlain = text.block !== true && text.loc.end - text.loc.start === text.value.length + 2
  const loc = found?.nodes.get(inner)?.loc
  if (found === null || loc === undefined || !isPlain) return at({ name }, text, label)
  const { source } = text.loc
  return [spanOf(name, source, found.offset + loc.start, found.offset + loc.end, label)]
}

/** `start` is the offset of the quote before the text. */
function locateSelection(text: string, start: number, selection: SelectionSetNode): LocatedSelection | null {
  const isBraced = text.trim().startsWith('{')
  const [operation] = parse(isBraced ? text : `{ ${text} }`).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return null
  const wanted = new Set<ASTNode>()
  const left: ASTNode[] = [selection]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    wanted.add(node)
    for (const inner of innerNodes(node)) left.push(inner)
  }
  return {
    nodes: pairNodes(selection, operation.selectionSet, wanted),
    offset: start + 1 - (isBraced ? 0 : '{ '.length),
  }
}

function innerNodes(node: ASTNode): readonly ASTNode[] {
  if (node.kind === Kind.SELECTION_SET) return node.selections
  if (node.kind !== Kind.FIELD && node.kind !== Kind.INLINE_FRAGMENT) return []
  const set = node.selectionSet === undefined ? [] : [node.selectionSet]
  const name = node.kind === Kind.FIELD ? node.name : node.typeCondition
  return [...(name === undefined ? [] : [name]), ...set, ...(node.directives ?? [])]
}

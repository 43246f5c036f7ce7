/** Makes errors for people of findings: the sentences of the catalogue, and places in the texts. */
import { Kind, parse, type ASTNode, type DocumentNode, type SelectionSetNode } from 'graphql'
import type { Code } from '../catalogue/index.ts'
import { CATALOGUE } from '../catalogue/index.ts'
import { hintOfError } from '../catalogue/entry.ts'
import { labelText } from '../catalogue/labels.ts'
import type { CompositionError, SdlLocation } from '../contract/composition-result.ts'
import { argument } from '../federation/federation-link.ts'
import { locateNodes, pairNodes } from '../documents/located-nodes.ts'
import { at, spanOf, tidy } from '../locations/place.ts'
import type { Finding, GraphPlace } from './finding.ts'

/** A subgraph whose schema was parsed without locations. */
export type DescribedSubgraph = {
  readonly name: string
  readonly sdl: string
  readonly document: DocumentNode
}

/** The errors that findings are shown as. Positions in findings are those in `subgraphs`. */
export function describeFindings(
  findings: readonly Finding[],
  subgraphs: readonly DescribedSubgraph[],
): readonly CompositionError[] {
  const placesOf = readPlaces(findings, subgraphs)
  const nameOf = (position: number) => subgraphs[position]?.name ?? ''
  return findings.map((found) => {
    const locations = tidy(found.at.flatMap((place) => placesOf(place)))
    const owner = found.owner === null ? [] : [nameOf(found.owner)]
    return {
      code: found.code,
      message: `${owner.map((name) => `[${name}] `).join('')}${sentenceOf(found, nameOf)}${found.isNew ? hintOfError() : ''}`,
      subgraphs: [...new Set([...owner, ...locations.map(({ subgraph }) => subgraph)])].sort(),
      locations,
    }
  })
}

function sentenceOf<C extends Code>({ code, facts }: Finding<C>, nameOf: (at: number) => string): string {
  return CATALOGUE[code].says(facts, nameOf)
}

/** Parses each text once for all findings in it. */
function readPlaces(
  findings: readonly Finding[],
  subgraphs: readonly DescribedSubgraph[],
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
  const selections = new Map<SelectionSetNode, LocatedSelection | null>()
  return (place) => {
    const name = subgraphs[place.subgraph]?.name ?? ''
    const node = located.get(place.subgraph)?.get(place.node)
    const label = place.label === undefined ? undefined : labelText(place.label)
    if (node === undefined) return []
    return place.within === undefined
      ? at({ name }, node, label)
      : placesInSelection({ name, node, label }, place.within, selections)
  }
}

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
  selections: Map<SelectionSetNode, LocatedSelection | null>,
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
  return [...(node.kind === Kind.FIELD ? [node.name] : []), ...set, ...(node.directives ?? [])]
}

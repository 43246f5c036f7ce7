/** Places in the text that somebody wrote, from the nodes that were parsed of it. */
import { getLocation } from 'graphql'
import type { ASTNode, Source } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'

/** The place of a node. An empty list for a node that is not part of the text. */
export function at(
  { name }: { readonly name: string },
  node: ASTNode | undefined,
  label?: string,
): readonly SdlLocation[] {
  if (node?.loc === undefined) return []
  const { source, start, end, startToken } = node.loc
  return [place(name, source, start, end, startToken, label)]
}

/**
 * `start` and `end` are offsets in the text. A span that goes on in further lines ends with its first line.
 */
export function spanOf(
  subgraph: string,
  source: Source,
  start: number,
  end: number,
  label?: string,
): SdlLocation {
  return place(subgraph, source, start, end, getLocation(source, start), label)
}

function place(
  subgraph: string,
  source: Source,
  start: number,
  end: number,
  { line, column }: { readonly line: number; readonly column: number },
  label: string | undefined,
): SdlLocation {
  const [first = ''] = source.body.slice(start, end).split(/[\r\n]/, 1)
  const length = Math.max(1, first.trimEnd().length)
  return { subgraph, line, column, length, ...(label === undefined ? {} : { label }) }
}

/**
 * The places without repetitions, subgraph by subgraph. Beyond the limit each subgraph keeps its first place.
 */
export function tidy(locations: readonly SdlLocation[]): readonly SdlLocation[] {
  const seen = new Map<string, SdlLocation>()
  for (const location of locations) {
    const key = JSON.stringify([location.subgraph, location.line, location.column])
    const known = seen.get(key)
    if (known === undefined || (known.label === undefined && location.label !== undefined))
      seen.set(key, location)
  }
  const sorted = [...seen.values()].sort((a, b) =>
    a.subgraph < b.subgraph ? -1 : a.subgraph > b.subgraph ? 1 : 0,
  )
  if (sorted.length <= MAX_LOCATIONS) return sorted
  const first = new Set<string>()
  return sorted.filter(({ subgraph }, index) => {
    const isFirst = !first.has(subgraph)
    first.add(subgraph)
    return isFirst || index < MAX_LOCATIONS
  })
}

const MAX_LOCATIONS = 20

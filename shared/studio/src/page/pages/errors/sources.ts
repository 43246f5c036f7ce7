/** Finds what has to be shown of an error: its places, by the subgraph in whose source they are. */
import type { Read } from '../../api/client.ts'

export type Errors = Read<'/v1/graphs/{namespace}/{name}/errors'>
export type CompositionError = Errors['errors'][number]
export type Location = CompositionError['locations'][number]

export type PlacesInSource = {
  readonly subgraph: string
  /** The hash of the source that was composed. Null if it is not known. */
  readonly sha256: string | null
  /** None if the error concerns the subgraph and no line of it. */
  readonly places: readonly Location[]
}

/** Returns the subgraphs of an error with its places in each: those with places first. */
export function placesOf(error: CompositionError, sources: Errors['sources']): readonly PlacesInSource[] {
  const hashes = new Map(sources?.map(({ subgraph, sha256 }) => [subgraph, sha256]))
  const names = new Set([...error.locations.map(({ subgraph }) => subgraph), ...error.subgraphs])
  return [...names].map((subgraph) => ({
    subgraph,
    sha256: hashes.get(subgraph) ?? null,
    places: error.locations.filter((location) => location.subgraph === subgraph),
  }))
}

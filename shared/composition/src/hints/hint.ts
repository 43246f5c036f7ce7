import type { CompositionHint, SdlLocation } from '../contract/composition-result.ts'
import { tidy } from '../locations/place.ts'

/** A hint about the subgraphs in which the places are. */
export function hint(code: string, message: string, places: readonly SdlLocation[]): CompositionHint {
  const locations = tidy(places)
  return {
    code,
    message,
    subgraphs: [...new Set(locations.map(({ subgraph }) => subgraph))].sort(),
    locations,
  }
}

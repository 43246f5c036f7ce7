/**
 * Chooses, among the response paths that an error of a subgraph may be about, those with which it is
 * reported.
 */
import type { Path } from './client-paths.ts'

/**
 * One entity may be shown by very many objects of the response; an error about it is repeated for this many.
 */
export const MAX_COPIES = 50

/** A response path that an error may be about. */
export type CandidatePath = {
  readonly path: Path
  /** The client selected the field that failed at this path. */
  readonly isSelected: boolean
  /**
   * Neither the client nor a later fetch reads the field that failed here: the field is in the document for
   * another object that shows the same entity.
   */
  readonly isUnread?: boolean
}

/**
 * Whether no more candidates need to be looked for. Where many do not select the field, one that does may yet
 * come.
 */
export function hasEnough(candidates: readonly CandidatePath[]): boolean {
  if (candidates.length < MAX_COPIES) return false
  const selected = candidates.filter(({ isSelected }) => isSelected)
  return candidates.length >= 4 * MAX_COPIES || selected.length >= MAX_COPIES
}

/**
 * The paths at which the client selected the field that failed; if there are none, those at which anybody
 * reads it; if there are none either, all of them. Each path once.
 */
export function pathsToReport(candidates: readonly CandidatePath[]): readonly Path[] {
  const selected = candidates.filter(({ isSelected }) => isSelected)
  const read = candidates.filter(({ isUnread }) => isUnread !== true)
  const reported = selected.length > 0 ? selected : read.length > 0 ? read : candidates
  const byText = new Map(reported.map(({ path }) => [JSON.stringify(path), path]))
  return [...byText.values()].slice(0, MAX_COPIES)
}

/**
 * The paths that are not below another one, each once; [null] if there are none, or if one is the whole
 * response.
 */
export function outermostPaths(paths: readonly Path[]): readonly (Path | null)[] {
  const outer = paths.filter(
    (path, index) =>
      !paths.some(
        (other, at) =>
          (other.length < path.length || (other.length === path.length && at < index)) &&
          other.every((key, i) => key === path[i]),
      ),
  )
  return outer.length === 0 || outer.some(({ length }) => length === 0) ? [null] : outer.slice(0, MAX_COPIES)
}

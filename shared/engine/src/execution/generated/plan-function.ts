/** A function that was generated for a plan, and how it is called. */
import type { FetchId } from '../../ids/ids.ts'
import type { ResponseStore } from '../joining/response-store.ts'
import type { FollowedLink } from './link-code.ts'

/**
 * A generated function with its arguments. `Told` is a further argument, which the function reads or writes.
 */
export type PlanFunction<Told, Result> = {
  /** Characters of its code. */
  readonly size: number
  /**
   * The fetch whose data is the root object of each slot of the root position, or null for a slot that is not
   * read.
   */
  readonly roots: readonly (FetchId | null)[]
  readonly links: readonly FollowedLink[]
  /**
   * Runs the code. Throws `UNUSUAL`. `roots` is the data of the fetches in `roots` above. `entities` and
   * `tables` hold the list of entities and the link table, or null, of each link.
   */
  readonly run: (
    roots: readonly unknown[],
    entities: readonly (readonly unknown[])[],
    tables: readonly (Int32Array | null)[],
    maxSteps: number,
    told: Told,
  ) => Result
}

const NO_ENTITIES: readonly unknown[] = []

/** Calls a function with the parts of the answers that it needs. Throws `UNUSUAL`. */
export function runOn<Told, Result>(
  { roots, links, run }: PlanFunction<Told, Result>,
  store: ResponseStore,
  maxSteps: number,
  told: Told,
): Result {
  return run(
    roots.map((fetch) => (fetch === null ? null : store.root(fetch))),
    links.map(({ fetch, part }) => store.entities(fetch, part) ?? NO_ENTITIES),
    links.map(({ position, slot }) => store.linkOf(position, slot)),
    maxSteps,
    told,
  )
}

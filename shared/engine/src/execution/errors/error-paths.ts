import type { Graph } from '../../graph/graph.ts'
import { NO_RUNTIME_TYPE } from '../../ids/ids.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { Fetch, FetchPart } from '../../plan/contract/plan.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { type PreparedPlan, possibleFields } from '../joining/prepared-plan.ts'
import type { ResponseStore } from '../joining/response-store.ts'
import { type CandidatePath, hasEnough, outermostPaths, pathsToReport } from './candidate-paths.ts'
import { ClientPaths, type Path, untilList } from './client-paths.ts'
import { dependentFields, type Target } from './dependent-fields.ts'
import { isSentLater } from './later-inputs.ts'
import { LinkedOccurrences } from './linked-occurrences.ts'
import { type IsMissing, MissingPlaceSearch } from './missing-places.ts'
import { type SubgraphObject, SubgraphPaths } from './subgraph-paths.ts'

/**
 * Translates paths of subgraph answers into response paths.
 *
 *     ["_entities", 3, "price"]   ─▶   ["products", 0, "price"], ["products", 7, "price"]
 *
 * when the objects 0 and 7 of `products` show the entity that was sent as the fourth representation.
 */
export class ErrorPaths {
  readonly client: ClientPaths
  readonly #graph: Graph
  readonly #plan: PreparedPlan
  readonly #store: ResponseStore
  readonly #occurrences: Occurrences
  readonly #subgraphPaths: SubgraphPaths
  readonly #missing: MissingPlaceSearch
  /** The response paths for errors without a path, of the fetch that was asked about last. */
  #whole: { readonly fetch: Fetch; readonly paths: readonly (Path | null)[] } | null = null
  #examined = 0
  readonly #linked = new Map<Int32Array, LinkedOccurrences>()

  constructor(graph: Graph, plan: PreparedPlan, store: ResponseStore, occurrences: Occurrences) {
    this.client = new ClientPaths(plan, occurrences)
    this.#subgraphPaths = new SubgraphPaths(plan, occurrences)
    this.#missing = new MissingPlaceSearch(graph, plan, store, occurrences, this.client)
    this.#graph = graph
    this.#plan = plan
    this.#store = store
    this.#occurrences = occurrences
  }

  /** How many places of the response were looked at for errors so far. */
  get examined(): number {
    return this.#examined
  }

  /**
   * The response paths that the path of a subgraph's error means; null stands for an error without a path.
   *
   * An error about an entity that several objects show has the path of each. An error about a field that only
   * the router selected has the paths of the fields that depend on it. An error about a field that nobody
   * reads has none.
   */
  ofError(fetch: Fetch, path: Path | null): readonly (Path | null)[] {
    if (path === null || path.length === 0) return this.#ofWhole(fetch)
    const [alias, index, ...rest] = path
    const part = fetch.parts.findIndex(
      (candidate) => candidate.kind === 'entities' && candidate.alias === alias,
    )
    if (part >= 0) {
      const paths = typeof index === 'number' ? this.#ofEntity(fetch, part, index, rest) : []
      if (paths === null) return []
      return paths.length > 0 ? paths : this.#ofWhole(fetch)
    }
    const paths = this.#ofRootError(fetch, path)
    if (paths.length === 0 && fetch.parts.some((other) => !this.#isReached(other))) return []
    return paths.length > 0 ? paths : this.#ofWhole(fetch)
  }

  /** False if all parts of a fetch are root fields of a position that turned out to have no object. */
  isReached(fetch: Fetch): boolean {
    return fetch.parts.some((part) => this.#isReached(part))
  }

  #isReached(part: FetchPart): boolean {
    return part.kind !== 'root' || this.#occurrences.count(part.at) > 0
  }

  /**
   * The paths of an error without a usable path: of everything that the fetch gives, if it gave nothing at
   * all.
   */
  #ofWhole(fetch: Fetch): readonly (Path | null)[] {
    // Subgraphs send as many errors without a path as they like.
    if (this.#whole?.fetch !== fetch) {
      const isGiven = this.#store.root(fetch.id) !== null
      const paths = isGiven ? this.ofFetch(fetch).slice(0, 1) : this.ofMissing(fetch, () => true).paths
      this.#whole = { fetch, paths }
    }
    return this.#whole.paths
  }

  /**
   * The response paths of everything a fetch gives: of its root field if it has only one, or of the objects
   * to which it adds fields. Objects in a list have the path of the list. [null] if there is no such path.
   */
  ofFetch(fetch: Fetch): readonly (Path | null)[] {
    return outermostPaths(fetch.parts.flatMap((part) => this.#ofPart(fetch, part)))
  }

  /** The response paths of everything that one part of a fetch gives. */
  ofPart(fetch: Fetch, part: FetchPart): readonly (Path | null)[] {
    return outermostPaths(this.#ofPart(fetch, part))
  }

  /**
   * The response paths of the fields that are null because the answer to a fetch lacks something; those of
   * everything that the fetch gives if nothing is null.
   */
  ofMissing(
    fetch: Fetch,
    isMissing: IsMissing,
  ): { readonly paths: readonly (Path | null)[]; hasMore: boolean } {
    const missing = this.#missing.of(fetch, isMissing)
    return missing.paths.length > 0 ? missing : { paths: this.ofFetch(fetch), hasMore: false }
  }

  #ofPart(fetch: Fetch, part: FetchPart): readonly Path[] {
    if (part.kind === 'entities') return this.#ofInputs(part)
    return this.#occurrences.count(part.at) > 0 ? [this.#ofRoot(fetch, part)] : []
  }

  #ofRoot(fetch: Fetch, part: Extract<FetchPart, { kind: 'root' }>): Path {
    const keys = possibleFields(this.#plan, part.at, NO_RUNTIME_TYPE).flatMap((field) =>
      field.kind === 'field' && field.fetch === fetch.id ? [field.key] : [],
    )
    const [only, second] = keys
    const base = this.client.ofPosition(part.at)
    // Of all that a list holds, no single field can be named.
    const isInList = base.length < this.client.ofOccurrence(part.at, 0).length
    return only !== undefined && second === undefined && !isInList ? [...base, only] : base
  }

  #ofInputs(part: Extract<FetchPart, { kind: 'entities' }>): readonly Path[] {
    return part.inputs.flatMap(({ at, slot }) => {
      const link = this.#store.linkOf(at, slot)
      const first = link?.findIndex((index) => index >= 0) ?? -1
      if (link === null || first < 0) return []
      const path = this.client.ofOccurrence(at, first)
      const isAlone = link.findLastIndex((index) => index >= 0) === first && part.inputs.length === 1
      return [isAlone ? path : untilList(path)]
    })
  }

  #ofRootError(fetch: Fetch, path: Path): readonly Path[] {
    const candidates: CandidatePath[] = []
    for (const part of fetch.parts) {
      if (part.kind !== 'root') continue
      const count = this.#occurrences.count(part.at)
      for (let occurrence = 0; occurrence < count && !hasEnough(candidates); occurrence++)
        candidates.push(...this.#candidates({ position: part.at, slot: part.slot, occurrence }, path))
    }
    // The fetch also asks for fields of a query root further down that was never reached: an error that is
    // unread at the position that was reached is about that root.
    const hasUnreachedPart = fetch.parts.some((part) => !this.#isReached(part))
    const read = hasUnreachedPart ? candidates.filter(({ isUnread }) => isUnread !== true) : candidates
    return pathsToReport(read).filter(({ length }) => length > 0)
  }

  /** The paths of an error about a field of an entity; null if nobody reads the field. */
  #ofEntity(fetch: Fetch, index: number, entity: number, rest: Path): readonly Path[] | null {
    const part = fetch.parts[index]
    if (part?.kind !== 'entities') return []
    const candidates: CandidatePath[] = []
    for (const { at, slot } of part.inputs) {
      const link = this.#store.linkOf(at, slot)
      for (const occurrence of link === null ? [] : this.#linkedTo(link).of(entity)) {
        if (hasEnough(candidates)) break
        candidates.push(...this.#candidates({ position: at, slot, occurrence }, rest))
      }
    }
    // If the entity is null, this error may be the reason, so it is not dropped.
    const isGiven = isJsonObject(this.#store.entities(fetch.id, index)?.[entity])
    if (isGiven && candidates.length > 0 && candidates.every(({ isUnread }) => isUnread === true)) return null
    return pathsToReport(candidates)
  }

  #linkedTo(link: Int32Array): LinkedOccurrences {
    let linked = this.#linked.get(link)
    if (linked === undefined) {
      linked = new LinkedOccurrences(link)
      this.#linked.set(link, linked)
    }
    return linked
  }

  /** The paths that `path` may mean, below one of the objects that a part of a fetch is about. */
  #candidates(start: SubgraphObject, path: Path): readonly CandidatePath[] {
    this.#examined++
    const targets = () => this.#subgraphPaths.targets(start, path)
    if (!this.client.isVisible(start.position)) return this.#ofDependents(targets(), start, null)
    const base = this.client.ofOccurrence(start.position, start.occurrence)
    const { below, last, isSelected } = this.#subgraphPaths.walk(start, path)
    const full = [...base, ...below]
    return isSelected ? [{ path: full, isSelected }] : this.#ofDependents(targets(), last, full)
  }

  /**
   * The paths at which the client lacks something that only the router selected: those of the fields that
   * depend on the targets, or else `path`, the path of the object for which the router selected them, if the
   * client selected that.
   */
  #ofDependents(
    targets: readonly Target[],
    last: SubgraphObject,
    path: Path | null,
  ): readonly CandidatePath[] {
    const objects = new Map<string, { readonly object: Path; readonly keys: Set<string> }>()
    for (const { at, key } of targets.flatMap((target) => dependentFields(this.#graph, this.#plan, target))) {
      const occurrence = this.client.ancestor(last.position, last.occurrence, at)
      if (occurrence < 0) continue
      const fields = possibleFields(this.#plan, at, this.#occurrences.type(at, occurrence))
      if (!fields.some((field) => field.key === key)) continue
      const object = this.client.ofOccurrence(at, occurrence)
      const dependents = objects.get(JSON.stringify(object)) ?? { object, keys: new Set() }
      dependents.keys.add(key)
      objects.set(JSON.stringify(object), dependents)
    }
    if (objects.size > 0)
      return [...objects.values()].flatMap(({ object, keys }) =>
        [...keys].map((key) => ({ path: [...object, key], isSelected: false })),
      )
    const isUnread = targets.every(
      (target) =>
        target.kind === 'leaf' && !isSentLater(this.#plan.plan, target.position, target.slot, target.key),
    )
    return [
      { path: path ?? this.client.ofOccurrence(last.position, last.occurrence), isSelected: false, isUnread },
    ]
  }
}

import type { Graph } from '../../graph/graph.ts'
import { NO_TYPE, type PositionId, type TypeId } from '../../ids.ts'
import type { Fetch, FetchPart, Position } from '../../plan/plan.ts'
import { ClientPaths, type Path, untilList } from './client-paths.ts'
import { isSentLater } from './later-inputs.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { ordinalOf } from '../joining/object-lists.ts'
import { dependentFields, type Target } from './dependent-fields.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { listDepth, type PreparedPlan, possibleFields } from '../joining/prepared-plan.ts'
import type { ResponseStore } from '../joining/response-store.ts'

/** One entity may stand at very many places of the response; an error about it is repeated at this many. */
export const MAX_COPIES = 50

/** A place in the response: an occurrence, and which of its providers is meant. -1: the object is null or unknown. */
type Place = { readonly position: PositionId; readonly slot: number; readonly occurrence: number }

/**
 * `selected`: the client asked for what the path names. `unread`: neither the client nor a later call reads it at this
 * place, since it is in the document for another place that shares the entity.
 */
type Mapped = { readonly path: Path; readonly selected: boolean; readonly unread?: boolean }

/** Translates places of subgraph responses into places of the client's response. */
export class ErrorPaths {
  readonly client: ClientPaths
  readonly #graph: Graph
  readonly #plan: PreparedPlan
  readonly #store: ResponseStore
  readonly #occurrences: Occurrences
  readonly #linked = new Map<Int32Array, LinkedOccurrences>()

  constructor(graph: Graph, plan: PreparedPlan, store: ResponseStore, occurrences: Occurrences) {
    this.client = new ClientPaths(plan, occurrences)
    this.#graph = graph
    this.#plan = plan
    this.#store = store
    this.#occurrences = occurrences
  }

  /**
   * Every client path meant by a path of a subgraph's error. An entity that several objects refer to gives several; an
   * error in a field that only the router asked for is placed at the fields that need it; one that nobody reads has no
   * place at all. null: no place known.
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

  /** False for root fields that were asked for beside what leads to them, and nothing did. */
  isReached(fetch: Fetch): boolean {
    return fetch.parts.some((part) => this.#isReached(part))
  }

  #isReached(part: FetchPart): boolean {
    return part.kind !== 'root' || this.#occurrences.count(part.at) > 0
  }

  /** Of an error without a place of its own: everything, if everything is lost. */
  #ofWhole(fetch: Fetch): readonly (Path | null)[] {
    const places = this.ofFetch(fetch)
    return this.#store.root(fetch.id) === null ? places : places.slice(0, 1)
  }

  /**
   * The places of everything a fetch gives: its one root field, or the objects it adds to, which a list stands for. [null]
   * if no place is known, or only the whole response.
   */
  ofFetch(fetch: Fetch): readonly (Path | null)[] {
    return orNowhere(fetch.parts.flatMap((part) => this.#ofPart(fetch, part)))
  }

  /** The same for one part of a fetch. */
  ofPart(fetch: Fetch, part: FetchPart): readonly (Path | null)[] {
    return orNowhere(this.#ofPart(fetch, part))
  }

  #ofPart(fetch: Fetch, part: FetchPart): readonly Path[] {
    if (part.kind === 'entities') return this.#ofInputs(part)
    return this.#occurrences.count(part.at) > 0 ? [this.#ofRoot(fetch, part)] : []
  }

  #ofRoot(fetch: Fetch, part: Extract<FetchPart, { kind: 'root' }>): Path {
    const keys = possibleFields(this.#plan, part.at, NO_TYPE).flatMap((field) =>
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
    const mapped: Mapped[] = []
    for (const part of fetch.parts) {
      if (part.kind !== 'root') continue
      const count = this.#occurrences.count(part.at)
      for (let occurrence = 0; occurrence < count && !isEnough(mapped); occurrence++)
        mapped.push(...this.#mapped({ position: part.at, slot: part.slot, occurrence }, path))
    }
    // What nobody reads where the root was asked first is of the place below that was never reached.
    const isVain = fetch.parts.some((part) => !this.#isReached(part))
    const read = isVain ? mapped.filter(({ unread }) => unread !== true) : mapped
    return chosen(read).filter(({ length }) => length > 0)
  }

  /** null: nobody reads what failed. */
  #ofEntity(fetch: Fetch, index: number, entity: number, rest: Path): readonly Path[] | null {
    const part = fetch.parts[index]
    if (part?.kind !== 'entities') return []
    const mapped: Mapped[] = []
    for (const { at, slot } of part.inputs) {
      const link = this.#store.linkOf(at, slot)
      for (const occurrence of link === null ? [] : this.#linkedTo(link).of(entity)) {
        if (isEnough(mapped)) break
        mapped.push(...this.#mapped({ position: at, slot, occurrence }, rest))
      }
    }
    // An entity that is null may be so because of this very error.
    const isThere = isJsonObject(this.#store.entities(fetch.id, index)?.[entity])
    if (isThere && mapped.length > 0 && mapped.every(({ unread }) => unread === true)) return null
    return chosen(mapped)
  }

  #linkedTo(link: Int32Array): LinkedOccurrences {
    let linked = this.#linked.get(link)
    if (linked === undefined) {
      linked = new LinkedOccurrences(link)
      this.#linked.set(link, linked)
    }
    return linked
  }

  #mapped(place: Place, path: Path): readonly Mapped[] {
    if (!this.client.isVisible(place.position)) return this.#needing(this.#targets(place, path), place, null)
    const base = this.client.ofOccurrence(place.position, place.occurrence)
    const { below, last, isSeen } = this.#walk(place, path)
    const full = [...base, ...below]
    return isSeen ? [{ path: full, selected: true }] : this.#needing(this.#targets(place, path), last, full)
  }

  /**
   * Where the client misses what only the router asked for: at the fields that need it, or else at the object for which
   * it was asked. `path` is where that object stands, if the client sees it.
   */
  #needing(targets: readonly Target[], last: Place, path: Path | null): readonly Mapped[] {
    const places = new Map<string, { readonly object: Path; readonly keys: Set<string>; isKey: boolean }>()
    for (const { at, key, isKey } of targets.flatMap((target) =>
      dependentFields(this.#graph, this.#plan, target),
    )) {
      const occurrence = this.client.ancestor(last.position, last.occurrence, at)
      if (occurrence < 0) continue
      const fields = possibleFields(this.#plan, at, this.#occurrences.type(at, occurrence))
      if (!fields.some((field) => field.key === key)) continue
      const object = this.client.ofOccurrence(at, occurrence)
      const place = places.get(JSON.stringify(object)) ?? { object, keys: new Set(), isKey }
      place.keys.add(key)
      places.set(JSON.stringify(object), place)
    }
    if (places.size > 0)
      return [...places.values()].flatMap(({ object, keys, isKey }) =>
        // Without its key the object as a whole was not found.
        isKey && keys.size > 1
          ? [{ path: object, selected: false }]
          : [...keys].map((key) => ({ path: [...object, key], selected: false })),
      )
    const unread = targets.every(
      (target) =>
        target.kind === 'leaf' && !isSentLater(this.#plan.plan, target.position, target.slot, target.key),
    )
    return [
      { path: path ?? this.client.ofOccurrence(last.position, last.occurrence), selected: false, unread },
    ]
  }

  /** Follows a path as far as the client sees it; `last` is the object that was reached. */
  #walk(start: Place, path: Path) {
    const below: (string | number)[] = []
    let last = start
    let i = 0
    while (i < path.length) {
      const key = path[i]
      if (typeof key !== 'string') break
      const indices: number[] = []
      for (let at = i + 1; typeof path[at] === 'number'; at++) indices.push(Number(path[at]))
      const type = last.occurrence < 0 ? NO_TYPE : this.#occurrences.type(last.position, last.occurrence)
      const child = this.#childAt(last, key, type)
      if (child === null) {
        const leaf = possibleFields(this.#plan, last.position, type).find(
          (field) => field.kind === 'field' && field.source?.slot === last.slot && field.source.key === key,
        )
        if (leaf === undefined) return { below, last, isSeen: false }
        const depth = leaf.kind === 'field' ? listDepth(leaf.node) : 0
        below.push(leaf.key, ...indices.slice(0, depth))
        return { below, last, isSeen: true }
      }
      const { position, slot } = child
      if (position.responseKey === null) return { below, last, isSeen: false }
      below.push(position.responseKey, ...indices.slice(0, this.#plan.listDepths[position.id]))
      last = { position: position.id, slot, occurrence: this.#occurrenceAt(last, position, key, indices) }
      i += 1 + indices.length
    }
    return { below, last, isSeen: true }
  }

  /** What the plan reads there: one property of the answer may serve several positions. */
  #targets(start: Place, path: Path): readonly Target[] {
    let places: readonly Omit<Place, 'occurrence'>[] = [start]
    for (const key of path) {
      if (typeof key !== 'string') continue
      const children = places.flatMap((place) => this.#childrenAt(place, key))
      if (children.length === 0)
        return places.map(({ position, slot }) => ({ kind: 'leaf', position, slot, key }))
      places = children.map(({ position, slot }) => ({ position: position.id, slot }))
    }
    return places.map(({ position }) => ({ kind: 'object', position }))
  }

  /** The position a key leads to; one that the client sees, if there is any. */
  #childAt(place: Place, key: string, type: TypeId) {
    const children = this.#childrenAt(place, key).filter(
      ({ position: { guard } }) => type < 0 || guard === null || guard.includes(type),
    )
    return children.find(({ position }) => position.responseKey !== null) ?? children[0] ?? null
  }

  #childrenAt(place: Omit<Place, 'occurrence'>, key: string) {
    return (this.#plan.children[place.position] ?? []).flatMap((position) => {
      const slot = position.providers.findIndex(
        (provider) => provider.kind === 'inline' && provider.slot === place.slot && provider.key === key,
      )
      return slot < 0 ? [] : [{ position, slot }]
    })
  }

  #occurrenceAt(place: Place, child: Position, key: string, indices: readonly number[]): number {
    if (place.occurrence < 0) return -1
    const value = this.#occurrences.value(place.position, place.slot, place.occurrence, key)
    const ordinal = ordinalOf(value, indices)
    if (ordinal < 0) return -1
    const occurrence = this.#occurrences.start(child.id, place.occurrence) + ordinal
    return occurrence < this.#occurrences.start(child.id, place.occurrence + 1) ? occurrence : -1
  }
}

/** Occurrences by the entity they are linked to: a response may hold an error about each of very many. */
class LinkedOccurrences {
  /** By entity, its first occurrence; by occurrence, the next one of the same entity. -1: there is none. */
  readonly #first: Int32Array
  readonly #next: Int32Array

  constructor(link: Int32Array) {
    let entities = 0
    for (const entity of link) if (entity >= entities) entities = entity + 1
    this.#first = new Int32Array(entities).fill(-1)
    this.#next = new Int32Array(link.length).fill(-1)
    for (let occurrence = link.length - 1; occurrence >= 0; occurrence--) {
      const entity = link[occurrence] ?? -1
      if (entity < 0) continue
      this.#next[occurrence] = this.#first[entity] ?? -1
      this.#first[entity] = occurrence
    }
  }

  /** In ascending order. */
  *of(entity: number): Generator<number, void> {
    for (let at = this.#first[entity] ?? -1; at >= 0; at = this.#next[at] ?? -1) yield at
  }
}

/** Those that are not within another, without repetitions. */
function orNowhere(paths: readonly Path[]): readonly (Path | null)[] {
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

/** Places that share what failed, but do not show it, are looked at a little longer. */
function isEnough(mapped: readonly Mapped[]): boolean {
  if (mapped.length < MAX_COPIES) return false
  return mapped.length >= 4 * MAX_COPIES || mapped.filter(({ selected }) => selected).length >= MAX_COPIES
}

/** Where several objects share what failed, the error belongs to those for which the client selected the field. */
function chosen(mapped: readonly Mapped[]): readonly Path[] {
  const selected = mapped.filter((candidate) => candidate.selected)
  const read = mapped.filter(({ unread }) => unread !== true)
  const seen = new Set<string>()
  const paths = (selected.length > 0 ? selected : read.length > 0 ? read : mapped).flatMap(({ path }) => {
    const key = JSON.stringify(path)
    if (seen.has(key)) return []
    seen.add(key)
    return [path]
  })
  return paths.slice(0, MAX_COPIES)
}

import type { Graph } from '../../graph/graph.ts'
import { type FetchId, NO_RUNTIME_TYPE, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { Fetch, Provider, RepresentationCase, Source } from '../../plan/contract/plan.ts'
import { needsNoType } from '../completion/needs-no-type.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { type PreparedPlan, possibleFields } from '../joining/prepared-plan.ts'
import type { ResponseStore } from '../joining/response-store.ts'
import { MAX_COPIES } from './candidate-paths.ts'
import { type ClientPaths, type Path, pathKey } from './client-paths.ts'
import { dependentFields } from './dependent-fields.ts'

/**
 * Objects that are visited for one fetch at most: in a long list there may be none of the type that has the
 * field.
 */
const MAX_VISITED = 50_000

/** The response paths at which the client lacks something because of one fetch. */
export type MissingPlaces = {
  /** One path for each field that is null. */
  readonly paths: readonly Path[]
  /** There are more places than are told. */
  readonly hasMore: boolean
}

/** Whether an answer lacks what a part should have given: the entity with this index, or the root object. */
export type IsMissing = (part: number, entity: number) => boolean

/** A field of the client that is null without an object of a slot. */
type Holder = {
  /** The position whose slot the fetch should have filled. */
  readonly position: PositionId
  readonly slot: number
  /** The position of the field, which is that position or one above it. */
  readonly at: PositionId
  /**
   * The response key of the field. Null stands for the object itself, which is null if no subgraph tells its
   * runtime type.
   */
  readonly key: string | null
  /** The slot gives the field itself, and not something that a fetch for the field sends. */
  readonly isOwn: boolean
}

/** A property that a fetch sends in representations. */
type SentLeaf = { readonly position: PositionId; readonly source: Source }

/**
 * The client's fields that a fetch gives, and the properties of its answer that other fetches send. Both are
 * kept by the fetch that gives them.
 */
type Index = {
  readonly own: Map<FetchId, Holder[]>
  readonly sent: Map<FetchId, SentLeaf[]>
}

/** Where the objects of a slot come from: a provider that is no part of another object. */
type Origin = {
  readonly position: PositionId
  readonly slot: number
  readonly provider: Exclude<Provider, { readonly kind: 'inline' }>
}

/**
 * Finds the fields that are null because a fetch gave nothing: those that it should have given, and those for
 * which another fetch needed something of it. Of each position the first object is told with all such fields,
 * further objects until there are `MAX_COPIES` paths.
 */
export class MissingPlaceSearch {
  readonly #graph: Graph
  readonly #plan: PreparedPlan
  readonly #store: ResponseStore
  readonly #occurrences: Occurrences
  readonly #client: ClientPaths
  /** Made for the first error. */
  #index: Index | null = null
  /** How many objects may still be visited. */
  #left = 0

  constructor(
    graph: Graph,
    plan: PreparedPlan,
    store: ResponseStore,
    occurrences: Occurrences,
    client: ClientPaths,
  ) {
    this.#graph = graph
    this.#plan = plan
    this.#store = store
    this.#occurrences = occurrences
    this.#client = client
  }

  of({ id }: Fetch, isMissing: IsMissing): MissingPlaces {
    this.#index ??= this.#makeIndex()
    const paths = new Map<string, Path>()
    let hasMore = false
    this.#left = MAX_VISITED
    const holders = [...(this.#index.own.get(id) ?? []), ...this.#dependent(this.#index.sent.get(id) ?? [])]
    for (const holder of holders) if (this.#addPlaces(holder, isMissing, paths)) hasMore = true
    return { paths: [...paths.values()], hasMore }
  }

  #makeIndex(): Index {
    const index: Index = { own: new Map(), sent: new Map() }
    for (const { id: position, typename } of this.#plan.plan.positions) {
      for (const { slot } of typename)
        add(index.own, this.#fetchOf(position, slot), {
          position,
          slot,
          at: position,
          key: null,
          isOwn: true,
        })
      const seen = new Set<string>()
      for (const field of possibleFields(this.#plan, position, NO_RUNTIME_TYPE)) {
        if (field.kind !== 'field' || field.source === null) continue
        const { slot } = field.source
        if (!isNew(seen, `${slot}.${field.key}`)) continue
        add(index.own, field.fetch, { position, slot, at: position, key: field.key, isOwn: true })
      }
    }
    const seen = new Set<string>()
    const visit = (cases: readonly RepresentationCase[], position: PositionId): void => {
      for (const field of cases.flatMap(({ fields }) => fields))
        if (field.kind === 'object') visit(field.cases, field.position)
        else if (isNew(seen, `${position}.${field.source.slot}.${field.source.key}`))
          add(index.sent, this.#fetchOf(position, field.source.slot), { position, source: field.source })
    }
    for (const { input } of this.#plan.inputs) visit(input.cases, input.at)
    return index
  }

  /** The fields for which other fetches send one of the leaves. */
  #dependent(sent: readonly SentLeaf[]): readonly Holder[] {
    return sent.flatMap(({ position, source: { slot, key } }) =>
      dependentFields(this.#graph, this.#plan, { kind: 'leaf', position, slot, key }).map((field) => ({
        position,
        slot,
        at: field.at,
        key: field.key,
        isOwn: false,
      })),
    )
  }

  /** Returns true if there are places that are not told. */
  #addPlaces(from: Holder, isMissing: IsMissing, paths: Map<string, Path>): boolean {
    const { position, slot, at, key } = from
    const reached = this.#reached(position, slot)
    const hasKey = new Map<TypeId, boolean>()
    const count = this.#occurrences.count(reached.position)
    let isFirst = true
    for (let occurrence = 0; occurrence < count; occurrence++) {
      if (--this.#left < 0) return true
      if (!this.#lacks(reached.position, reached.slot, occurrence, isMissing)) continue
      const holder = this.#client.ancestor(reached.position, occurrence, at)
      if (holder < 0) continue
      if (!this.#isThere(from, holder, hasKey)) continue
      const object = this.#client.ofOccurrence(at, holder)
      // Without its type the object is null, so its fields are not told besides.
      if (key !== null && paths.has(pathKey(object, object.length))) continue
      if (!isFirst && paths.size >= MAX_COPIES) return true
      isFirst = false
      const path = key === null ? object : [...object, key]
      paths.set(pathKey(path, path.length), path)
    }
    return false
  }

  /**
   * Whether the client would get the field, or the object with its type. Objects of some types may have the
   * field from elsewhere. `hasKey`: by type, what is known.
   */
  #isThere({ slot, at, key, isOwn }: Holder, occurrence: number, hasKey: Map<TypeId, boolean>): boolean {
    const type = this.#occurrences.type(at, occurrence)
    if (key === null)
      return (
        type === NO_RUNTIME_TYPE &&
        this.#plan.shapes[at]?.some((shape) => !needsNoType(this.#occurrences, shape, occurrence, type)) ===
          true
      )
    let isThere = hasKey.get(type)
    if (isThere === undefined) {
      isThere = possibleFields(this.#plan, at, type).some(
        (field) => field.key === key && (!isOwn || (field.kind === 'field' && field.source?.slot === slot)),
      )
      hasKey.set(type, isThere)
    }
    return isThere
  }

  /** The slot itself, or the nearest one above it that has objects: those below were not given. */
  #reached(position: PositionId, slot: number): { readonly position: PositionId; readonly slot: number } {
    let at = this.#occurrences.position(position)
    let own = slot
    while (this.#occurrences.count(at.id) === 0) {
      const provider = at.providers[own]
      if (provider?.kind !== 'inline' || at.parent < 0) break
      own = provider.slot
      at = this.#occurrences.position(at.parent)
    }
    return { position: at.id, slot: own }
  }

  /** Whether an object of a slot is missing because the answer of its fetch lacks it. */
  #lacks(position: PositionId, slot: number, occurrence: number, isMissing: IsMissing): boolean {
    if (this.#occurrences.object(position, slot, occurrence) !== null) return false
    const origin = this.#origin(position, slot)
    if (origin === null) return false
    const { provider } = origin
    if (provider.kind === 'root') return isMissing(-1, -1)
    const number = this.#client.ancestor(position, occurrence, origin.position)
    const entity = this.#store.linkOf(origin.position, origin.slot)?.[number] ?? -1
    return entity >= 0 && isMissing(provider.part, entity)
  }

  #fetchOf(position: PositionId, slot: number): FetchId | null {
    return this.#origin(position, slot)?.provider.fetch ?? null
  }

  #origin(position: PositionId, slot: number): Origin | null {
    let at = this.#occurrences.position(position)
    let own = slot
    for (;;) {
      const provider = at.providers[own]
      if (provider === undefined) return null
      if (provider.kind !== 'inline') return { position: at.id, slot: own, provider }
      if (at.parent < 0) return null
      own = provider.slot
      at = this.#occurrences.position(at.parent)
    }
  }
}

function add<Value>(lists: Map<FetchId, Value[]>, fetch: FetchId | null, value: Value): void {
  if (fetch === null) return
  const list = lists.get(fetch)
  if (list === undefined) lists.set(fetch, [value])
  else list.push(value)
}

/** Whether the text was not in the set; now it is. */
function isNew(seen: Set<string>, text: string): boolean {
  if (seen.has(text)) return false
  seen.add(text)
  return true
}

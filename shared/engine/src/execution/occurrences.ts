import type { FetchId, Plan, Position, PositionId, Provider, TypeId } from '../plan/plan.ts'
import { isJsonObject, type JsonObject, read } from './json-object.ts'
import { collectObjects } from './object-lists.ts'
import type { ResponseStore } from './response-store.ts'
import type { TypeFacts } from './type-facts.ts'

/** No subgraph has said what type the object is. */
export const NO_TYPE = -1
/** A subgraph named a type that the supergraph does not have. */
export const UNKNOWN_TYPE = -2

/** What a fetch did not give: a value, the object that should have it, or it was not even asked for that object. */
export type Lack = 'value' | 'object' | 'unasked'

/**
 * The run-time objects of one position. Those below one occurrence of the parent are the numbers from `starts[parent]`
 * up to, but not including, `starts[parent + 1]`.
 */
type Table = {
  readonly count: number
  readonly starts: readonly number[]
  readonly parents: readonly number[]
  /** Objects of slot 0. */
  readonly objects: readonly (JsonObject | null)[]
  /** Of the other slots, as they are asked for. */
  readonly slots: ((JsonObject | null)[] | undefined)[]
  readonly types: (TypeId | undefined)[]
}

/**
 * Numbers the objects of every position and finds them again, slot by slot. Tables are made from the answers when they
 * are first needed and kept once all fetches they depend on are settled.
 */
export class Occurrences {
  readonly #plan: Plan
  readonly #store: ResponseStore
  readonly #facts: TypeFacts
  readonly #tables: (Table | undefined)[]
  /** Positions whose providers returned lists of different lengths. */
  readonly mismatched = new Set<PositionId>()

  constructor(plan: Plan, store: ResponseStore, facts: TypeFacts) {
    this.#plan = plan
    this.#store = store
    this.#facts = facts
    this.#tables = plan.positions.map(() => undefined)
  }

  count(position: PositionId): number {
    return this.#table(position).count
  }

  /** False only when it is certain, from what has been answered so far, that the position has no occurrence. */
  mayExist(id: PositionId): boolean {
    const position = this.position(id)
    const [provider] = position.providers
    if (position.parent < 0) return true
    const decisive = provider?.kind === 'inline' ? position : this.position(position.parent)
    return !this.#isReady(decisive, decisive.providers[0]) || this.count(id) > 0
  }

  /** First occurrence below this occurrence of the parent, and the one after the last. */
  start(position: PositionId, parent: number): number {
    return this.#table(position).starts[parent] ?? 0
  }

  parent(position: PositionId, occurrence: number): number {
    return this.#table(position).parents[occurrence] ?? 0
  }

  object(position: PositionId, slot: number, occurrence: number): JsonObject | null {
    const table = this.#table(position)
    if (slot === 0) return table.objects[occurrence] ?? null
    return (table.slots[slot] ?? this.#slot(table, position, slot))[occurrence] ?? null
  }

  /** Of an object that the slot does not have: whether its fetch was asked for it. */
  lack(id: PositionId, slot: number, occurrence: number): Lack {
    const { parent, providers } = this.position(id)
    const provider = providers[slot]
    if (provider?.kind === 'entity')
      return (this.#store.linkOf(id, slot)?.[occurrence] ?? -1) < 0 ? 'unasked' : 'object'
    if (provider?.kind !== 'inline' || parent < 0) return 'object'
    const above = this.parent(id, occurrence)
    return this.object(parent, provider.slot, above) === null
      ? this.lack(parent, provider.slot, above)
      : 'object'
  }

  /** Why a call gave nothing at all; null where it gave an answer. */
  failureCode(fetch: FetchId): string | null {
    return this.#store.answer(fetch)?.failure?.code ?? null
  }

  /** Value of a key as the given slot sent it; undefined if that slot has no object here. */
  value(position: PositionId, slot: number, occurrence: number, key: string): unknown {
    const object = this.object(position, slot, occurrence)
    return object === null ? undefined : read(object, key)
  }

  /** Type of the object, or NO_TYPE or UNKNOWN_TYPE. May be an interface when an interface object answered. */
  type(position: PositionId, occurrence: number): TypeId {
    const described = this.position(position)
    if (described.objectType !== null) return described.objectType
    const { types } = this.#table(position)
    const known = types[occurrence]
    if (known !== undefined) return known
    const name = this.typeName(position, occurrence)
    if (name === null) return NO_TYPE
    const type = this.#facts.idOf(name) ?? UNKNOWN_TYPE
    types[occurrence] = type
    return type
  }

  /** The `__typename` that was sent for an object whose type is not known at plan time. */
  typeName(position: PositionId, occurrence: number): string | null {
    for (const { slot, key } of this.position(position).typename) {
      const name = this.value(position, slot, occurrence, key)
      if (typeof name === 'string') return name
    }
    return null
  }

  position(id: PositionId): Position {
    const position = this.#plan.positions[id]
    if (position === undefined) throw new RangeError(`The plan has no position ${id}.`)
    return position
  }

  #table(id: PositionId): Table {
    const known = this.#tables[id]
    if (known !== undefined) return known
    const position = this.position(id)
    const table = this.#build(position)
    if (this.#isReady(position, position.providers[0])) this.#tables[id] = table
    return table
  }

  #build(position: Position): Table {
    const [provider] = position.providers
    const objects: (JsonObject | null)[] = []
    if (position.id === 0) {
      objects.push(provider?.kind === 'root' ? this.#store.root(provider.fetch) : null)
      return table([0, 1], [0], objects)
    }
    const starts: number[] = []
    const parents: number[] = []
    const parentCount = this.count(position.parent)
    for (let parent = 0; parent < parentCount; parent++) {
      starts.push(objects.length)
      if (!this.#isGuarded(position, parent)) this.#collect(position, provider, parent, objects)
      while (parents.length < objects.length) parents.push(parent)
    }
    starts.push(objects.length)
    return table(starts, parents, objects)
  }

  #isGuarded({ guard, parent }: Position, occurrence: number): boolean {
    return guard !== null && !guard.includes(this.type(parent, occurrence))
  }

  #collect(position: Position, provider: Provider | undefined, parent: number, into: (JsonObject | null)[]) {
    if (provider?.kind === 'root') {
      into.push(this.#store.root(provider.fetch))
    } else if (provider?.kind === 'inline') {
      const objects: JsonObject[] = []
      collectObjects(this.value(position.parent, provider.slot, parent, provider.key), objects)
      for (const object of objects) into.push(object)
    }
  }

  #slot(table: Table, id: PositionId, slot: number): (JsonObject | null)[] {
    const position = this.position(id)
    const provider = position.providers[slot]
    if (provider === undefined) return []
    const objects = this.#slotObjects(table, position, slot, provider)
    if (this.#isReady(position, provider)) table.slots[slot] = objects
    return objects
  }

  #slotObjects(table: Table, position: Position, slot: number, provider: Provider): (JsonObject | null)[] {
    switch (provider.kind) {
      case 'root':
        return table.objects.map(() => this.#store.root(provider.fetch))
      case 'entity':
        return this.#store.linked(position.id, slot, provider.fetch, provider.part, table.count)
      case 'inline':
        return this.#inStep(table, position, provider)
      default:
        return provider satisfies never
    }
  }

  /** A second provider of the same value: its objects are found at the places where slot 0 has its own. */
  #inStep(table: Table, position: Position, provider: Provider & { kind: 'inline' }) {
    const [first] = position.providers
    const objects: (JsonObject | null)[] = []
    const parentCount = table.starts.length - 1
    for (let parent = 0; parent < parentCount; parent++) {
      const end = table.starts[parent + 1] ?? 0
      if (end === table.starts[parent]) continue
      const other = this.value(position.parent, provider.slot, parent, provider.key)
      if (first?.kind === 'inline') {
        const value = this.value(position.parent, first.slot, parent, first.key)
        if (!collectObjects(value, null, other, objects)) this.mismatched.add(position.id)
      } else {
        objects.push(isJsonObject(other) ? other : null)
      }
      while (objects.length < end) objects.push(null)
    }
    return objects
  }

  #isReady(position: Position, provider: Provider | undefined): boolean {
    if (provider === undefined) return true
    if (provider.kind !== 'inline') return this.#store.isSettled(provider.fetch)
    if (position.parent < 0) return true
    const parent = this.position(position.parent)
    return this.#isReady(parent, parent.providers[provider.slot])
  }
}

function table(
  starts: readonly number[],
  parents: readonly number[],
  objects: readonly (JsonObject | null)[],
): Table {
  return { count: objects.length, starts, parents, objects, slots: [], types: [] }
}

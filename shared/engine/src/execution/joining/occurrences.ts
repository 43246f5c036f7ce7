import { type FetchId, NO_RUNTIME_TYPE, type PositionId, type TypeId, typeId } from '../../ids/ids.ts'
import type { Plan, Position, Provider } from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import { atOnce, type SlicedWork } from '../../work/slices.ts'
import { isJsonObject, type JsonObject, read } from '../../json/json-object.ts'
import { CompanionWork, SlotWork, type Table, TableWork } from './occurrence-tables.ts'
import type { Preparation } from './preparations.ts'
import type { ResponseStore } from './response-store.ts'
import type { TypeFacts } from './type-facts.ts'

type InlineProvider = Extract<Provider, { readonly kind: 'inline' }>

/** The type of an object for which a subgraph named a type that the supergraph does not have. */
export const UNKNOWN_TYPE = typeId(-2)

/**
 * The reason why a fetch left a value out: the value is missing, the object that should have it is missing,
 * or the fetch was not asked for that object.
 */
export type Lack = 'value' | 'object' | 'unasked'

/**
 * Numbers the objects of every position and finds them again, slot by slot. Tables are made from the answers
 * when they are first needed and kept once all fetches they depend on are settled.
 */
export class Occurrences {
  readonly #plan: Plan
  readonly #store: ResponseStore
  readonly #facts: TypeFacts
  readonly #budget: WorkBudget
  readonly #tables: (Table | undefined)[]
  /** Positions for which two subgraphs sent lists of different lengths. */
  readonly mismatched = new Set<PositionId>()

  constructor(plan: Plan, store: ResponseStore, facts: TypeFacts, budget: WorkBudget) {
    this.#plan = plan
    this.#budget = budget
    this.#store = store
    this.#facts = facts
    this.#tables = plan.positions.map(() => undefined)
  }

  count(position: PositionId): number {
    return this.#table(position).count
  }

  /**
   * False only when it is certain, from what has been answered so far, that the position has no occurrence.
   */
  mayExist(id: PositionId): boolean {
    const position = this.position(id)
    const [provider] = position.providers
    if (position.parent < 0) return true
    const decisive = provider?.kind === 'inline' ? position : this.position(position.parent)
    return !this.#isReady(decisive, decisive.providers[0]) || this.count(id) > 0
  }

  /**
   * Number of the first object below an object of the parent. That of the next parent is one more than the
   * last number.
   */
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

  /** Why a slot has no object here. */
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

  /** The error code of a fetch that failed as a whole, or null. */
  failureCode(fetch: FetchId): string | null {
    return this.#store.answer(fetch)?.failure?.code ?? null
  }

  /** The value of a key in the object of a slot; undefined if the slot has no object here. */
  value(position: PositionId, slot: number, occurrence: number, key: string): unknown {
    const object = this.object(position, slot, occurrence)
    return object === null ? undefined : read(object, key)
  }

  /**
   * Type of the object, or NO_RUNTIME_TYPE or UNKNOWN_TYPE. May be an interface when an interface object
   * answered.
   */
  type(position: PositionId, occurrence: number): TypeId {
    const described = this.position(position)
    if (described.objectType !== null) return described.objectType
    const { types } = this.#table(position)
    const known = types[occurrence]
    if (known !== undefined) return known
    const name = this.typeName(position, occurrence)
    if (name === null) return NO_RUNTIME_TYPE
    const type = this.#facts.idOf(name) ?? UNKNOWN_TYPE
    types[occurrence] = type
    return type
  }

  /** The `__typename` that a subgraph sent for an object whose runtime type the plan does not know. */
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
    const building = this.#tableWork(this.position(id))
    atOnce(new Counted(building, this.#budget))
    return this.#keep(building)
  }

  #slot(table: Table, id: PositionId, slot: number): (JsonObject | null)[] {
    const building = this.#slotWork(table, this.position(id), slot)
    atOnce(new Counted(building, this.#budget))
    return this.#keepSlot(table, id, slot, building)
  }

  /**
   * Makes a table, or the objects of one of its slots; null if it is there, or cannot be kept yet. What it
   * needs must be there.
   */
  prepare({ position: id, slot }: Preparation): SlicedWork | null {
    const position = this.position(id)
    if (!this.#isReady(position, position.providers[slot])) return null
    const table = this.#tables[id]
    if (slot === 0)
      return table === undefined
        ? new Counted(this.#tableWork(position), this.#budget, (made) => this.#keep(made))
        : null
    if (table === undefined || table.slots[slot] !== undefined) return null
    return new Counted(this.#slotWork(table, position, slot), this.#budget, (made) =>
      this.#keepSlot(table, id, slot, made),
    )
  }

  #keep({ position, table }: TableWork): Table {
    if (this.#isReady(position, position.providers[0])) this.#tables[position.id] = table
    return table
  }

  #keepSlot(
    table: Table,
    id: PositionId,
    slot: number,
    { objects, isEqual }: SlotWork | CompanionWork,
  ): (JsonObject | null)[] {
    const position = this.position(id)
    if (!isEqual) this.mismatched.add(id)
    if (this.#isReady(position, position.providers[slot])) table.slots[slot] = objects
    return objects
  }

  #tableWork(position: Position): TableWork {
    const [provider] = position.providers
    const root = provider?.kind === 'root' ? this.#store.root(provider.fetch) : undefined
    if (position.id === 0) return new TableWork(position, 1, () => root ?? null)
    const valueOf = (parent: number): unknown => {
      if (this.#isGuarded(position, parent)) return undefined
      return provider?.kind === 'inline'
        ? this.value(position.parent, provider.slot, parent, provider.key)
        : root
    }
    return new TableWork(position, this.count(position.parent), valueOf)
  }

  #isGuarded({ guard, parent }: Position, occurrence: number): boolean {
    return guard !== null && !guard.includes(this.type(parent, occurrence))
  }

  #slotWork(table: Table, position: Position, slot: number): SlotWork | CompanionWork {
    const provider = position.providers[slot]
    switch (provider?.kind) {
      case undefined:
        return new SlotWork(0, () => null)
      case 'root': {
        const root = this.#store.root(provider.fetch)
        return new SlotWork(table.count, () => root)
      }
      case 'entity': {
        const link = this.#store.linkOf(position.id, slot)
        const entities = this.#store.entities(provider.fetch, provider.part)
        return new SlotWork(table.count, (occurrence) => {
          const index = link?.[occurrence] ?? -1
          const entity = index < 0 ? null : entities?.[index]
          return isJsonObject(entity) ? entity : null
        })
      }
      case 'inline':
        return this.#inStep(table, position, provider)
      default:
        return provider satisfies never
    }
  }

  /**
   * The objects of a second provider of the same value, at the list indices at which slot 0 has its objects.
   */
  #inStep({ starts }: Table, position: Position, provider: InlineProvider): CompanionWork {
    const [first] = position.providers
    const valueOf = ({ slot, key }: InlineProvider, parent: number) =>
      this.value(position.parent, slot, parent, key)
    return new CompanionWork(
      starts,
      (parent) => (first?.kind === 'inline' ? valueOf(first, parent) : null),
      (parent) => valueOf(provider, parent),
    )
  }

  #isReady(position: Position, provider: Provider | undefined): boolean {
    if (provider === undefined) return true
    if (provider.kind !== 'inline') return this.#store.isSettled(provider.fetch)
    if (position.parent < 0) return true
    const parent = this.position(position.parent)
    return this.#isReady(parent, parent.providers[provider.slot])
  }
}

/**
 * Steps of the budget that each object or item counts as. Its table stays until the answer is written, so it
 * costs more than the time that making it takes.
 */
const STEPS_PER_OBJECT = 2

type CountedWork = SlicedWork & { readonly steps: number }

/** Takes the steps of some work from a budget, and keeps the result of the work. */
class Counted<Work extends CountedWork> implements SlicedWork {
  readonly #work: Work
  readonly #budget: WorkBudget
  readonly #keep: ((work: Work) => unknown) | null

  constructor(work: Work, budget: WorkBudget, keep: ((work: Work) => unknown) | null = null) {
    this.#work = work
    this.#budget = budget
    this.#keep = keep
  }

  proceed(steps: number): boolean {
    const before = this.#work.steps
    const isDone = this.#work.proceed(steps)
    this.#budget.step((this.#work.steps - before) * STEPS_PER_OBJECT)
    if (isDone) this.#keep?.(this.#work)
    return isDone
  }
}

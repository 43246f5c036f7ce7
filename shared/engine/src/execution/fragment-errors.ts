import type { Fetch, GroupId, ObjectShape, Plan, PositionId, ShapeField } from '../plan/plan.ts'
import type { Path } from './client-paths.ts'
import type { ResponseError } from './contract.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import { type DeliveryPlan, groupsOf } from './delivery-plan.ts'
import type { FragmentProgress } from './fragment-progress.ts'
import { ordinalOf } from './object-lists.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn, showsType } from './prepared-plan.ts'

type Reported = {
  readonly error: ResponseError
  /** Groups that may show it; the first of them that is still to be delivered does. */
  readonly groups: readonly GroupId[]
}

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/** A field on the way of a path, and the object it leads to; null if it is a leaf, or which object is not known. */
type Step = {
  readonly field: ShapeField
  /** The object that has the field; its number is -1 if it is not known. */
  readonly holder: { readonly position: PositionId; readonly occurrence: number }
  readonly object: { readonly position: PositionId; readonly occurrence: number } | null
  /** There is no object at this place. */
  readonly isNull: boolean
  /** All groups that lost something, where the subgraph did not give the object that has the field. */
  readonly losers: readonly GroupId[] | null
}

/** Decides which part of the response shows what a subgraph reported: the one that delivers the field, or would have. */
export class FragmentErrors {
  readonly #plan: Plan
  readonly #delivery: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #delivered: DeliveredObjects
  readonly #progress: FragmentProgress
  #waiting: Reported[] = []

  constructor(
    plan: Plan,
    delivery: DeliveryPlan,
    occurrences: Occurrences,
    delivered: DeliveredObjects,
    progress: FragmentProgress,
  ) {
    this.#plan = plan
    this.#delivery = delivery
    this.#occurrences = occurrences
    this.#delivered = delivered
    this.#progress = progress
  }

  add(error: ResponseError, fetch: Fetch | null): void {
    this.#waiting.push({ error, groups: this.#groups(error.path ?? [], fetch) })
  }

  /** Those that this group is the one to show. Never heard of: what could not be fetched for objects that the client does not have. */
  take(group: GroupId): readonly ResponseError[] {
    const taken: ResponseError[] = []
    this.#waiting = this.#waiting.filter(({ error, groups }) => {
      if (groups.find((other) => this.#progress.isOpen(other)) !== group) return true
      if (this.#isForClient(error.path ?? [], group)) taken.push(error)
      return false
    })
    return taken
  }

  #isForClient(path: Path, group: GroupId): boolean {
    for (const { field, holder, object, isNull } of this.#walk(path)) {
      // Nothing is known yet of what is still to be delivered.
      const deliverer = this.#progress.delivererOf(groupsOf(field), holder.position, holder.occurrence)
      if (deliverer !== null && this.#progress.isOpen(deliverer)) return true
      if (isNull) return false
      if (object === null) continue
      const { position, occurrence } = object
      if (!this.#delivered.has(position, occurrence)) return false
      if (!this.#progress.reaches(group, position, occurrence)) return false
    }
    return true
  }

  #groups(path: Path, fetch: Fetch | null): readonly GroupId[] {
    const steps = this.#walk(path)
    // What failed may have taken an object further up with it: that one has to be explained.
    const step = steps.find(({ isNull, losers }) => isNull || losers !== null) ?? steps.at(-1)
    const field = step?.field
    const owners = step?.losers ?? (field === undefined ? [] : groupsOf(field))
    if (fetch === null) return [...owners, 0]
    const served = [...this.#delivery.served(fetch.id)].sort((a, b) => a - b)
    const both = owners.filter((group) => served.includes(group))
    // The object of a fragment is there already; what is lost are the fields that the fetch would have added to it.
    const untyped = steps.find(
      (some) =>
        some.field.kind === 'field' && this.#lacksType(some.field, some.object?.occurrence ?? null, fetch),
    )
    if (untyped !== undefined) return [...groupsOf(untyped.field), ...served, fetch.group]
    const isObject = field === undefined || (field.kind === 'field' && objectIn(field.node) !== null)
    return isObject
      ? [...both, ...served, fetch.group, ...owners]
      : [...both, ...owners, ...served, fetch.group]
  }

  /** Whether a fetch should have told the type of the objects of a field, and did not: then they are null. */
  #lacksType({ node }: DataField, occurrence: number | null, fetch: Fetch): boolean {
    const shape = objectIn(node)
    if (shape === null || !showsType(shape)) return false
    const { position } = shape
    const { providers, typename } = this.#occurrences.position(position)
    const tells = typename.some(({ slot }) => {
      const provider = providers[slot]
      return provider?.kind === 'entity' && provider.fetch === fetch.id
    })
    if (!tells) return false
    if (occurrence !== null) return this.#occurrences.type(position, occurrence) < 0
    const count = this.#occurrences.count(position)
    for (let some = 0; some < count; some++) if (this.#occurrences.type(position, some) < 0) return true
    return false
  }

  /** The fields along a path, as far as the client selected them. */
  #walk(path: Path): readonly Step[] {
    const steps: Step[] = []
    let shape: ObjectShape | null = this.#plan.shape
    let occurrence = 0
    for (let i = 0; i < path.length && shape !== null; ) {
      const key = path[i]
      const indices: number[] = []
      for (i++; typeof path[i] === 'number'; i++) indices.push(Number(path[i]))
      const field: ShapeField | undefined = this.#fields(shape, occurrence).find((other) => other.key === key)
      if (field === undefined) break
      const step = this.#step(field, shape, occurrence, indices)
      steps.push(step)
      occurrence = step.object?.occurrence ?? -1
      shape = field.kind === 'field' ? objectIn(field.node) : null
    }
    return steps
  }

  #fields(shape: ObjectShape, occurrence: number): readonly ShapeField[] {
    return occurrence < 0
      ? shape.cases.flatMap(({ fields }) => fields)
      : fieldsFor(shape, this.#occurrences.type(shape.position, occurrence))
  }

  #step(field: ShapeField, shape: ObjectShape, occurrence: number, indices: readonly number[]): Step {
    const holder = { position: shape.position, occurrence }
    const nothing = { field, holder, object: null, isNull: false, losers: null }
    if (field.kind !== 'field' || occurrence < 0) return nothing
    const below = objectIn(field.node)
    const losers = this.#losers(field, shape, occurrence)
    if (below === null || losers !== null) return { ...nothing, isNull: below !== null, losers }
    const { position } = below
    const first = this.#occurrences.start(position, occurrence)
    if (field.source === null) return { ...nothing, object: { position, occurrence: first } }
    const value = this.#occurrences.value(shape.position, field.source.slot, occurrence, field.source.key)
    const ordinal = ordinalOf(value, indices)
    const object = ordinal < 0 ? null : { position, occurrence: first + ordinal }
    return { ...nothing, object, isNull: isNothing(value, indices) }
  }

  /** What one subgraph should have given of an object is lost as a whole when it gives null in its place. */
  #losers({ source }: DataField, shape: ObjectShape, occurrence: number): readonly GroupId[] | null {
    if (source === null || this.#occurrences.object(shape.position, source.slot, occurrence) !== null)
      return null
    const lost = this.#fields(shape, occurrence).filter(
      (other) => other.kind === 'field' && other.source?.slot === source.slot,
    )
    return [...new Set(lost.flatMap(groupsOf))].sort((a, b) => a - b)
  }
}

function isNothing(value: unknown, indices: readonly number[]): boolean {
  let inner = value
  for (const index of indices) inner = Array.isArray(inner) ? inner[index] : null
  return inner === null || inner === undefined
}

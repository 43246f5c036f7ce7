/**
 * Counts what an answer has cost, as a whole or part by part. A part counts for what it adds, so the parts of
 * an answer cost together as much as the same answer in one piece.
 */
import type { PositionId, TypeId } from '../ids/ids.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { countObjects } from '../json/object-lists.ts'
import type { ObjectShape, Plan, ShapeField } from '../plan/contract/plan.ts'
import { argumentsCost, type CostVariables, GivenArguments, InputCosts } from './argument-costs.ts'
import type { CaseFacts, FieldFacts, PlanFacts, ShapeFacts, ValueFacts } from './plan-facts.ts'
import type { CostlyField } from './weights.ts'

/** Values that are counted at most, of those that may cost something: about ten milliseconds. */
const MOST_COUNTED = 200_000

/** The number of fields up to which looking for each takes less time than looking at those that are there. */
const FEW_FIELDS = 8

/** The number of an object whose type does not matter. */
const NO_NUMBER = -1

/** The objects that subgraphs sent, by the numbers that they have at their positions. */
export interface RuntimeObjects {
  /** Runtime type; none that the object may have where no subgraph has named it. */
  type(position: PositionId, occurrence: number): TypeId
  /** Number of the first object below an object of the parent position. */
  start(position: PositionId, parent: number): number
  /** The value of a key in the object of a slot. */
  value(position: PositionId, slot: number, occurrence: number, key: string): unknown
}

/** The number of the next object in a value. */
type Numbers = { next: number }

/** Counts one answer. */
export class AnswerCost {
  readonly #facts: PlanFacts
  readonly #plan: Plan
  readonly #variables: CostVariables
  readonly #arguments = new Map<ShapeField, number>()
  readonly #inputs: InputCosts
  #objects: RuntimeObjects | null = null
  #counted = 0
  #sum: number

  constructor(plan: Plan, facts: PlanFacts, variables: CostVariables, mutation: number) {
    this.#plan = plan
    this.#facts = facts
    this.#variables = variables
    this.#inputs = new InputCosts(facts.weights.inputs)
    this.#sum = plan.kind === 'mutation' ? mutation : 0
  }

  /**
   * Whether the answer alone does not tell what it has cost, because objects of types that cost differently
   * look alike in it.
   */
  get needsObjects(): boolean {
    return this.#facts.root.needsObjects
  }

  /** The cost that was counted so far, or null if the answer has more values than are counted. */
  get total(): number | null {
    return this.#counted > MOST_COUNTED ? null : this.#sum
  }

  /**
   * Adds an answer, or the first part of one. `objects` are the objects that it was made of, where needed.
   */
  addData(data: JsonObject | null, objects: RuntimeObjects | null): void {
    if (data !== null) this.#sum += this.added(this.#plan.shape, 0, data, objects)
  }

  /**
   * Returns the cost of the fields that a later part adds to an object, which itself was counted when it
   * came. The caller passes this cost to `add` if the fields are delivered.
   */
  added(shape: ObjectShape, occurrence: number, data: JsonObject, objects: RuntimeObjects | null): number {
    if (this.total === null) return 0
    this.#objects = this.#facts.root.needsObjects ? objects : null
    return this.#object(this.#facts.of(shape), occurrence, data, 0)
  }

  add(cost: number): void {
    this.#sum += cost
  }

  /**
   * Returns the cost of an object. `weight` is the weight of the object itself, or null for the weight of its
   * type.
   */
  #object(shape: ShapeFacts, occurrence: number, data: JsonObject, weight: number | null): number {
    const { position, cases, byType } = shape
    // null: it does not matter, since objects of types that cost differently look different.
    const type =
      this.#objects === null || occurrence === NO_NUMBER ? null : this.#objects.type(position, occurrence)
    const known = type === null ? undefined : byType.get(type)
    if (known !== undefined) return this.#fields(known, position, occurrence, data, weight)
    let most = 0
    for (const each of cases) {
      if (type === null && cases.length > 1 && !hasFieldsOf(each, data)) continue
      most = Math.max(most, this.#fields(each, position, occurrence, data, weight))
    }
    return most
  }

  /** A part may have few of many fields: looking for all of them in each part would take long. */
  #fields(
    { weight: usual, fields }: CaseFacts,
    position: PositionId,
    occurrence: number,
    data: JsonObject,
    weight: number | null,
  ): number {
    let sum = weight ?? usual
    if (this.#plan.deferred && fields.size > FEW_FIELDS) {
      for (const key in data) {
        const field = Object.hasOwn(data, key) ? fields.get(key) : undefined
        if (field !== undefined) sum += this.#field(field, data[key], position, occurrence)
      }
    } else
      for (const [key, field] of fields)
        if (Object.hasOwn(data, key)) sum += this.#field(field, data[key], position, occurrence)
    return sum
  }

  #field(facts: FieldFacts, value: unknown, position: PositionId, occurrence: number): number {
    let most = this.#ofOne(facts, value, position, occurrence)
    for (const other of facts.others) most = Math.max(most, this.#ofOne(other, value, position, occurrence))
    return most
  }

  #ofOne(facts: FieldFacts, value: unknown, position: PositionId, occurrence: number): number {
    const own = facts.hasArguments ? this.#argumentsOf(facts.field) : 0
    const { numbered } = facts
    if (numbered === null || this.#objects === null || occurrence === NO_NUMBER)
      return own + this.#value(facts.value, value, null, null)
    const numbers = { next: this.#objects.start(numbered, occurrence) }
    const { source } = facts.field
    // The root object, which is returned once more, is sent by nobody.
    const sent = source === null ? value : this.#objects.value(position, source.slot, occurrence, source.key)
    return own + this.#value(facts.value, value, numbers, sent)
  }

  /**
   * Returns the cost of a value. `numbers` are those of the objects in the value as it was sent, where they
   * matter. Nulls that the client got in place of objects have numbers, too.
   */
  #value(facts: ValueFacts, value: unknown, numbers: Numbers | null, sent: unknown): number {
    if (++this.#counted > MOST_COUNTED) return 0
    if (value === null || value === undefined) {
      if (numbers !== null) numbers.next += countObjects(sent)
      return 0
    }
    if (facts.kind === 'leaf') return facts.weight
    if (facts.kind === 'list') return this.#items(facts.item, value, numbers, sent)
    if (!isJsonObject(value)) return 0
    return this.#object(facts.shape, numbers === null ? NO_NUMBER : numbers.next++, value, facts.weight)
  }

  #items(facts: ValueFacts, value: unknown, numbers: Numbers | null, sent: unknown): number {
    if (!Array.isArray(value)) return 0
    const from: readonly unknown[] = numbers !== null && Array.isArray(sent) ? sent : []
    let sum = 0
    for (let index = 0; index < value.length && this.total !== null; index++)
      sum += this.#value(facts, value[index], numbers, from[index])
    return sum
  }

  #argumentsOf(field: CostlyField): number {
    let cost = this.#arguments.get(field)
    if (cost === undefined) {
      const { args } = this.#facts.weights.ofField(field)
      cost = argumentsCost(args, new GivenArguments(field.args ?? ''), this.#variables, this.#inputs)
      this.#arguments.set(field, cost)
    }
    return cost
  }
}

/** Whether the object can be of the types of a case: it has exactly the fields that are answered for them. */
function hasFieldsOf({ keys }: CaseFacts, data: JsonObject): boolean {
  let present = 0
  for (const key in data) if (Object.hasOwn(data, key)) present++
  return present === keys.length && keys.every((key) => Object.hasOwn(data, key))
}

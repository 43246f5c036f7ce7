/**
 * The input fields and enum values that values of variables name, seen or not. No other part of a value is
 * kept. What can be seen is bounded by the schema, and nothing is done any more once all of it is.
 */
import {
  type GraphQLEnumValue,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql'

/** Operations that may name more are never complete, and counting ends. */
const MOST_COUNTED = 2000

/** Notes input fields and enum values of the variables of one operation. */
export class SeenInputs {
  /** The number of elements that the variables can name. */
  readonly #possible: number
  /** The elements of this hour. Held weakly: what notes them may outlive the schema. */
  #seen = new WeakSet<GraphQLInputField | GraphQLEnumValue>()
  #count = 0
  readonly #untold = new Set<string>()

  private constructor(possible: number) {
    this.#possible = possible
  }

  /** Null if variables of these types can name nothing. */
  static of(types: readonly GraphQLInputType[]): SeenInputs | null {
    const possible = possibleInputs(types)
    return possible === 0 ? null : new SeenInputs(possible)
  }

  /** Whether all that can be seen was seen. */
  get isComplete(): boolean {
    return this.#count >= this.#possible
  }

  /**
   * The coordinates of what was seen and not told: `Input.field` and `Enum.VALUE`. They stay until `told`.
   */
  get untold(): readonly string[] {
    return [...this.#untold]
  }

  /** The first `count` of `untold` are told. */
  told(count: number): void {
    for (const name of this.untold.slice(0, count)) this.#untold.delete(name)
  }

  see(element: GraphQLInputField | GraphQLEnumValue): void {
    if (this.#seen.has(element)) return
    this.#seen.add(element)
    this.#count++
    this.#untold.add(coordinateOf(element))
  }

  /** Everything counts as not seen again. What is not told stays so. */
  forget(): void {
    this.#seen = new WeakSet()
    this.#count = 0
  }
}

function coordinateOf(element: GraphQLInputField | GraphQLEnumValue): string {
  const { name } = 'parentEnum' in element ? element.parentEnum : element.parentType
  return `${name}.${element.name}`
}

function possibleInputs(types: readonly GraphQLInputType[]): number {
  const pending = types.map((type) => getNamedType(type))
  const counted = new Set<unknown>()
  let count = 0
  for (let type = pending.pop(); type !== undefined && count <= MOST_COUNTED; type = pending.pop()) {
    if (counted.has(type)) continue
    counted.add(type)
    if (isEnumType(type)) count += type.getValues().length
    else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        count++
        pending.push(getNamedType(field.type))
      }
    }
  }
  return count > MOST_COUNTED ? Number.POSITIVE_INFINITY : count
}

/**
 * Reads from the arguments of a field what they add to its cost: their own weights, and how many items they
 * ask for.
 */
import { Kind, type ObjectValueNode, parseValue, type ValueNode } from 'graphql'
import type { ArgumentCost, CompiledCosts, ListSize } from '../graph/compiled/compiled-graph.ts'
import { ExactNumber } from '../json/exact-number.ts'
import { isJsonObject } from '../json/json-object.ts'

/** Values of variables, coerced. */
export type CostVariables = ReadonlyMap<string, unknown>

/** The arguments of one field, as its operation gives them. */
export class GivenArguments {
  /** Whether a value depends on variables. */
  readonly hasVariables: boolean
  readonly #values: ReadonlyMap<string, ValueNode>

  /** `text` is canonical, with parentheses, and empty if there are no arguments. */
  constructor(text: string) {
    this.hasVariables = text.includes('$')
    const parsed = text === '' ? null : parseValue(`{${text.slice(1, -1)}}`, { noLocation: true })
    const fields = parsed?.kind === Kind.OBJECT ? parsed.fields : []
    this.#values = new Map(fields.map(({ name, value }) => [name.value, value]))
  }

  /**
   * Returns the value of an argument, or undefined if it has neither a value nor a default that counts. A
   * variable without a value leaves its argument out.
   */
  valueOf(name: string, { absent }: ArgumentCost, variables: CostVariables): unknown {
    const node = this.#values.get(name)
    const value = node === undefined ? undefined : valueOf(node, variables)
    return value === undefined ? absent : value
  }
}

/** Returns a value as far as costs need it: numbers and structure. Other leaves become their texts. */
function valueOf(node: ValueNode, variables: CostVariables): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables.get(node.name.value)
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.NULL:
      return null
    case Kind.LIST:
      return node.values.map((item) => valueOf(item, variables))
    case Kind.OBJECT:
      return objectOf(node, variables)
    default:
      return node.value
  }
}

function objectOf({ fields }: ObjectValueNode, variables: CostVariables): Readonly<Record<string, unknown>> {
  const entries = fields.map(({ name, value }) => [name.value, valueOf(value, variables)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** More than any list has, and few enough that products of them stay numbers. */
const MOST_ITEMS = 1e100

/**
 * The number of items that slicing arguments ask for, and how many of them are given. `size` is null if they
 * do not say it: none is given, or all that are given are null or negative. The last two may ask for any
 * number, which `asksForAny` says.
 */
export function slicedSize(
  { slicing }: ListSize,
  args: ReadonlyMap<string, ArgumentCost>,
  given: GivenArguments,
  variables: CostVariables,
): { readonly size: number | null; readonly given: number; readonly asksForAny: boolean } {
  let count = 0
  let size: number | null = null
  let isOpen = false
  for (const name of slicing) {
    const cost = args.get(name)
    const argument = cost === undefined ? undefined : given.valueOf(name, cost, variables)
    const value = numberOf(argument)
    if (argument === null || (value !== null && value < 0)) isOpen = true
    if (value === null) continue
    count++
    if (value >= 0) size = Math.min(MOST_ITEMS, Math.max(size ?? 0, value))
  }
  return { size, given: count, asksForAny: size === null && isOpen }
}

/** Custom scalars for large numbers write them as texts, or with more digits than a double has. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  const text = value instanceof ExactNumber ? value.text : value
  return typeof text === 'string' && /^-?[0-9]/.test(text) && !Number.isNaN(Number(text))
    ? Number(text)
    : null
}

/** Sums up the costs of the input object fields that the values of arguments contain. */
export class InputCosts {
  readonly #inputs: CompiledCosts['inputs']
  /**
   * Known costs by type and value. Many fields may be given one variable, which may be large, so each value
   * is looked at once.
   */
  readonly #known = new Map<string, Map<object, number>>()

  constructor(inputs: CompiledCosts['inputs']) {
    this.#inputs = inputs
  }

  /** Returns the cost of the fields of each object in the value, which may be a list. */
  of(type: string, value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0
    let known = this.#known.get(type)
    if (known === undefined) this.#known.set(type, (known = new Map<object, number>()))
    let cost = known.get(value)
    if (cost === undefined) {
      cost = this.#sum(type, value)
      known.set(value, cost)
    }
    return cost
  }

  #sum(type: string, value: object): number {
    let sum = 0
    if (Array.isArray(value)) for (const item of value) sum += this.of(type, item)
    else if (isJsonObject(value))
      for (const [name, { weight, input }] of this.#inputs.get(type) ?? []) {
        const own = value[name]
        if (own !== undefined) sum += weight + (input === null ? 0 : this.of(input, own))
      }
    return sum
  }
}

/** Returns the cost of all arguments of a field together. */
export function argumentsCost(
  args: ReadonlyMap<string, ArgumentCost>,
  given: GivenArguments,
  variables: CostVariables,
  inputs: InputCosts,
): number {
  let sum = 0
  for (const [name, cost] of args) {
    if (cost.weight === 0 && cost.input === null) continue
    const value = given.valueOf(name, cost, variables)
    if (value === undefined) continue
    sum += cost.weight + (cost.input === null ? 0 : inputs.of(cost.input, value))
  }
  return sum
}

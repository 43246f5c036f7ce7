/** What the arguments of a field say of its cost: their own weights, and how many items they ask for. */
import { Kind, type ObjectValueNode, parseValue, type ValueNode } from 'graphql'
import type { ArgumentCost, CompiledCosts, ListSize } from '../graph/compiled-graph.ts'
import { isJsonObject } from '../json/json-object.ts'

/** Values of variables, coerced. */
export type CostVariables = ReadonlyMap<string, unknown>

/** The arguments of one field, as its operation gives them. */
export class GivenArguments {
  /** Whether a value depends on variables. */
  readonly hasVariables: boolean
  readonly #values: ReadonlyMap<string, ValueNode>

  /** `text`: canonical, with parentheses; '' for none. */
  constructor(text: string) {
    this.hasVariables = text.includes('$')
    const parsed = text === '' ? null : parseValue(`{${text.slice(1, -1)}}`, { noLocation: true })
    const fields = parsed?.kind === Kind.OBJECT ? parsed.fields : []
    this.#values = new Map(fields.map(({ name, value }) => [name.value, value]))
  }

  /** undefined: it is left out, by a variable without value, too. */
  valueOf(name: string, { absent }: ArgumentCost, variables: CostVariables): unknown {
    const node = this.#values.get(name)
    const value = node === undefined ? undefined : valueOf(node, variables)
    return value === undefined ? absent : value
  }
}

/** What a value is for the purposes of costs: numbers and structure. Other leaves are their texts. */
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

/** The number of items that slicing arguments ask for, and how many of them are given. */
export function slicedSize(
  { slicing }: ListSize,
  args: ReadonlyMap<string, ArgumentCost>,
  given: GivenArguments,
  variables: CostVariables,
): { readonly size: number | null; readonly given: number } {
  let count = 0
  let size: number | null = null
  for (const name of slicing) {
    const cost = args.get(name)
    const value = cost === undefined ? undefined : given.valueOf(name, cost, variables)
    if (typeof value !== 'number') continue
    count++
    size = Math.max(size ?? 0, value)
  }
  return { size, given: count }
}

/** What the arguments of a field cost together. */
export function argumentsCost(
  args: ReadonlyMap<string, ArgumentCost>,
  given: GivenArguments,
  variables: CostVariables,
  inputs: CompiledCosts['inputs'],
): number {
  let sum = 0
  for (const [name, cost] of args) {
    if (cost.weight === 0 && cost.input === null) continue
    const value = given.valueOf(name, cost, variables)
    if (value === undefined) continue
    sum += cost.weight + (cost.input === null ? 0 : inputCost(cost.input, value, inputs))
  }
  return sum
}

/** Of the fields of each object in the value, which may be a list. */
function inputCost(type: string, value: unknown, inputs: CompiledCosts['inputs']): number {
  if (Array.isArray(value)) {
    let sum = 0
    for (const item of value) sum += inputCost(type, item, inputs)
    return sum
  }
  if (!isJsonObject(value)) return 0
  let sum = 0
  for (const [name, { weight, input }] of inputs.get(type) ?? []) {
    const own = value[name]
    if (own !== undefined) sum += weight + (input === null ? 0 : inputCost(input, own, inputs))
  }
  return sum
}

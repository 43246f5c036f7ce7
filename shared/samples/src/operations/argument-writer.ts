/**
 * Choices from a tape of numbers, and the arguments that operations give by them: literals, and variables
 * with their values.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNullableInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'

const TEXTS = ['1', '2', 'a', 'm1', 'p1', 'f1', 'h1', 'r1', 'c1', 'd"q\\']

export class ArgumentWriter {
  readonly #tape: readonly number[]
  #position = 0
  readonly #declarations: string[] = []
  /** The values of the variables. */
  readonly values: Record<string, unknown> = {}

  constructor(tape: readonly number[]) {
    this.#tape = tape
  }

  /** The variables of the operation, in brackets; empty when there are none. */
  get declarations(): string {
    return this.#declarations.length > 0 ? `(${this.#declarations.join(', ')})` : ''
  }

  /** A variable that is there once, however often it is used. */
  declare(name: string, type: string, value: () => unknown): void {
    if (this.values[name] !== undefined) return
    this.#declarations.push(`$${name}: ${type}`)
    this.values[name] = value()
  }

  /** A number below `limit`. */
  choose(limit: number): number {
    const value = this.#tape[this.#position++] ?? 0
    return limit <= 1 ? 0 : value % limit
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.choose(values.length)]
    if (value === undefined) throw new Error('Nothing to choose from')
    return value
  }

  /** The arguments of a field, in brackets; empty when it is given none. */
  of(field: GraphQLField<unknown, unknown>): string {
    const given = field.args.flatMap((arg) => {
      const required = isNonNullType(arg.type) && arg.defaultValue === undefined && arg.default === undefined
      if (!required && this.choose(2) === 0) return []
      return [`${arg.name}: ${this.#argument(arg)}`]
    })
    return given.length > 0 ? `(${given.join(', ')})` : ''
  }

  #argument(arg: GraphQLArgument): string {
    if (this.choose(3) !== 2) return this.#literal(arg.type, 0)
    const name = `v${this.#declarations.length}`
    const withDefault = this.choose(3) === 2 && !isNonNullType(arg.type)
    const fallback = withDefault ? ` = ${this.#literal(arg.type, 0)}` : ''
    this.#declarations.push(`$${name}: ${String(arg.type)}${fallback}`)
    if (isNonNullType(arg.type) || this.choose(3) > 0) this.values[name] = this.#json(arg.type, 0)
    return `$${name}`
  }

  #literal(type: GraphQLInputType, depth: number): string {
    const value = this.#json(type, depth)
    return asLiteral(type, value)
  }

  #json(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#nonNull(type.ofType, depth)
    return this.choose(6) === 5 ? null : this.#nonNull(type, depth)
  }

  #nonNull(type: GraphQLNullableInputType, depth: number): unknown {
    if (isListType(type)) {
      return Array.from({ length: this.choose(3) }, () => this.#json(type.ofType, depth + 1))
    }
    if (isEnumType(type)) return this.pick(type.getValues()).name
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || (depth < 3 && this.choose(2) === 1),
      )
      return Object.fromEntries(fields.map((field) => [field.name, this.#json(field.type, depth + 1)]))
    }
    switch (type.name) {
      case 'Int':
        return this.choose(4)
      case 'Float':
        return this.choose(4) / 2
      case 'Boolean':
        return this.choose(2) === 0
      default:
        return this.pick(TEXTS)
    }
  }
}

function asLiteral(type: GraphQLInputType, value: unknown): string {
  if (isNonNullType(type)) return asLiteral(type.ofType, value)
  if (value === null) return 'null'
  if (isListType(type) && Array.isArray(value)) {
    return `[${value.map((item) => asLiteral(type.ofType, item)).join(', ')}]`
  }
  if (isEnumType(type) && typeof value === 'string') return value
  if (isInputObjectType(type) && typeof value === 'object' && value !== null) {
    const fields = type.getFields()
    const parts = Object.entries(value).map(([name, child]) => {
      const field = fields[name]
      if (field === undefined) throw new Error(`${type.name} has no field ${name}`)
      return `${name}: ${asLiteral(field.type, child)}`
    })
    return `{ ${parts.join(', ')} }`
  }
  return JSON.stringify(value)
}

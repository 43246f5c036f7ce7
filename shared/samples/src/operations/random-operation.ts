/**
 * A random operation that is valid for a schema, made from a tape of numbers: each decision takes the next number, and
 * zero, also the value of the end of the tape, is always the simplest choice. A shorter tape with smaller numbers is a
 * smaller operation, so shrinking the tape shrinks the operation.
 */
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  type GraphQLNullableInputType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
} from 'graphql'

export type SampleOperation = {
  readonly name: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

export type RandomOperationOptions = {
  /** Names that fields are given at times. By default those that are hard to get right. */
  readonly aliases?: readonly string[]
  /** By default mutations, too, where there are some. */
  readonly queriesOnly?: boolean
}

const HARD_ALIASES = [
  'a',
  'b',
  'id',
  'name',
  'constructor',
  'toString',
  '__proto__',
  'key',
  'valueOf',
  '_e0',
  '_s0',
]
const TEXTS = ['1', '2', 'a', 'm1', 'p1', 'f1', 'h1', 'r1', 'c1', 'd"q\\']
const MAX_DEPTH = 6

export function randomOperation(
  schema: GraphQLSchema,
  tape: readonly number[],
  options: RandomOperationOptions = {},
): SampleOperation {
  const generator = new OperationGenerator(schema, tape, options)
  return generator.operation()
}

/** A field on the way from a root type to another type. `on` is the type it is selected on. */
export type Step = { readonly on: GraphQLCompositeType; readonly field: string }

export type CoveringTarget = {
  readonly kind: 'query' | 'mutation'
  readonly path: readonly Step[]
  readonly on: GraphQLCompositeType
  readonly fields: readonly string[]
}

/** An operation that asks for named fields of one type, and for little else. */
export function coveringOperation(
  schema: GraphQLSchema,
  tape: readonly number[],
  target: CoveringTarget,
): SampleOperation {
  return new OperationGenerator(schema, tape, { aliases: [] }).covering(target)
}

class OperationGenerator {
  readonly #schema: GraphQLSchema
  readonly #tape: readonly number[]
  readonly #aliases: readonly string[]
  readonly #queriesOnly: boolean
  #position = 0
  /** Response keys of the whole operation by what they mean, so that no two fields can conflict. */
  readonly #meanings = new Map<string, string>()
  readonly #fragments: string[] = []
  readonly #fragmentNames = new Map<string, string[]>()
  readonly #declarations: string[] = []
  readonly #values: Record<string, unknown> = {}

  constructor(schema: GraphQLSchema, tape: readonly number[], options: RandomOperationOptions) {
    this.#schema = schema
    this.#tape = tape
    this.#aliases = options.aliases ?? HARD_ALIASES
    this.#queriesOnly = options.queriesOnly === true
  }

  operation(): SampleOperation {
    const mutation = this.#queriesOnly ? null : this.#schema.getMutationType()
    const kind = mutation && this.#choose(3) > 0 ? 'mutation' : 'query'
    const root = kind === 'mutation' ? mutation : this.#schema.getQueryType()
    if (root === null || root === undefined) throw new Error('The schema has no query type')
    const selection = this.#selection(root, 0)
    const variables = this.#declarations.length > 0 ? `(${this.#declarations.join(', ')})` : ''
    return {
      name: 'random',
      query: [`${kind} Random${variables} ${selection}`, ...this.#fragments].join('\n'),
      variables: this.#values,
    }
  }

  covering({ kind, path, on, fields }: CoveringTarget): SampleOperation {
    const root = kind === 'query' ? this.#schema.getQueryType() : this.#schema.getMutationType()
    if (root === null || root === undefined) throw new Error(`The schema has no ${kind} type`)
    let at: GraphQLCompositeType = root
    let open = ''
    let close = ''
    const enter = (type: GraphQLCompositeType) => {
      if (type === at) return
      open += `... on ${type.name} { `
      close = ` }${close}`
      at = type
    }
    for (const step of path) {
      enter(step.on)
      const field = isUnionType(step.on) ? undefined : step.on.getFields()[step.field]
      const child = field === undefined ? undefined : getNamedType(field.type)
      if (field === undefined || !isCompositeType(child)) throw new Error(`${step.field} leads nowhere`)
      open += `${field.name}${this.#arguments(field)} { `
      close = ` }${close}`
      at = child
    }
    enter(on)
    const wanted = isUnionType(on)
      ? ['__typename']
      : fields.flatMap((name) => {
          const field = on.getFields()[name]
          if (field === undefined) return []
          const child = getNamedType(field.type)
          const below = isCompositeType(child) ? ` ${this.#shallow(child)}` : ''
          return [`${field.name}${this.#arguments(field)}${below}`]
        })
    const text = `{ ${open}${wanted.join(' ')}${close} }`
    const variables = this.#declarations.length > 0 ? `(${this.#declarations.join(', ')})` : ''
    return { name: 'covering', query: `${kind} Covering${variables} ${text}`, variables: this.#values }
  }

  /** The name of the type and up to three fields of it that need nothing. */
  #shallow(type: GraphQLCompositeType): string {
    if (isUnionType(type)) {
      const [member] = type.getTypes()
      return member === undefined
        ? '{ __typename }'
        : `{ __typename ... on ${member.name} ${this.#shallow(member)} }`
    }
    const simple = Object.values(type.getFields()).filter(
      (field) => !isCompositeType(getNamedType(field.type)) && field.args.length === 0,
    )
    const start = simple.length > 3 ? this.#choose(simple.length - 2) : 0
    return `{ ${['__typename', ...simple.slice(start, start + 3).map(({ name }) => name)].join(' ')} }`
  }

  /** A number below `limit`. */
  #choose(limit: number): number {
    const value = this.#tape[this.#position++] ?? 0
    return limit <= 1 ? 0 : value % limit
  }

  #pick<Value>(values: readonly Value[]): Value {
    const value = values[this.#choose(values.length)]
    if (value === undefined) throw new Error('Nothing to choose from')
    return value
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const parts: string[] = []
    for (let left = 1 + this.#choose(4); left > 0; left--) parts.push(this.#part(type, depth))
    return `{ ${parts.join(' ')} }`
  }

  #part(type: GraphQLCompositeType, depth: number): string {
    switch (this.#choose(8)) {
      case 5:
        return `${this.#alias('__typename', 'String!')}__typename${this.#condition()}`
      case 6:
        return depth < MAX_DEPTH ? this.#inlineFragment(type, depth) : this.#field(type, depth)
      case 7:
        return depth < MAX_DEPTH ? this.#spread(type, depth) : this.#field(type, depth)
      default:
        return this.#field(type, depth)
    }
  }

  #field(type: GraphQLCompositeType, depth: number): string {
    if (isUnionType(type)) {
      return depth < MAX_DEPTH ? this.#inlineFragment(type, depth) : '__typename'
    }
    const fields = Object.values(type.getFields()).filter(
      (field) => depth < MAX_DEPTH || !isCompositeType(getNamedType(field.type)),
    )
    if (fields.length === 0) return '__typename'
    const field = this.#pick(fields)
    const args = this.#arguments(field)
    const alias = this.#alias(field.name, `${field.name}${args}:${String(field.type)}`)
    const child = getNamedType(field.type)
    const below = isCompositeType(child) ? ` ${this.#selection(child, depth + 1)}` : ''
    return `${alias}${field.name}${args}${this.#condition()}${below}`
  }

  /** `alias: ` or nothing. A key that already means something else is avoided. */
  #alias(field: string, meaning: string): string {
    const wanted = this.#choose(3) === 2 && this.#aliases.length > 0 ? this.#pick(this.#aliases) : field
    for (const key of [wanted, field, `x${this.#meanings.size}`]) {
      const known = this.#meanings.get(key)
      if (known !== undefined && known !== meaning) continue
      this.#meanings.set(key, meaning)
      return key === field ? '' : `${key}: `
    }
    throw new Error('A fresh key is always free')
  }

  #inlineFragment(type: GraphQLCompositeType, depth: number): string {
    const target = this.#overlapping(type)
    const condition =
      !isUnionType(type) && target === type && this.#choose(2) === 1 ? '' : ` on ${target.name}`
    return `...${condition}${this.#condition()} ${this.#selection(target, depth + 1)}`
  }

  #spread(type: GraphQLCompositeType, depth: number): string {
    const target = this.#overlapping(type)
    const known = this.#fragmentNames.get(target.name) ?? []
    if (known.length > 0 && this.#choose(2) === 1) return `...${this.#pick(known)}${this.#condition()}`
    const selection = this.#selection(target, depth + 1)
    const name = `F${this.#fragments.length}`
    // Known to later spreads only, so fragments cannot be cyclic.
    this.#fragments.push(`fragment ${name} on ${target.name} ${selection}`)
    this.#fragmentNames.set(target.name, [...known, name])
    return `...${name}${this.#condition()}`
  }

  #overlapping(type: GraphQLCompositeType): GraphQLCompositeType {
    const candidates = Object.values(this.#schema.getTypeMap()).filter(
      (other): other is GraphQLCompositeType =>
        isCompositeType(other) && !other.name.startsWith('__') && overlap(this.#schema, type, other),
    )
    return this.#pick([type, ...candidates])
  }

  #condition(): string {
    const kind = this.#choose(12)
    if (kind < 9) return ''
    const value = this.#choose(2) === 0 ? String(this.#choose(2) === 0) : `$${this.#conditionVariable()}`
    return kind === 9 ? ` @include(if: ${value})` : ` @skip(if: ${value})`
  }

  #conditionVariable(): string {
    const name = `c${this.#choose(3)}`
    if (this.#values[name] === undefined) {
      this.#declarations.push(`$${name}: Boolean!`)
      this.#values[name] = this.#choose(2) === 0
    }
    return name
  }

  #arguments(field: GraphQLField<unknown, unknown>): string {
    const given = field.args.flatMap((arg) => {
      const required = isNonNullType(arg.type) && arg.defaultValue === undefined && arg.default === undefined
      if (!required && this.#choose(2) === 0) return []
      return [`${arg.name}: ${this.#argument(arg)}`]
    })
    return given.length > 0 ? `(${given.join(', ')})` : ''
  }

  #argument(arg: GraphQLArgument): string {
    if (this.#choose(3) !== 2) return this.#literal(arg.type, 0)
    const name = `v${this.#declarations.length}`
    const withDefault = this.#choose(3) === 2 && !isNonNullType(arg.type)
    const fallback = withDefault ? ` = ${this.#literal(arg.type, 0)}` : ''
    this.#declarations.push(`$${name}: ${String(arg.type)}${fallback}`)
    if (isNonNullType(arg.type) || this.#choose(3) > 0) this.#values[name] = this.#json(arg.type, 0)
    return `$${name}`
  }

  #literal(type: GraphQLInputType, depth: number): string {
    const value = this.#json(type, depth)
    return asLiteral(type, value)
  }

  #json(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#nonNull(type.ofType, depth)
    return this.#choose(6) === 5 ? null : this.#nonNull(type, depth)
  }

  #nonNull(type: GraphQLNullableInputType, depth: number): unknown {
    if (isListType(type)) {
      return Array.from({ length: this.#choose(3) }, () => this.#json(type.ofType, depth + 1))
    }
    if (isEnumType(type)) return this.#pick(type.getValues()).name
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || (depth < 3 && this.#choose(2) === 1),
      )
      return Object.fromEntries(fields.map((field) => [field.name, this.#json(field.type, depth + 1)]))
    }
    switch (type.name) {
      case 'Int':
        return this.#choose(4)
      case 'Float':
        return this.#choose(4) / 2
      case 'Boolean':
        return this.#choose(2) === 0
      default:
        return this.#pick(TEXTS)
    }
  }
}

function overlap(schema: GraphQLSchema, a: GraphQLCompositeType, b: GraphQLCompositeType): boolean {
  const possible = (type: GraphQLCompositeType) =>
    isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
  const names = new Set(possible(a).map(({ name }) => name))
  return possible(b).some(({ name }) => names.has(name))
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

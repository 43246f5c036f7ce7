/**
 * A random operation that is valid for a schema, made from a tape of numbers: each decision takes the next
 * number, and zero, also the value of the end of the tape, is always the simplest choice. A shorter tape with
 * smaller numbers is a smaller operation, so shrinking the tape shrinks the operation.
 */
import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isUnionType,
} from 'graphql'
import { ArgumentWriter } from './argument-writer.ts'
import type { SampleOperation } from './sample-operation.ts'

export type RandomOperationOptions = {
  /** Names that fields are given at times. By default those that are hard to get right. */
  readonly aliases?: readonly string[]
  /** True if only queries are generated. By default there are mutations, too, if the schema has some. */
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
const MAX_DEPTH = 6

export function randomOperation(
  schema: GraphQLSchema,
  tape: readonly number[],
  options: RandomOperationOptions = {},
): SampleOperation {
  const generator = new OperationGenerator(schema, tape, options)
  return generator.operation()
}

class OperationGenerator {
  readonly #schema: GraphQLSchema
  readonly #arguments: ArgumentWriter
  readonly #aliases: readonly string[]
  readonly #queriesOnly: boolean
  /** Response keys of the whole operation by what they mean, so that no two fields can conflict. */
  readonly #meanings = new Map<string, string>()
  readonly #fragments: string[] = []
  readonly #fragmentNames = new Map<string, string[]>()

  constructor(schema: GraphQLSchema, tape: readonly number[], options: RandomOperationOptions) {
    this.#schema = schema
    this.#arguments = new ArgumentWriter(tape)
    this.#aliases = options.aliases ?? HARD_ALIASES
    this.#queriesOnly = options.queriesOnly === true
  }

  operation(): SampleOperation {
    const mutation = this.#queriesOnly ? null : this.#schema.getMutationType()
    const kind = mutation && this.#arguments.choose(3) > 0 ? 'mutation' : 'query'
    const root = kind === 'mutation' ? mutation : this.#schema.getQueryType()
    if (root === null || root === undefined) throw new Error('The schema has no query type')
    const selection = this.#selection(root, 0)
    const { declarations, values } = this.#arguments
    return {
      name: 'random',
      query: [`${kind} Random${declarations} ${selection}`, ...this.#fragments].join('\n'),
      variables: values,
    }
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const parts: string[] = []
    for (let left = 1 + this.#arguments.choose(4); left > 0; left--) parts.push(this.#part(type, depth))
    return `{ ${parts.join(' ')} }`
  }

  #part(type: GraphQLCompositeType, depth: number): string {
    switch (this.#arguments.choose(8)) {
      case 5:
        // Nobody tells the type of what has none that clients see.
        if (isAbstractType(type) && this.#schema.getPossibleTypes(type).length === 0)
          return this.#field(type, depth)
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
    const field = this.#arguments.pick(fields)
    const args = this.#arguments.of(field)
    const alias = this.#alias(field.name, `${field.name}${args}:${String(field.type)}`)
    const child = getNamedType(field.type)
    const below = isCompositeType(child) ? ` ${this.#selection(child, depth + 1)}` : ''
    return `${alias}${field.name}${args}${this.#condition()}${below}`
  }

  /** `alias: ` or nothing. A key that already means something else is avoided. */
  #alias(field: string, meaning: string): string {
    const wanted =
      this.#arguments.choose(3) === 2 && this.#aliases.length > 0
        ? this.#arguments.pick(this.#aliases)
        : field
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
      !isUnionType(type) && target === type && this.#arguments.choose(2) === 1 ? '' : ` on ${target.name}`
    return `...${condition}${this.#condition()} ${this.#selection(target, depth + 1)}`
  }

  #spread(type: GraphQLCompositeType, depth: number): string {
    const target = this.#overlapping(type)
    const known = this.#fragmentNames.get(target.name) ?? []
    if (known.length > 0 && this.#arguments.choose(2) === 1)
      return `...${this.#arguments.pick(known)}${this.#condition()}`
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
    return this.#arguments.pick([type, ...candidates])
  }

  #condition(): string {
    const kind = this.#arguments.choose(12)
    if (kind < 9) return ''
    const value =
      this.#arguments.choose(2) === 0
        ? String(this.#arguments.choose(2) === 0)
        : `$${this.#conditionVariable()}`
    return kind === 9 ? ` @include(if: ${value})` : ` @skip(if: ${value})`
  }

  #conditionVariable(): string {
    const name = `c${this.#arguments.choose(3)}`
    this.#arguments.declare(name, 'Boolean!', () => this.#arguments.choose(2) === 0)
    return name
  }
}

function overlap(schema: GraphQLSchema, a: GraphQLCompositeType, b: GraphQLCompositeType): boolean {
  const possible = (type: GraphQLCompositeType) =>
    isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
  const names = new Set(possible(a).map(({ name }) => name))
  return possible(b).some(({ name }) => names.has(name))
}

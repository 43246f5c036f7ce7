/** The types of the client's schema, made on demand. */
import {
  assertInputType,
  assertInterfaceType,
  assertObjectType,
  assertOutputType,
  type GraphQLArgumentConfig,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLType,
  GraphQLUnionType,
  specifiedScalarTypes,
} from 'graphql'
import type { ApiField, ApiInput, ApiType } from './compiled/compiled-api.ts'
import { exactLiteral } from './exact-literals.ts'
import { SharedIndex } from './shared-index.ts'

/** Looks up the definition of a type by its name. */
export type Definitions = { get(name: string): ApiType | undefined }

/** The places of definitions by their names. */
export const API_POSITIONS = new SharedIndex<ApiType, number>(
  (definitions) => new Map(definitions.map(({ name }, position) => [name, position])),
)

/** The definitions by their names. The list must not change any more. */
export function definitionsByName(definitions: readonly ApiType[]): Definitions {
  const positions = API_POSITIONS.of(definitions)
  return {
    get: (name) => {
      const position = positions.get(name)
      return position === undefined ? undefined : definitions[position]
    },
  }
}

/** Makes the types of the client schema from plain data, each when it is first asked for. */
export class ApiTypes {
  readonly #definitions: Definitions
  /** Types by their notation: `Product`, `[Product!]`. */
  readonly #types = new Map<string, GraphQLType>()
  readonly #named = new Map<string, GraphQLNamedType>()

  constructor(definitions: Definitions) {
    this.#definitions = definitions
  }

  type(text: string): GraphQLType {
    let type = this.#types.get(text)
    if (type === undefined) {
      type = this.#make(text)
      this.#types.set(text, type)
    }
    return type
  }

  /** Whether the schema defines the type. */
  has(name: string): boolean {
    return this.#definitions.get(name) !== undefined
  }

  /** Its fields are made when they are first asked for. */
  named(name: string): GraphQLNamedType {
    let type = this.#named.get(name)
    if (type === undefined) {
      type = specifiedScalar(name) ?? this.#defined(name)
      this.#named.set(name, type)
    }
    return type
  }

  object(name: string): GraphQLObjectType {
    return assertObjectType(this.named(name))
  }

  arguments(args: readonly ApiInput[]): Record<string, GraphQLArgumentConfig> {
    return this.#inputs(args)
  }

  #make(text: string): GraphQLType {
    if (text.endsWith('!')) {
      const inner = this.type(text.slice(0, -1))
      // No supergraph that parses writes two in a row.
      if (inner instanceof GraphQLNonNull) return inner
      return new GraphQLNonNull(inner)
    }
    return text.startsWith('[') ? new GraphQLList(this.type(text.slice(1, -1))) : this.named(text)
  }

  #defined(name: string): GraphQLNamedType {
    const definition = this.#definitions.get(name)
    if (definition === undefined) throw new RangeError(`The client's schema has no type "${name}".`)
    return this.#define(definition)
  }

  #define(definition: ApiType): GraphQLNamedType {
    const { name, description } = definition
    switch (definition.kind) {
      case 'scalar': {
        const scalar = new GraphQLScalarType({ name, description, specifiedByURL: definition.specifiedByURL })
        scalar.coerceInputLiteral = exactLiteral
        return scalar
      }
      case 'object':
      case 'interface': {
        const config = {
          name,
          description,
          interfaces: () => definition.interfaces.map((face) => assertInterfaceType(this.named(face))),
          fields: () => this.#fields(definition.fields),
        }
        return definition.kind === 'object' ? new GraphQLObjectType(config) : new GraphQLInterfaceType(config)
      }
      case 'union':
        return new GraphQLUnionType({
          name,
          description,
          types: () => definition.types.map((member) => this.object(member)),
        })
      case 'enum':
        return new GraphQLEnumType({
          name,
          description,
          values: byName(definition.values, ({ description, deprecationReason }) => ({
            description,
            deprecationReason,
          })),
        })
      case 'input':
        return new GraphQLInputObjectType({
          name,
          description,
          fields: () => this.#inputs(definition.fields),
          isOneOf: definition.isOneOf,
        })
      default:
        return definition satisfies never
    }
  }

  #fields(fields: readonly ApiField[]): Record<string, GraphQLFieldConfig<unknown, unknown>> {
    return byName(fields, ({ type, description, args, deprecationReason }) => ({
      type: assertOutputType(this.type(type)),
      description,
      args: this.#inputs(args),
      deprecationReason,
    }))
  }

  #inputs(inputs: readonly ApiInput[]): Record<string, GraphQLInputFieldConfig & GraphQLArgumentConfig> {
    return byName(inputs, ({ type, description, default: literal, deprecationReason }) => ({
      type: assertInputType(this.type(type)),
      description,
      default: literal === undefined ? undefined : { literal },
      deprecationReason,
    }))
  }
}

function specifiedScalar(name: string): GraphQLScalarType | undefined {
  return specifiedScalarTypes.find((specified) => specified.name === name)
}

/** Without a prototype: a field may be called `__proto__`. */
function byName<Item extends { readonly name: string }, Value>(
  items: readonly Item[],
  make: (item: Item) => Value,
): Record<string, Value> {
  const map: Record<string, Value> = Object.create(null)
  for (const item of items) map[item.name] = make(item)
  return map
}

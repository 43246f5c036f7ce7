/**
 * A schema of graphql-js whose types were collected beforehand.
 *
 * `new GraphQLSchema` looks for types in every field and argument, in one go: for 12,000 types that holds up
 * the event loop for 40 ms and more. Here a large schema is built by adding one type after the other instead,
 * with pauses.
 */
import {
  type GraphQLDirective,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  isInterfaceType,
  isObjectType,
} from 'graphql'

type Implementations = {
  readonly objects: GraphQLObjectType[]
  readonly interfaces: GraphQLInterfaceType[]
}

/**
 * Types by name, in the order in which introspection lists them, and which of them implement an interface.
 */
export class KnownTypes {
  /** Without a prototype: a type may be called `__proto__`. */
  readonly byName: Record<string, GraphQLNamedType> = Object.create(null)
  readonly #implementations = new Map<string, Implementations>()

  /** A type is added once, whoever names it again. */
  add(type: GraphQLNamedType): void {
    if (this.byName[type.name] !== undefined) return
    this.byName[type.name] = type
    if (!isObjectType(type) && !isInterfaceType(type)) return
    for (const { name } of type.getInterfaces()) {
      const found = this.#implementations.get(name) ?? { objects: [], interfaces: [] }
      this.#implementations.set(name, found)
      if (isObjectType(type)) found.objects.push(type)
      else found.interfaces.push(type)
    }
  }

  implementationsOf(name: string): Implementations {
    return this.#implementations.get(name) ?? { objects: [], interfaces: [] }
  }
}

/** Everything a schema consists of, with its types collected already. */
export type KnownSchema = {
  readonly description: string | undefined
  readonly query: GraphQLObjectType | undefined
  readonly mutation: GraphQLObjectType | undefined
  readonly subscription: GraphQLObjectType | undefined
  readonly directives: readonly GraphQLDirective[]
  /** All of them, those of directives and of introspection as well. */
  readonly types: KnownTypes
}

/** Assumed valid. */
export class KnownTypesSchema extends GraphQLSchema {
  readonly #known: KnownSchema

  constructor(known: KnownSchema) {
    super({ description: known.description, directives: [], assumeValid: true })
    this.#known = known
  }

  override getQueryType() {
    return this.#known.query
  }

  override getMutationType() {
    return this.#known.mutation
  }

  override getSubscriptionType() {
    return this.#known.subscription
  }

  override getTypeMap() {
    return this.#known.types.byName
  }

  override getImplementations(type: GraphQLInterfaceType) {
    return this.#known.types.implementationsOf(type.name)
  }

  override getDirectives() {
    return this.#known.directives
  }
}

/**
 * A schema of graphql-js that makes its types when they are first asked for.
 *
 * `new GraphQLSchema` looks for types in every field and argument, in one go: for 12,000 types that holds up
 * the event loop for 40 ms and more, and all types together take 160 MB. The operations of a graph need few
 * of them.
 */
import {
  type GraphQLDirective,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  GraphQLSchema,
} from 'graphql'
import type { ClientTypes } from './client-types.ts'

/** Everything a schema consists of. */
export type KnownSchema = {
  readonly description: string | undefined
  readonly query: GraphQLObjectType | undefined
  readonly mutation: GraphQLObjectType | undefined
  readonly subscription: GraphQLObjectType | undefined
  readonly directives: readonly GraphQLDirective[]
  /** All of them, those of directives and of introspection as well. */
  readonly types: ClientTypes
}

/** Assumed valid. */
export class KnownTypesSchema extends GraphQLSchema {
  readonly #known: KnownSchema

  constructor(known: KnownSchema) {
    super({ description: known.description, directives: [], assumeValid: true })
    this.#known = known
  }

  /** The names of all types, in the order of introspection. */
  get typeNames(): readonly string[] {
    return [...this.#known.types.names]
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

  override getType(name: string) {
    return this.#known.types.get(name)
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

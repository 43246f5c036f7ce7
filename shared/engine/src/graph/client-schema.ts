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
export type ClientSchemaParts = {
  readonly description: string | undefined
  readonly query: GraphQLObjectType | undefined
  readonly mutation: GraphQLObjectType | undefined
  readonly subscription: GraphQLObjectType | undefined
  readonly directives: readonly GraphQLDirective[]
  /** All of them, those of directives and of introspection as well. */
  readonly types: ClientTypes
}

/** Assumed valid. */
export class ClientSchema extends GraphQLSchema {
  readonly #parts: ClientSchemaParts

  constructor(parts: ClientSchemaParts) {
    super({ description: parts.description, directives: [], assumeValid: true })
    this.#parts = parts
  }

  /** The names of all types, in the order of introspection. */
  get typeNames(): readonly string[] {
    return [...this.#parts.types.names]
  }

  override getQueryType() {
    return this.#parts.query
  }

  override getMutationType() {
    return this.#parts.mutation
  }

  override getSubscriptionType() {
    return this.#parts.subscription
  }

  override getType(name: string) {
    return this.#parts.types.get(name)
  }

  override getTypeMap() {
    return this.#parts.types.byName
  }

  override getImplementations(type: GraphQLInterfaceType) {
    return this.#parts.types.implementationsOf(type.name)
  }

  override getDirectives() {
    return this.#parts.directives
  }
}

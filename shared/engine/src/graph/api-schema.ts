/**
 * The schema clients see: the supergraph without the definitions that only composition and routers use, and
 * without everything `@inaccessible`.
 *
 * The result is not validated: composition has done that, and a router should rather serve a graph with a
 * small defect (an interface field that only hidden objects lack) than refuse it.
 */
import {
  GraphQLDeferDirective,
  GraphQLDirective,
  type GraphQLNamedType,
  GraphQLSchema,
  parse,
  specifiedDirectives,
} from 'graphql'
import { ApiTypes, definitionsByName } from './api-types.ts'
import { compileApi } from './compile-api.ts'
import type { CompiledApi } from './compiled/compiled-api.ts'
import { ClientTypes } from './client-types.ts'
import { ClientSchema } from './client-schema.ts'

/** Both forms of the schema clients see. */
export type ApiSchemas = {
  /**
   * `@defer` is not declared here, because incremental delivery is a property of the server, not of the
   * graph.
   */
  readonly announced: GraphQLSchema
  /**
   * The schema that operations are checked against. Documents may always use `@defer`, also where incremental
   * delivery is off and deferred fragments are treated as ordinary ones; introspection announces it only
   * where it is on.
   */
  readonly accepted: GraphQLSchema
}

/** Builds the schema that clients see from the SDL of a supergraph. Throws graphql-js's syntax errors. */
export function buildApiSchema(supergraphSdl: string): GraphQLSchema {
  return buildSchemas(compileApi(parse(supergraphSdl, { noLocation: true }))).announced
}

/** Both schemas at once. Their types are made when they are first asked for. */
export function buildSchemas(api: CompiledApi): ApiSchemas {
  const made = new ApiTypes(definitionsByName(api.types))
  const declared = api.directives.map(
    (directive) => new GraphQLDirective({ ...directive, args: made.arguments(directive.args) }),
  )
  const specified = specifiedDirectives.filter(({ name }) => declared.every((other) => other.name !== name))
  const directives = [...declared, ...specified]
  const rootType = (name: string | undefined) => (name === undefined ? undefined : made.object(name))
  const announced = {
    description: api.description,
    query: rootType(api.query),
    mutation: rootType(api.mutation),
    subscription: rootType(api.subscription),
    directives,
    types: new ClientTypes(api.types, made, typesOfDirectives(directives)),
  }
  return {
    announced: new ClientSchema(announced),
    accepted: new ClientSchema({ ...announced, directives: withDefer(directives) }),
  }
}

/** The types of arguments of directives, and those of introspection. */
function typesOfDirectives(directives: readonly GraphQLDirective[]): readonly GraphQLNamedType[] {
  return Object.values(new GraphQLSchema({ directives, assumeValid: true }).getTypeMap())
}

/** The directives with `@defer` among them. */
function withDefer(directives: readonly GraphQLDirective[]): readonly GraphQLDirective[] {
  const isDeclared = directives.some(({ name }) => name === GraphQLDeferDirective.name)
  return isDeclared ? directives : [...directives, GraphQLDeferDirective]
}

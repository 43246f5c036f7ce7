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
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  specifiedDirectives,
} from 'graphql'
import { ApiTypes } from './api-types.ts'
import { compileApi } from './compile-api.ts'
import type { CompiledApi } from './compiled/compiled-api.ts'
import { KnownTypesSchema, KnownTypes } from './known-types-schema.ts'

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

/** Both schemas at once. Takes long for a large graph: see `buildInSteps`. */
export function buildSchemas(api: CompiledApi): ApiSchemas {
  const steps = buildInSteps(api)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Builds the schemas. Yields after each piece of work, so that the caller can let others run in between. */
export function* buildInSteps(api: CompiledApi): Generator<undefined, ApiSchemas> {
  const made = new ApiTypes(api.types)
  const types = new KnownTypes()
  // graphql-js makes fields when they are first asked for: here, and not when a request needs them.
  for (const { name } of api.types) {
    const type = made.named(name)
    if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) type.getFields()
    if (isUnionType(type)) type.getTypes()
    if (isEnumType(type)) type.getValues()
    types.add(type)
    for (const scalar of made.specifiedInUse) types.add(scalar)
    yield
  }
  const declared = api.directives.map(
    (directive) => new GraphQLDirective({ ...directive, args: made.arguments(directive.args) }),
  )
  const specified = specifiedDirectives.filter(({ name }) => declared.every((other) => other.name !== name))
  const directives = [...declared, ...specified]
  for (const type of typesOfDirectives(directives)) types.add(type)
  const rootType = (name: string | undefined) => (name === undefined ? undefined : made.object(name))
  const announced = {
    description: api.description,
    query: rootType(api.query),
    mutation: rootType(api.mutation),
    subscription: rootType(api.subscription),
    directives,
    types,
  }
  return {
    announced: new KnownTypesSchema(announced),
    accepted: new KnownTypesSchema({ ...announced, directives: withDefer(directives) }),
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

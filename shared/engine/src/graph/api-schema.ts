/**
 * The schema clients see: the supergraph without its machinery and without everything `@inaccessible`.
 *
 * The result is assumed valid: composition has validated it already, and a router must rather serve a graph with a
 * blemish (an interface field that only hidden objects lack) than refuse it.
 */
import {
  GraphQLDeferDirective,
  GraphQLDirective,
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
import type { CompiledApi } from './compiled-api.ts'

export type ApiSchemas = {
  /** `@defer` is not declared here, because incremental delivery is a property of the server, not of the graph. */
  readonly announced: GraphQLSchema
  /**
   * What operations are checked against. Documents may always use `@defer`, also where incremental delivery is off and
   * deferred fragments are treated as ordinary ones; introspection announces it only where it is on.
   */
  readonly accepted: GraphQLSchema
}

export function buildApiSchema(supergraphSdl: string): GraphQLSchema {
  return buildSchemas(compileApi(parse(supergraphSdl, { noLocation: true }))).announced
}

export function buildSchemas(api: CompiledApi): ApiSchemas {
  const steps = buildInSteps(api)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Yields after each piece of work, so that whoever builds a large schema can let others run in between. */
export function* buildInSteps(api: CompiledApi): Generator<undefined, ApiSchemas> {
  const types = new ApiTypes(api.types)
  const named = api.types.map(({ name }) => types.named(name))
  // graphql-js makes fields when they are first asked for: here, and not all at once when the schema is put together.
  for (const type of named) {
    if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) type.getFields()
    if (isObjectType(type) || isInterfaceType(type)) type.getInterfaces()
    if (isUnionType(type)) type.getTypes()
    if (isEnumType(type)) type.getValues()
    yield
  }
  const directives = api.directives.map(
    (directive) => new GraphQLDirective({ ...directive, args: types.arguments(directive.args) }),
  )
  const config = {
    description: api.description,
    query: api.query === undefined ? undefined : types.object(api.query),
    mutation: api.mutation === undefined ? undefined : types.object(api.mutation),
    subscription: api.subscription === undefined ? undefined : types.object(api.subscription),
    types: named,
    directives: [
      ...directives,
      ...specifiedDirectives.filter(({ name }) => directives.every((other) => other.name !== name)),
    ],
    assumeValid: true,
  }
  const announced = new GraphQLSchema(config)
  return { announced, accepted: withDefer(announced) }
}

/**
 * The same types and look-ups under one more directive: putting a large schema together a second time takes long. It is in
 * the list only, as graphql-js executes nothing, introspection included, on a schema where it finds `@defer` by name.
 */
function withDefer(announced: GraphQLSchema): GraphQLSchema {
  if (announced.getDirective(GraphQLDeferDirective.name) !== undefined) return announced
  const directives = [...announced.getDirectives(), GraphQLDeferDirective]
  return Object.create(announced, { getDirectives: { value: () => directives } })
}

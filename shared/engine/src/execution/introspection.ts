import { executeSync, type GraphQLFormattedError, type GraphQLSchema, parse } from 'graphql'
import type { Graph } from '../graph/graph.ts'
import type { IntrospectionPart } from '../plan/plan.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'

export type IntrospectionResult = {
  readonly data: JsonObject | null
  readonly errors: readonly GraphQLFormattedError[]
}

/** Different introspection queries kept per schema: tools send the same few again and again. */
const MAX_RESULTS = 16

const results = new WeakMap<GraphQLSchema, Map<string, IntrospectionResult>>()

/** Answers `__schema` and `__type` from the API schema; null where neither is asked for. */
export function introspect(
  graph: Graph,
  part: IntrospectionPart | null,
  variables: ReadonlyMap<string, unknown>,
): IntrospectionResult | null {
  if (part === null) return null
  // Tools refuse operations with directives that introspection does not show.
  const schema = part.showsDefer ? graph.validationSchema : graph.apiSchema
  const variableValues: Record<string, unknown> = {}
  for (const name of part.variables) if (variables.has(name)) variableValues[name] = variables.get(name)
  const key = `${JSON.stringify(variableValues)} ${part.document}`
  let known = results.get(schema)
  if (known === undefined) results.set(schema, (known = new Map()))
  const found = known.get(key)
  if (found !== undefined) return found

  const { data, errors } = executeSync({ schema, document: parse(part.document), variableValues })
  // graphql-js builds objects without a prototype, which are slow to turn into text.
  const plain: unknown = JSON.parse(JSON.stringify(data ?? null))
  const result: IntrospectionResult = {
    data: isJsonObject(plain) ? plain : null,
    errors: (errors ?? []).map(({ message, path }) => (path === undefined ? { message } : { message, path })),
  }
  const [oldest] = known.keys()
  if (known.size >= MAX_RESULTS && oldest !== undefined) known.delete(oldest)
  known.set(key, result)
  return result
}

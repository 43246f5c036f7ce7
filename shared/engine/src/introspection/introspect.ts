/** Answers `__schema` and `__type` from the API schema. */
import type { GraphQLSchema } from 'graphql'
import type { Graph } from '../graph/graph.ts'
import { JsonText } from '../json/json-text.ts'
import { RequestError } from '../operation/operation-error.ts'
import type { IntrospectionPart } from '../operation/normalise/normalised.ts'
import { WorkBudget } from '../work/budget.ts'
import { atOnce, inSlices, type Turns } from '../work/slices.ts'
import { introspectionShape } from './shape.ts'
import { CHARACTERS_PER_STEP, IntrospectionWriter } from './writer.ts'

/**
 * The results of introspection by response key. The values are `JsonText`, or plain: an answer is larger than
 * the schema, and only the client reads it.
 */
export type IntrospectionResult = Readonly<Record<string, unknown>>

/**
 * Characters of an answer. What tools usually ask of a schema with 2000 types takes 4 to 16 million, by how
 * many arguments and descriptions it has.
 */
export const DEFAULT_INTROSPECTION_SIZE = 16 * 1024 * 1024

type Variables = ReadonlyMap<string, unknown>

/** Equal for introspections of one graph that have the same answer. */
export function introspectionKey(part: IntrospectionPart, variables: Variables): string {
  return `${part.showsDefer} ${JSON.stringify(valuesOf(part, variables))} ${part.document}`
}

/** Throws, or rejects with, a `RequestError` when the answer would be larger than `maxSize` characters. */
export async function introspectInTurns(
  graph: Graph,
  part: IntrospectionPart,
  variables: Variables,
  { maxSize, turns }: { readonly maxSize: number; readonly turns: Turns },
): Promise<IntrospectionResult> {
  const writer = writerOf(graph, part, variables, maxSize)
  await inSlices(writer, turns)
  return Object.fromEntries([...writer.texts].map(([key, text]) => [key, new JsonText(text)]))
}

/** The same in one go, as plain values. */
export function introspect(
  graph: Graph,
  part: IntrospectionPart,
  variables: Variables,
  maxSize = DEFAULT_INTROSPECTION_SIZE,
): IntrospectionResult {
  const writer = writerOf(graph, part, variables, maxSize)
  atOnce(writer)
  return Object.fromEntries([...writer.texts].map(([key, text]) => [key, JSON.parse(text)]))
}

function writerOf(
  graph: Graph,
  part: IntrospectionPart,
  variables: Variables,
  maxSize: number,
): IntrospectionWriter {
  const budget = new WorkBudget(maxSize / CHARACTERS_PER_STEP, () => tooLarge(maxSize))
  const shape = introspectionShape(schemaOf(graph, part), part, valuesOf(part, variables), budget)
  return new IntrospectionWriter(shape, budget)
}

/** Tools refuse operations with directives that introspection does not show. */
function schemaOf(graph: Graph, { showsDefer }: IntrospectionPart): GraphQLSchema {
  return showsDefer ? graph.validationSchema : graph.apiSchema
}

function valuesOf(part: IntrospectionPart, variables: Variables): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const name of part.variables) if (variables.has(name)) values[name] = variables.get(name)
  return values
}

function tooLarge(maxSize: number): RequestError {
  return new RequestError('operation', 'OPERATION_LIMIT_EXCEEDED', [
    `The answer to the introspection would be larger than the ${maxSize} characters allowed. Expected fewer aliases in it, or fewer lists within lists.`,
  ])
}

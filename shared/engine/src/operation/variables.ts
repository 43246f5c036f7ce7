import { getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { builtInNumbers } from './exact-inputs.ts'
import { RequestError } from './operation-error.ts'

export type ConditionVariables = {
  readonly all: Iterable<string>
  /** Those in `@skip` and `@include`; one in `@defer` alone may be absent. */
  readonly required: ReadonlySet<string>
}

/**
 * CoerceVariableValues() of the specification, https://spec.graphql.org/draft/#CoerceVariableValues(). The values are
 * in the wire form that goes to subgraphs: enum values by name, custom scalars as they came, defaults applied. A
 * variable that was not given and has no default is absent from the result; an explicit null is present. `raw` may hold
 * `ExactNumber`s, as `parseExactly` gives them.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  conditions: ConditionVariables,
  raw: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, unknown> {
  const inputs = builtInNumbers(schema, operation, raw)
  const result = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, { maxErrors: 50 })
  if (result.errors !== undefined) throw new RequestError('variables', 'BAD_USER_INPUT', result.errors)
  const values = new Map(Object.entries(result.variableValues.coerced))
  for (const name of conditions.all) {
    const isOptional = !conditions.required.has(name)
    if (typeof values.get(name) === 'boolean' || (isOptional && !values.has(name))) continue
    const what = isOptional ? 'a fragment is deferred' : 'fields are included'
    const instead = isOptional ? 'true, false or absent, not null' : 'true or false, not null or absent'
    throw new RequestError('variables', 'BAD_USER_INPUT', [
      `Variable "$${name}" decides whether ${what}, so it must be ${instead}.`,
    ])
  }
  return values
}

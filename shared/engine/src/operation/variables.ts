import { getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { builtInNumbers } from './exact-inputs.ts'
import { RequestError } from './operation-error.ts'

/**
 * CoerceVariableValues() of the specification, https://spec.graphql.org/draft/#CoerceVariableValues(). The values are
 * in the wire form that goes to subgraphs: enum values by name, custom scalars as they came, defaults applied. A
 * variable that was not given and has no default is absent from the result; an explicit null is present. `raw` may hold
 * `ExactNumber`s, as `parseExactly` gives them.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  conditions: ReadonlySet<string>,
  raw: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, unknown> {
  const inputs = builtInNumbers(schema, operation, raw)
  const result = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, { maxErrors: 50 })
  if (result.errors !== undefined) throw new RequestError('variables', 'BAD_USER_INPUT', result.errors)
  const values = new Map(Object.entries(result.variableValues.coerced))
  for (const name of conditions)
    if (typeof values.get(name) !== 'boolean')
      throw new RequestError('variables', 'BAD_USER_INPUT', [
        `Variable "$${name}" decides whether fields are included, so it must be true or false, not null or absent.`,
      ])
  return values
}

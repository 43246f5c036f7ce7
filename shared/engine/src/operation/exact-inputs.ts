/** Numbers in variables that a double cannot hold: which operations can tell, and what built-in scalars make of them. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import { isJsonObject, write } from '../execution/json-object.ts'
import { ExactNumber } from '../json/exact-number.ts'

type Inputs = Readonly<Record<string, unknown>>

/** Whether variables are to be read with `parseExactly`: some value of them may be a custom scalar or an ID. */
export function takesExactNumbers(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  const seen = new Set<GraphQLInputType>()
  const holds = (type: GraphQLInputType): boolean => {
    if (isNonNullType(type) || isListType(type)) return holds(type.ofType)
    if (seen.has(type)) return false
    seen.add(type)
    if (isInputObjectType(type)) return Object.values(type.getFields()).some((field) => holds(field.type))
    return !isEnumType(type) && (!isSpecifiedScalarType(type) || type.name === 'ID')
  }
  return (operation.variableDefinitions ?? []).some((definition) => {
    const type = typeFromAST(schema, definition.type)
    return isInputType(type) && holds(type)
  })
}

/**
 * The values as graphql-js takes them: an integer in the place of an ID as text, digit for digit, and in the places of
 * other built-in scalars the double. In custom scalars exact numbers stay.
 */
export function builtInNumbers(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Inputs,
): Inputs {
  let changed: Record<string, unknown> | null = null
  for (const { variable, type: node } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    if (!Object.hasOwn(values, name)) continue
    const type = typeFromAST(schema, node)
    const value = values[name]
    const settled = isInputType(type) ? settle(type, value) : value
    if (settled !== value) write((changed ??= { ...values }), name, settled)
  }
  return changed ?? values
}

/** The same value if nothing had to change. */
function settle(type: GraphQLInputType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isNonNullType(type)) return settle(type.ofType, value)
  if (isListType(type)) {
    if (!Array.isArray(value)) return settle(type.ofType, value)
    const items: unknown[] = value.map((item: unknown) => settle(type.ofType, item))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (isInputObjectType(type)) {
    if (!isJsonObject(value)) return plainNumber(value)
    const fields = type.getFields()
    let changed: Record<string, unknown> | null = null
    for (const [key, item] of Object.entries(value)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      const settled = field === undefined ? item : settle(field.type, item)
      if (settled !== item) write((changed ??= { ...value }), key, settled)
    }
    return changed ?? value
  }
  if (!isEnumType(type) && !isSpecifiedScalarType(type)) return value
  return type.name === 'ID' && value instanceof ExactNumber && /^-?\d+$/.test(value.text)
    ? value.text
    : plainNumber(value)
}

function plainNumber(value: unknown): unknown {
  return value instanceof ExactNumber ? Number(value.text) : value
}

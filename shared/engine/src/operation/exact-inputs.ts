/** Finds out which operations must know the digits of a number in a variable that a double cannot hold. */
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

/**
 * Whether variables must be read with `parseExactly`, because a value of them may be a custom scalar or an
 * ID.
 */
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

/** Literals of custom scalars, whose numbers graphql-js would read as doubles. */
import { type ConstValueNode, type GraphQLSchema, isScalarType, isSpecifiedScalarType, Kind } from 'graphql'
import { write } from '../execution/json-object.ts'
import { exactNumber } from '../json/exact-number.ts'

/** The same schema; its custom scalars take the numbers of literals with all of their digits. */
export function withExactLiterals(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isScalarType(type) && !isSpecifiedScalarType(type)) type.coerceInputLiteral = exactLiteral
  return schema
}

function exactLiteral(node: ConstValueNode): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value)
    case Kind.LIST:
      return node.values.map(exactLiteral)
    case Kind.OBJECT: {
      const value: Record<string, unknown> = {}
      for (const { name, value: field } of node.fields) write(value, name.value, exactLiteral(field))
      return value
    }
    default:
      return node.value
  }
}

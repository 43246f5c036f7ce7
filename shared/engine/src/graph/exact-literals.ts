/** Literals of custom scalars, whose numbers graphql-js would read as doubles. */
import { type ConstValueNode, Kind } from 'graphql'
import { write } from '../json/json-object.ts'
import { exactNumber } from '../json/exact-number.ts'

/** The value of a literal, the numbers in it with all of their digits. */
export function exactLiteral(node: ConstValueNode): unknown {
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

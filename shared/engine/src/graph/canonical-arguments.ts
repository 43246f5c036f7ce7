/** Arguments as canonical text: two argument lists mean the same iff their texts are equal. */
import { type ArgumentNode, Kind, type ValueNode } from 'graphql'

/** Arguments with parentheses, sorted by name; empty text for none. */
export function printArguments(args: readonly ArgumentNode[] | undefined): string {
  if (args === undefined || args.length === 0) return ''
  const parts = args.map((arg) => `${arg.name.value}:${printValue(arg.value)}`)
  return `(${parts.sort().join(',')})`
}

/** A literal or variable without white space; fields of input objects are sorted by name. */
export function printValue(value: ValueNode): string {
  switch (value.kind) {
    case Kind.VARIABLE:
      return `$${value.name.value}`
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.ENUM:
      return value.value
    case Kind.STRING:
      return JSON.stringify(value.value)
    case Kind.BOOLEAN:
      return value.value ? 'true' : 'false'
    case Kind.NULL:
      return 'null'
    case Kind.LIST:
      return `[${value.values.map(printValue).join(',')}]`
    default:
      return `{${value.fields
        .map((field) => `${field.name.value}:${printValue(field.value)}`)
        .sort()
        .join(',')}}`
  }
}

/** Adds the names of all variables within a value. */
export function collectVariables(value: ValueNode, into: Set<string>): void {
  switch (value.kind) {
    case Kind.VARIABLE:
      into.add(value.name.value)
      return
    case Kind.LIST:
      for (const item of value.values) collectVariables(item, into)
      return
    case Kind.OBJECT:
      for (const field of value.fields) collectVariables(field.value, into)
      return
    default:
      return
  }
}

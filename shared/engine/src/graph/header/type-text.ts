import { Kind, type TypeNode } from 'graphql'

/** A type as it is written in SDL: `[Product!]`. */
export function typeText(node: TypeNode): string {
  switch (node.kind) {
    case Kind.NAMED_TYPE:
      return node.name.value
    case Kind.LIST_TYPE:
      return `[${typeText(node.type)}]`
    case Kind.NON_NULL_TYPE:
      return `${typeText(node.type)}!`
    default:
      return node satisfies never
  }
}

const WRAPPERS = /[[\]!]/g

/** The named type in a type that is written as in SDL: `Product` of `[Product!]`. */
export function namedTypeIn(text: string): string {
  return text.replace(WRAPPERS, '')
}

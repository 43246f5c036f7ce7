/** Finds the defaults of arguments and input fields. */
import { Kind, print } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { at, type Located } from './place.ts'
import { nodesAt, type Scope } from './rule.ts'

/** The label of a place at which there is no default. */
export const NO_DEFAULT = 'no default here'

/**
 * Returns the places where the subgraphs of the scope give the default of an argument or input field, or give
 * none.
 */
export function defaults(scope: Scope, place: string): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    nodesAt(one, place).flatMap(({ name, node }) => {
      const value = 'defaultValue' in node ? node.defaultValue : undefined
      return value === undefined ? at(one, name, NO_DEFAULT) : at(one, value, `${print(value)} here`)
    }),
  )
}

/** Returns the places where the argument or input field is non-null and has no default. */
export function requiring(one: Located, place: string): readonly SdlLocation[] {
  return nodesAt(one, place).flatMap(({ node }) =>
    node.kind === Kind.INPUT_VALUE_DEFINITION &&
    node.type.kind === Kind.NON_NULL_TYPE &&
    node.defaultValue === undefined
      ? at(one, node.type, 'required here')
      : [],
  )
}

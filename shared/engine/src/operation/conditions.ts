/** Decides `@skip` and `@include` with the values of one request. */
import { type DirectiveNode, Kind } from 'graphql'

/** Coerced values of the variables in conditions. */
export type Conditions = ReadonlyMap<string, unknown>

/** Whether `@skip` and `@include` let a selection be part of the operation. */
export function isIncluded(
  directives: readonly DirectiveNode[] | undefined,
  conditions: Conditions,
): boolean {
  for (const directive of directives ?? []) {
    const name = directive.name.value
    if (name !== 'skip' && name !== 'include') continue
    const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
    const condition =
      value?.kind === Kind.BOOLEAN
        ? value.value
        : value?.kind === Kind.VARIABLE && conditions.get(value.name.value) === true
    if (condition === (name === 'skip')) return false
  }
  return true
}

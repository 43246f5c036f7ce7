/** Entries about `@listSize`. */
import { entry, quotedList } from './entry.ts'

type OnField = { readonly field: string }

export const LIST_SIZES = {
  LIST_SIZE_APPLIED_TO_NON_LIST: entry<OnField & { readonly sized: string }>(
    '`@listSize(sizedFields:)` names a field that is no list',
    'Name fields that return lists.',
    ({ field, sized }) =>
      `@listSize(sizedFields:) of "${field}" names "${sized}", which is no list; name fields that return lists.`,
  ),
  LIST_SIZE_INVALID_ASSUMED_SIZE: entry<OnField>(
    '`@listSize(assumedSize:)` is no number, or below zero',
    'Give the number of entries to reckon with.',
    ({ field }) =>
      `@listSize(assumedSize:) of "${field}" has to be a whole number from 0 on; give the number of entries to reckon with.`,
  ),
  LIST_SIZE_INVALID_REQUIRE_ONE_SLICING_ARGUMENT: entry<OnField>(
    '`@listSize(requireOneSlicingArgument:)` is neither true nor false',
    'Give `true` or `false`.',
    ({ field }) => `@listSize(requireOneSlicingArgument:) of "${field}" has to be true or false.`,
  ),
  LIST_SIZE_INVALID_SIZED_FIELD: entry<
    OnField &
      (
        | { readonly kind: 'no-names' }
        | { readonly kind: 'no-list' }
        | { readonly kind: 'no-object' }
        | { readonly kind: 'unknown-field'; readonly sized: string }
      )
  >(
    '`@listSize(sizedFields:)` names what is no field, or the field returns no object',
    'Name fields of the type that the field returns.',
    (facts) => {
      const { field } = facts
      if (facts.kind === 'no-names') return `@listSize(sizedFields:) of "${field}" has to be a list of names.`
      if (facts.kind === 'no-list')
        return `"${field}" has @listSize and is no list; name the lists in it by sizedFields.`
      if (facts.kind === 'no-object')
        return `@listSize(sizedFields:) of "${field}" names fields, but "${field}" returns no object; remove it.`
      return `@listSize(sizedFields:) of "${field}" names "${facts.sized}", which does not exist; name fields of the type that "${field}" returns.`
    },
  ),
  LIST_SIZE_INVALID_SLICING_ARGUMENT: entry<
    OnField &
      (
        | { readonly kind: 'no-names' }
        | { readonly kind: 'unknown-argument' | 'no-number'; readonly argument: string }
        | { readonly kind: 'not-everywhere'; readonly arguments: readonly string[] }
      )
  >(
    '`@listSize(slicingArguments:)` names what is no argument, no number, or not in all subgraphs',
    'Name arguments of the type `Int` that all subgraphs have.',
    (facts) => {
      if (facts.kind === 'no-names')
        return `@listSize(slicingArguments:) of "${facts.field}" has to be a list of names.`
      if (facts.kind === 'not-everywhere')
        return `@listSize(slicingArguments:) of "${facts.field}" names ${quotedList(facts.arguments)}, and no argument that all subgraphs with the field have; add one of them everywhere.`
      const lack = facts.kind === 'no-number' ? 'is not of type "Int"' : 'does not exist'
      return `@listSize(slicingArguments:) of "${facts.field}" names the argument "${facts.argument}", which ${lack}; name arguments of type "Int".`
    },
  ),
}

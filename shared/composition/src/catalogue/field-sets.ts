/** Entries about the selections of `@key`, `@requires` and `@provides`. */
import { entry, quotedList } from './entry.ts'

/** A mistake in a selection as such. */
type SelectionProblem =
  | { readonly kind: 'no-selection' }
  | { readonly kind: 'unknown-field'; readonly type: string; readonly field: string }
  | { readonly kind: 'no-subselection'; readonly type: string; readonly field: string }
  | { readonly kind: 'below-leaf'; readonly type: string; readonly field: string }
  | { readonly kind: 'unknown-directive'; readonly directive: string }
  | { readonly kind: 'unknown-type'; readonly type: string }

/** The type that has the key, or the field that requires or provides. */
type On = { readonly on: string }
/** Besides, the field that is selected. */
type Selected = On & { readonly field: string }

export const FIELD_SETS = {
  KEY_INVALID_FIELDS: entry<On & { readonly problem: SelectionProblem }>(
    'The selection of a `@key` is not valid for the type',
    'Correct the name, or add the field, with `@external` if another subgraph resolves it.',
    ({ on, problem }) => invalidFields(`A @key of "${on}"`, problem),
  ),
  REQUIRES_INVALID_FIELDS: entry<On & { readonly problem: SelectionProblem }>(
    'The selection of a `@requires` is not valid for the type',
    'Correct the name, or add the field with `@external`.',
    ({ on, problem }) => invalidFields(`The @requires of "${on}"`, problem),
  ),
  PROVIDES_INVALID_FIELDS: entry<On & { readonly problem: SelectionProblem }>(
    'The selection of a `@provides` is not valid for the type of the field',
    'Correct the name, or add the field with `@external`.',
    ({ on, problem }) => invalidFields(`The @provides of "${on}"`, problem),
  ),
  KEY_INVALID_FIELDS_TYPE: entry<On>(
    '`@key(fields:)` is no string',
    'Write the selection in quotes.',
    ({ on }) => `A @key of "${on}" gives its fields not as a string; write the selection in quotes.`,
  ),
  REQUIRES_INVALID_FIELDS_TYPE: entry<On>(
    '`@requires(fields:)` is no string',
    'Write the selection in quotes.',
    ({ on }) => `The @requires of "${on}" gives its fields not as a string; write the selection in quotes.`,
  ),
  PROVIDES_INVALID_FIELDS_TYPE: entry<On>(
    '`@provides(fields:)` is no string',
    'Write the selection in quotes.',
    ({ on }) => `The @provides of "${on}" gives its fields not as a string; write the selection in quotes.`,
  ),
  EXTERNAL_IN_NESTED_KEY: entry<Selected>(
    'A `@key` with a selection below a field selects an `@external` field, on a type with `@requires`; other routers cannot plan that',
    'Mark the field `@shareable` instead: a subgraph resolves the fields of its keys.',
    ({ on, field }) =>
      `A @key of "${on}" selects "${field}", which is @external, and "${on}" has @requires. Other routers cannot plan that; mark "${field}" @shareable instead.`,
  ),
  KEY_DIRECTIVE_IN_FIELDS_ARG: entry<On & { readonly directive: string }>(
    'A directive is applied inside of `@key(fields:)`',
    'Remove it.',
    ({ on, directive }) => `A @key of "${on}" applies "@${directive}" in its selection; remove it.`,
  ),
  REQUIRES_DIRECTIVE_IN_FIELDS_ARG: entry<On & { readonly directive: string }>(
    'A directive is applied inside of `@requires(fields:)`',
    'Remove it.',
    ({ on, directive }) => `The @requires of "${on}" applies "@${directive}" in its selection; remove it.`,
  ),
  PROVIDES_DIRECTIVE_IN_FIELDS_ARG: entry<On & { readonly directive: string }>(
    'A directive is applied inside of `@provides(fields:)`',
    'Remove it.',
    ({ on, directive }) => `The @provides of "${on}" applies "@${directive}" in its selection; remove it.`,
  ),
  KEY_FIELDS_HAS_ARGS: entry<Selected>(
    'A `@key` selects a field that has arguments',
    'Select a field without arguments.',
    ({ on, field }) =>
      `A @key of "${on}" selects "${field}", which has arguments; select a field without arguments.`,
  ),
  PROVIDES_FIELDS_HAS_ARGS: entry<Selected>(
    'A `@provides` selects a field that has arguments',
    'Select a field without arguments.',
    ({ on, field }) =>
      `The @provides of "${on}" selects "${field}", which has arguments; select a field without arguments.`,
  ),
  KEY_FIELDS_SELECT_INVALID_TYPE: entry<Selected>(
    'A `@key` selects a field of an interface or union type',
    'Keys select objects and leaf values only.',
    ({ on, field }) =>
      `A @key of "${on}" selects "${field}", which is of an interface or union type; keys select objects and leaf values only.`,
  ),
  REQUIRES_FIELDS_MISSING_EXTERNAL: entry<Selected>(
    'A `@requires` selects a field that the subgraph resolves itself',
    'Remove it from the selection, or mark the field `@external`.',
    ({ on, field }) =>
      `The @requires of "${on}" selects "${field}", which this subgraph resolves itself; remove it from the selection, or mark the field @external.`,
  ),
  PROVIDES_FIELDS_MISSING_EXTERNAL: entry<Selected>(
    'A `@provides` selects a field that the subgraph resolves anyway',
    'Remove it from the selection, or mark the field `@external`.',
    ({ on, field }) =>
      `The @provides of "${on}" selects "${field}", which this subgraph resolves anyway; remove it from the selection, or mark the field @external.`,
  ),
  KEY_UNSUPPORTED_ON_INTERFACE: entry<On>(
    'A `@key` stands on an interface, in a version of federation before 2.3',
    'Link version 2.3 or a newer one.',
    ({ on }) =>
      `A @key stands on interface "${on}", which takes Federation 2.3; link that or a newer version.`,
  ),
  REQUIRES_UNSUPPORTED_ON_INTERFACE: entry<On>(
    'A `@requires` stands on a field of an interface',
    'Apply it to the fields of the object types.',
    ({ on }) =>
      `The @requires of "${on}" stands on a field of an interface; apply it to the fields of the object types.`,
  ),
  PROVIDES_UNSUPPORTED_ON_INTERFACE: entry<On>(
    'A `@provides` stands on a field of an interface',
    'Apply it to the fields of the object types.',
    ({ on }) =>
      `The @provides of "${on}" stands on a field of an interface; apply it to the fields of the object types.`,
  ),
  PROVIDES_ON_NON_OBJECT_FIELD: entry<On & { readonly type: string }>(
    'A `@provides` stands on a field that returns no object',
    'Remove it: there is nothing below the field that could be provided.',
    ({ on, type }) => `The @provides of "${on}" has nothing to provide: "${type}" is no object; remove it.`,
  ),
  INTERFACE_KEY_NOT_ON_IMPLEMENTATION: entry<{
    readonly type: string
    readonly fields: string
    readonly implementations: readonly string[]
  }>(
    'An interface has a `@key` that one of its types does not have',
    'Add the key to the type.',
    ({ type, fields, implementations }) =>
      `Interface "${type}" has the @key "${fields}", which ${quotedList(implementations)} ${implementations.length === 1 ? 'does' : 'do'} not have; add it there.`,
  ),
}

function invalidFields(subject: string, problem: SelectionProblem): string {
  switch (problem.kind) {
    case 'no-selection':
      return `${subject} is no selection of fields; write names as in "id organization { id }".`
    case 'unknown-field':
      return `${subject} selects "${problem.type}.${problem.field}", which does not exist here; correct the name, or add the field, with @external if another subgraph resolves it.`
    case 'no-subselection':
      return `${subject} selects nothing of the object "${problem.type}.${problem.field}"; select fields of it.`
    case 'below-leaf':
      return `${subject} selects fields below "${problem.type}.${problem.field}", which has none; select it alone.`
    case 'unknown-directive':
      return `${subject} applies the unknown directive "@${problem.directive}" in its selection; remove it.`
    case 'unknown-type':
      return `${subject} has a fragment on "${problem.type}", which is no object type, interface or union of any subgraph; correct the name, or remove the fragment.`
    default:
      return problem satisfies never
  }
}

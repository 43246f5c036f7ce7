/** Entries about what one definition hides, and another one needs. */
import { entry } from './entry.ts'

type At = { readonly coordinate: string }

export const HIDDEN = {
  IMPLEMENTED_BY_INACCESSIBLE: entry<{ readonly field: string; readonly implemented: string }>(
    'A hidden field implements a field of an interface that clients see',
    'Hide the field of the interface as well, or show both.',
    ({ field, implemented }) =>
      `Field "${field}" is @inaccessible, but it implements "${implemented}", which clients see. Hide both, or show both.`,
  ),
  ONLY_INACCESSIBLE_CHILDREN: entry<{ readonly type: string; readonly children: string }>(
    'Clients see a type, and none of its fields, values or members',
    'Hide the type as well, or show one of them.',
    ({ type, children }) =>
      `Clients see type "${type}", and all its ${children} are @inaccessible. Hide the type as well, or show one of them.`,
  ),
  REFERENCED_INACCESSIBLE: entry<At & { readonly type: string }>(
    'What clients see has a type that is hidden',
    'Hide the field or argument as well, or show the type.',
    ({ coordinate, type }) =>
      `Type "${type}" is @inaccessible, but "${coordinate}", which clients see, is of this type. Hide "${coordinate}" as well, or show the type.`,
  ),
  REQUIRED_INACCESSIBLE: entry<At>(
    'A required argument or input field is hidden',
    'Make it optional, give it a default, or show it.',
    ({ coordinate }) =>
      `"${coordinate}" is @inaccessible, but it is required. Make it optional, give it a default, or show it.`,
  ),
  DEFAULT_VALUE_USES_INACCESSIBLE: entry<At & { readonly value: string }>(
    'A default that clients see is an enum value that they do not see',
    'Show the value, hide what has the default, or take another default.',
    ({ coordinate, value }) =>
      `Enum value "${value}" is @inaccessible, but it is the default of "${coordinate}", which clients see. Show it, hide "${coordinate}", or take another default.`,
  ),
}

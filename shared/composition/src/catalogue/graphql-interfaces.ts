/** Sentences about types that do not implement their interfaces, by the kind of mistake. */

/** Each function makes the sentences of one kind of mistake from its facts. */
export const INTERFACE_SENTENCES = {
  'no-interface': ({ type, implemented }: Implementing) =>
    `Type "${type}" implements "${implemented}", which is no interface; only interfaces can be implemented.`,
  'implements-itself': ({ type, implemented }: Implementing) =>
    type === implemented
      ? `Interface "${type}" implements itself; take it out of its own list of interfaces.`
      : `Interface "${type}" implements "${implemented}", which implements "${type}"; take one of them out.`,
  'missing-interface': ({ type, implemented, missing }: Implementing & { readonly missing: string }) =>
    `Type "${type}" implements "${implemented}", and so has to implement "${missing}" as "${implemented}" does.`,
  'missing-field': ({ type, implemented, field }: Implementing & { readonly field: string }) =>
    `Type "${type}" implements "${implemented}" without its field "${implemented}.${field}"; add the field.`,
  'field-of-other-type': ({ coordinate, type, implemented, expected }: Types) =>
    `Field "${coordinate}" is of type "${type}", but "${implemented}", which it implements, is of type "${expected}"; take that type, or a subtype.`,
  'missing-argument-of-interface': ({
    coordinate,
    implemented,
    argument,
  }: {
    readonly coordinate: string
    readonly implemented: string
    readonly argument: string
  }) =>
    `Field "${coordinate}" lacks the argument "${argument}" of "${implemented}", which it implements; add the argument.`,
  'argument-of-other-type': ({ coordinate, type, implemented, expected }: Types) =>
    `Argument "${coordinate}" is of type "${type}", but "${implemented}", which it implements, is of type "${expected}"; take the same type.`,
  'additional-required-argument': ({
    coordinate,
    implemented,
  }: {
    readonly coordinate: string
    readonly implemented: string
  }) =>
    `Argument "${coordinate}" is required, but "${implemented}", which the field implements, does not have it; make it nullable.`,
}

type Implementing = { readonly type: string; readonly implemented: string }
type Types = {
  readonly coordinate: string
  readonly type: string
  readonly implemented: string
  readonly expected: string
}

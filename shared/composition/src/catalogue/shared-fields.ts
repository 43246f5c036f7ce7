/** Entries about fields, arguments and input fields that subgraphs declare differently. */
import { entry } from './entry.ts'
import { subgraphsAt, toldBySubgraphs, type Told } from './subgraph-names.ts'

type At = { readonly coordinate: string }
type Types = At & { readonly types: readonly Told[] }
type Defaults = At & { readonly defaults: readonly Told[] }
type Required = At & { readonly requiring: readonly number[]; readonly without: readonly number[] }

export const SHARED_FIELDS = {
  FIELD_TYPE_MISMATCH: entry<Types>(
    'A field has types in different subgraphs that do not fit',
    'Give it one type, or types of which one is a subtype of the other.',
    ({ coordinate, types }, nameOf) =>
      `The types of field "${coordinate}" do not fit together: it is of type ${toldBySubgraphs(types, nameOf)}. Give it one type, or types of which one is a subtype of the others.`,
  ),
  EXTERNAL_TYPE_MISMATCH: entry<Types & { readonly published: string }>(
    'An `@external` field has another type than the field has where it is resolved',
    'Declare the type that the resolving subgraph has.',
    ({ coordinate, published, types }, nameOf) =>
      `Field "${coordinate}" is resolved with type "${published}", but declared @external with type ${toldBySubgraphs(types, nameOf)}. Declare it with type "${published}".`,
  ),
  FIELD_ARGUMENT_TYPE_MISMATCH: entry<Types>(
    'An argument has types in different subgraphs that do not fit',
    'Give it one type; only nullability may differ.',
    ({ coordinate, types }, nameOf) =>
      `The types of argument "${coordinate}" do not fit together: it is of type ${toldBySubgraphs(types, nameOf)}. Give it one type; only nullability may differ.`,
  ),
  FIELD_ARGUMENT_DEFAULT_MISMATCH: entry<Defaults>(
    'An argument has different defaults in different subgraphs',
    'Give it one default everywhere.',
    ({ coordinate, defaults }, nameOf) =>
      `Argument "${coordinate}" has different defaults: ${toldBySubgraphs(defaults, nameOf, plain)}. Give it one default everywhere.`,
  ),
  INPUT_FIELD_DEFAULT_MISMATCH: entry<Defaults>(
    'An input field has different defaults in different subgraphs',
    'Give it one default everywhere.',
    ({ coordinate, defaults }, nameOf) =>
      `Input field "${coordinate}" has different defaults: ${toldBySubgraphs(defaults, nameOf, plain)}. Give it one default everywhere.`,
  ),
  EXTERNAL_ARGUMENT_MISSING: entry<
    At & { readonly field: string; readonly having: readonly number[]; readonly without: readonly number[] }
  >(
    'An `@external` field lacks an argument that the field has where it is resolved',
    'Declare the argument there as well.',
    ({ field, coordinate, having, without }, nameOf) =>
      `"${field}" is @external in ${subgraphsAt(without, nameOf)} without the argument "${coordinate}", which it has in ${subgraphsAt(having, nameOf)}. Declare the argument there as well.`,
  ),
  REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH: entry<Required>(
    'A required argument is missing in another subgraph that has the field',
    'Add it there, or make it optional.',
    ({ coordinate, requiring, without }, nameOf) =>
      `Argument "${coordinate}" is required in ${subgraphsAt(requiring, nameOf)}, and ${subgraphsAt(without, nameOf)} ${without.length === 1 ? 'has' : 'have'} the field without it. Add it there, or make it optional.`,
  ),
  REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH: entry<Required>(
    'A required input field is missing in another subgraph that has the input type',
    'Add it there, or make it optional.',
    ({ coordinate, requiring, without }, nameOf) =>
      `Input field "${coordinate}" is required in ${subgraphsAt(requiring, nameOf)}, and ${subgraphsAt(without, nameOf)} ${without.length === 1 ? 'has' : 'have'} the type without it. Add it there, or make it optional.`,
  ),
  EXTERNAL_MISSING_ON_BASE: entry<At & { readonly kind: 'type' | 'field'; readonly at: readonly number[] }>(
    'A field is `@external` in every subgraph that has it',
    'One subgraph has to resolve it: take `@external` off there.',
    ({ kind, coordinate, at }, nameOf) =>
      `${kind === 'type' ? 'Type' : 'Field'} "${coordinate}" is marked @external in all the subgraphs that have it: ${subgraphsAt(at, nameOf)}. One of them has to resolve it.`,
  ),
  OVERRIDE_SOURCE_HAS_OVERRIDE: entry<{ readonly field: string; readonly at: readonly number[] }>(
    'A field is overridden from a subgraph that overrides it itself',
    'A field has at most one `@override`; name the subgraph it comes from at first.',
    ({ field, at }, nameOf) =>
      `Field "${field}" is overridden by ${subgraphsAt(at, nameOf)}, one from another; a field has at most one @override. Name the subgraph it comes from at first.`,
  ),
  AUTHORIZATION_TOO_COMPLEX: entry<At & { readonly limit: number }>(
    '`@requiresScopes` or `@policy` of several subgraphs make too many alternatives together',
    'Each subgraph multiplies them. State the same alternatives everywhere, or fewer.',
    ({ coordinate, limit }) =>
      `"${coordinate}" has more than ${limit} alternatives of scopes or policies, since each subgraph and each directive multiplies them. State the same alternatives everywhere, or fewer.`,
  ),
  MISSING_TRANSITIVE_AUTH_REQUIREMENTS: entry<{
    readonly field: string
    readonly at: number
    readonly required: string
  }>(
    'A field `@requires` one that needs more rights than it demands itself',
    'Demand the same rights.',
    ({ field, at, required }, nameOf) =>
      `Field "${field}" of ${subgraphsAt([at], nameOf)} requires "${required}", which not everybody may see who may see "${field}". Demand the same by @authenticated, @requiresScopes or @policy.`,
  ),
}

function plain(text: string): string {
  return text
}

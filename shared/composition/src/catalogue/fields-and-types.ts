/** Entries about federation directives on fields and types. */
import { entry } from './entry.ts'
import { subgraphsAt } from './subgraph-names.ts'

type OnField = { readonly field: string }
type OnType = { readonly type: string }
/** `Interface.field`, `Interface.field(argument:)` or a type. */
type At = { readonly coordinate: string }

export const FIELDS_AND_TYPES = {
  EXTERNAL_UNUSED: entry<OnField>(
    'An `@external` field is used by no `@key`, `@requires`, `@provides` or interface',
    'Remove the field, or the directive if the subgraph resolves it.',
    ({ field }) =>
      `Field "${field}" is @external, and no @key, @requires, @provides or interface uses it; remove the field, or the directive if this subgraph resolves it.`,
  ),
  EXTERNAL_ON_INTERFACE: entry<OnField>(
    'A field of an interface is `@external`',
    'Mark the fields of its object types.',
    ({ field }) =>
      `"${field}" is marked @external, but fields of an interface are resolved by its object types; mark their fields.`,
  ),
  MERGED_DIRECTIVE_APPLICATION_ON_EXTERNAL: entry<OnField & { readonly directive: string }>(
    'An `@external` field has a directive that counts where the field is resolved, such as `@tag`, `@authenticated` or `@cost`',
    'Apply the directive where the field is resolved.',
    ({ field, directive }) =>
      `Field "${field}" is @external and has @${directive}; apply @${directive} where the field is resolved.`,
  ),
  OVERRIDE_ON_INTERFACE: entry<OnField>(
    'An `@override` stands on a field of an interface',
    'Apply it to the fields of the object types.',
    ({ field }) =>
      `Field "${field}" of an interface has @override; apply it to the fields of the object types.`,
  ),
  OVERRIDE_FROM_SELF_ERROR: entry<OnField>(
    'A field is overridden from its own subgraph',
    'Name the subgraph that resolved the field before, or remove the directive.',
    ({ field }) =>
      `Field "${field}" is overridden from its own subgraph; name the subgraph that resolved it before.`,
  ),
  OVERRIDE_LABEL_INVALID: entry<OnField & { readonly label: string }>(
    'The label of an `@override` is not one',
    'Write a name, or `percent(5)`.',
    ({ field, label }) =>
      `The label ${label} of the @override of "${field}" is not one; write a name that begins with a letter, or "percent(5)".`,
  ),
  OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE: entry<
    OnField &
      (
        | { readonly kind: 'same-field'; readonly directive: string }
        | { readonly kind: 'label'; readonly at: number; readonly source: number }
      )
  >(
    '`@override` on a field that is `@external`, or with a label of a field that has `@requires`',
    'Remove one of the two; fields with `@requires` move without a label.',
    (facts, nameOf) =>
      facts.kind === 'same-field'
        ? `Field "${facts.field}" has @override beside @${facts.directive}; remove one of the two.`
        : `Field "${facts.field}" is overridden with a label in subgraph "${nameOf(facts.at)}", and has @requires in subgraph "${nameOf(facts.source)}", from which it comes. Fields with @requires move without a label.`,
  ),
  INVALID_SHAREABLE_USAGE: entry<OnField>(
    'A field of an interface is `@shareable`',
    'Apply it to the fields of the object types.',
    ({ field }) =>
      `Field "${field}" of an interface is @shareable; apply it to the fields of the object types.`,
  ),
  INTERFACE_OBJECT_USAGE_ERROR: entry<
    OnType &
      (
        | { readonly kind: 'no-key' }
        | { readonly kind: 'no-interface'; readonly at: readonly number[] }
        | { readonly kind: 'implemented'; readonly by: string }
      )
  >(
    '`@interfaceObject` on a type without a `@key`, of an interface that no subgraph defines, or of one that other interfaces implement',
    'Add the key of the interface, define the interface in one subgraph, and let object types alone implement it.',
    (facts, nameOf) => {
      switch (facts.kind) {
        case 'no-key':
          return `Type "${facts.type}" is an @interfaceObject without a @key; add the key of the interface.`
        case 'no-interface':
          return `Type "${facts.type}" is an @interfaceObject in all the subgraphs that have it: ${subgraphsAt(facts.at, nameOf)}. One of them has to define the interface itself.`
        case 'implemented':
          return `Interface "${facts.by}" implements "${facts.type}", which is an @interfaceObject elsewhere; let the object types implement "${facts.type}", and not "${facts.by}".`
        default:
          return facts satisfies never
      }
    },
  ),
  QUERY_ROOT_TYPE_INACCESSIBLE: entry<OnType>(
    'The query root is `@inaccessible`',
    'Take the directive off: without its query root a schema has nothing to ask.',
    ({ type }) => `The query root "${type}" is @inaccessible; clients need it, so take the directive off.`,
  ),
  ROOT_QUERY_USED: entry<OnType & { readonly root: string }>(
    'A type is called `Query`, and another type is the query root',
    'Rename the type, or make it the root.',
    ({ type, root }) => rootUsed(type, root),
  ),
  ROOT_MUTATION_USED: entry<OnType & { readonly root: string }>(
    'A type is called `Mutation`, and another type is the mutation root',
    'Rename the type, or make it the root.',
    ({ type, root }) => rootUsed(type, root),
  ),
  ROOT_SUBSCRIPTION_USED: entry<OnType & { readonly root: string }>(
    'A type is called `Subscription`, and another type is the subscription root',
    'Rename the type, or make it the root.',
    ({ type, root }) => rootUsed(type, root),
  ),
  AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE: entry<At & { readonly directive: string }>(
    '`@authenticated`, `@requiresScopes` or `@policy` on an interface, its field or an interface object',
    'Apply it to the object types and their fields.',
    ({ coordinate, directive }) =>
      `@${directive} on "${coordinate}" stands on an interface, its field or an interface object; apply it to the object types and their fields.`,
  ),
  AUTHORIZATION_NOT_COMPOSED: entry<At & { readonly directive: string }>(
    'A directive that says who may see something stands where no router enforces it, such as at an enum value or an argument',
    'Apply it to fields, object types, interfaces, scalars or enums.',
    ({ coordinate, directive }) =>
      `@${directive} on "${coordinate}" is enforced by no router; apply it to fields, object types, interfaces, scalars or enums.`,
  ),
  COST_APPLIED_TO_INTERFACE_FIELD: entry<At>(
    '`@cost` on a field of an interface or its argument',
    'Apply it to the fields of the object types.',
    ({ coordinate }) =>
      `@cost on "${coordinate}" stands on a field of an interface; apply it to the fields of the object types.`,
  ),
}

function rootUsed(type: string, root: string): string {
  return `Type "${type}" has the name of a root type, but "${root}" is that root; rename "${type}", or make it the root.`
}

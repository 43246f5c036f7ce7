/** Entries about types that subgraphs declare differently, and about what they make together. */
import { entry, quotedList } from './entry.ts'
import { KIND_NAMES, type TypeKind } from './type-kinds.ts'
import { subgraphsAt, toldBySubgraphs, type Told } from './subgraph-names.ts'

type OfType = { readonly type: string }

export const SHARED_TYPES = {
  TYPE_KIND_MISMATCH: entry<
    OfType & {
      readonly kinds: readonly {
        readonly kind: TypeKind | 'interface-object'
        readonly at: readonly number[]
      }[]
    }
  >(
    'A type is of different kinds in different subgraphs',
    'Give it one kind, or rename one of them.',
    ({ type, kinds }, nameOf) =>
      `Type "${type}" is of different kinds: ${toldBySubgraphs(
        kinds.map(({ kind, at }) => ({ text: KIND_NAMES[kind], at })),
        nameOf,
        (text) => text,
      )}. Give it one kind, or rename one of them.`,
  ),
  NO_QUERIES: entry<object>(
    'No subgraph has a query',
    'A graph needs a query root: add a field to `Query` in some subgraph.',
    () => 'No subgraph has a query; a graph needs at least one field of "Query".',
  ),
  EXTENSION_WITH_NO_BASE: entry<OfType & { readonly at: readonly number[] }>(
    'A type is extended, and no subgraph defines it',
    'Define it somewhere, or leave out `extend`.',
    ({ type, at }, nameOf) =>
      `Type "${type}" is extended in ${subgraphsAt(at, nameOf)}, and no subgraph defines it. Define it in one of them, or leave out "extend".`,
  ),
  ENUM_VALUE_MISMATCH: entry<
    OfType & {
      readonly value: string
      readonly having: readonly number[]
      readonly without: readonly number[]
    }
  >(
    'An enum that is input and output has other values in another subgraph',
    'Define the same values everywhere, or mark the new one `@inaccessible` until all have it.',
    ({ type, value, having, without }, nameOf) =>
      `Enum "${type}" is used by inputs and by fields, so that all its subgraphs need the same values: "${value}" is in ${subgraphsAt(having, nameOf)}, and not in ${subgraphsAt(without, nameOf)}. Define it there, or mark it @inaccessible until all have it.`,
  ),
  EMPTY_MERGED_ENUM_TYPE: entry<OfType>(
    'Subgraphs use an enum as input, and have no value in common',
    'An input enum has the values that all subgraphs know; add common ones.',
    ({ type }) =>
      `The subgraphs that define enum "${type}" have no value in common, and an enum of inputs has those that all of them know; add common ones.`,
  ),
  EMPTY_MERGED_INPUT_TYPE: entry<OfType>(
    'Subgraphs define an input type, and have no field in common',
    'An input type has the fields that all subgraphs know; add common ones.',
    ({ type }) =>
      `The subgraphs that define input type "${type}" have no field in common, and an input type has those that all of them know; add common ones.`,
  ),
  INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE: entry<
    OfType & { readonly at: number; readonly missing: readonly string[] }
  >(
    'A subgraph has an interface with a `@key` and does not know all types that implement it elsewhere',
    'It is asked for the type of any of its entities: define the types, or make the key `resolvable: false`.',
    ({ type, at, missing }, nameOf) => {
      const [them, implement] = missing.length === 1 ? ['it', 'implements'] : ['them', 'implement']
      return `Interface "${type}" has a resolvable @key in ${subgraphsAt([at], nameOf)}, which does not define ${quotedList(missing)}, which ${implement} it elsewhere. Define ${them}, or make the key "resolvable: false".`
    },
  ),
  INTERFACE_FIELD_NO_IMPLEM: entry<
    | { readonly kind: 'field'; readonly type: string; readonly field: string }
    | { readonly kind: 'argument'; readonly field: string; readonly argument: string }
  >(
    'In the merged schema a type lacks a field of an interface that it implements',
    'Some subgraph adds the field to the interface; add it to the type, or to the interface that implements it.',
    (facts) =>
      facts.kind === 'field'
        ? `Type "${facts.type}" lacks "${facts.field}" of an interface that it implements; add the field to "${facts.type}".`
        : `Field "${facts.field}" lacks "${facts.argument}" of the field that it implements; add the argument.`,
  ),
  LINK_IMPORT_NAME_MISMATCH: entry<{ readonly directive: string; readonly names: readonly Told[] }>(
    '`@cost` or `@listSize` is imported under different names',
    'Import it under one name everywhere.',
    ({ directive, names }, nameOf) =>
      `@${directive} is imported under different names: ${toldBySubgraphs(names, nameOf, (name) => `@${name}`)}. Import it under one name everywhere.`,
  ),
}

/** The texts beside the places of a finding. */
import type { NameOf } from './entry.ts'
import { KIND_NAMES, type TypeKind } from './type-kinds.ts'

/** Each function makes the text of one kind of label from its facts. */
const LABELS = {
  first: () => 'first here',
  again: () => 'again here',
  declared: () => 'declared here',
  defined: () => 'defined here',
  required: () => 'required here',
  used: () => 'used here',
  resolved: () => 'resolved here',
  provided: () => 'provided here',
  overrides: () => 'overrides it',
  'can-be-removed': () => 'can be removed',
  'not-shareable': () => 'not @shareable',
  'no-key': () => 'no such @key here',
  'no-default': () => 'no default here',
  'no-field': ({ field }: { readonly field: string }) => `no field "${field}" here`,
  'no-argument': ({ argument }: { readonly argument: string }) => `no argument "${argument}" here`,
  'no-value': ({ value }: { readonly value: string }) => `no value "${value}" here`,
  default: ({ value }: { readonly value: string }) => `${value} here`,
  type: ({ type, isExternal }: OfType & { readonly isExternal: boolean }) =>
    `${type} here${isExternal ? ', @external' : ''}`,
  kind: ({ of }: { readonly of: TypeKind | 'interface-object' }) => `${KIND_NAMES[of]} here`,
  /** The fields or values that a type has in one subgraph. */
  members: ({ names }: { readonly names: readonly string[] }) =>
    `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ', …' : ''} here`,
  sharing: ({ as }: { readonly as: 'key' | 'shared' | 'alone' }) => `${SHARED_AS[as]} here`,
  'key-of': ({ type }: OfType) => `the @key of "${type}"`,
  'no-key-of': ({ type }: OfType) => `"${type}" has no @key here`,
  implements: ({ type }: OfType) => `implements "${type}" here`,
  locations: ({ locations }: { readonly locations: readonly string[] }) => `on ${locations.join(' | ')} here`,
  /** The field that gave the object to which a path comes. */
  'path-comes': () => 'the path comes to here',
  'path-goes-on': () => 'the path can go on to here',
  external: () => '@external here',
  'external-key': () => 'remove this: the field is part of a @key',
  'not-resolvable': () => 'not resolvable',
  'not-fetched': () => 'cannot be fetched',
  /** The field of a key that another subgraph does not have. */
  missing: (
    { subgraph, isExternal }: { readonly subgraph: number; readonly isExternal: boolean },
    nameOf: NameOf,
  ) => `${isExternal ? '@external' : 'not'} in subgraph "${nameOf(subgraph)}"`,
  on: ({ coordinate }: { readonly coordinate: string }) => `on "${coordinate}"`,
}

type OfType = { readonly type: string }

/** How many members of a type a label has. */
const SHOWN = 5

const SHARED_AS = { key: 'part of a @key', shared: '@shareable', alone: 'not @shareable' } as const

type Kind = keyof typeof LABELS
/** The facts of each kind of label; `unknown` for kinds without facts. */
type Said = {
  readonly [K in Kind]: Parameters<(typeof LABELS)[K]> extends readonly [infer One, NameOf?] ? One : unknown
}

/** The part that one place has in a finding. */
export type Label<K extends Kind = Kind> = { [P in K]: { readonly kind: P } & Said[P] }[K]

/** The table, typed so that a kind and what it says stay together. */
const BY_KIND: { readonly [K in Kind]: (said: Said[K], nameOf: NameOf) => string } = LABELS

/** The text of a label. */
export function labelText<K extends Kind>(label: Label<K>, nameOf: NameOf): string {
  return BY_KIND[label.kind](label, nameOf)
}

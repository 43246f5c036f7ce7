/** The texts beside the places of a finding. */
import { KIND_NAMES, type TypeKind } from './type-kinds.ts'

/** The part that one place has in a finding. */
export type Label =
  | { readonly kind: 'first' }
  | { readonly kind: 'again' }
  | { readonly kind: 'declared' }
  | { readonly kind: 'required' }
  | { readonly kind: 'no-key' }
  | { readonly kind: 'no-field'; readonly field: string }
  | { readonly kind: 'no-argument'; readonly argument: string }
  | { readonly kind: 'no-value'; readonly value: string }
  | { readonly kind: 'kind'; readonly of: TypeKind | 'interface-object' }
  | { readonly kind: 'defined' | 'used' | 'resolved' | 'no-default' }
  | { readonly kind: 'default'; readonly value: string }
  /** The fields or values that a type has in one subgraph. */
  | { readonly kind: 'members'; readonly names: readonly string[] }
  | { readonly kind: 'sharing'; readonly as: 'key' | 'shared' | 'alone' }
  | { readonly kind: 'key-of' | 'no-key-of' | 'implements'; readonly type: string }
  | { readonly kind: 'locations'; readonly locations: readonly string[] }
  | { readonly kind: 'type'; readonly type: string; readonly isExternal: boolean }
  | { readonly kind: 'defined' }
  | { readonly kind: 'no-value'; readonly value: string }
  | { readonly kind: 'default'; readonly value: string }
  | { readonly kind: 'no-default' }
  | { readonly kind: 'overrides' }
  | { readonly kind: 'can-be-removed' }
  | { readonly kind: 'provided' }
  | { readonly kind: 'not-shareable' }
  | { readonly kind: 'on'; readonly coordinate: string }

/** The text of a label. */
export function labelText(label: Label): string {
  switch (label.kind) {
    case 'first':
      return 'first here'
    case 'again':
      return 'again here'
    case 'declared':
      return 'declared here'
    case 'required':
      return 'required here'
    case 'no-key':
      return 'no such @key here'
    case 'no-field':
      return `no field "${label.field}" here`
    case 'no-argument':
      return `no argument "${label.argument}" here`
    case 'no-value':
      return `no value "${label.value}" here`
    case 'kind':
      return `${KIND_NAMES[label.of]} here`
    case 'defined':
    case 'used':
    case 'resolved':
      return `${label.kind} here`
    case 'no-default':
      return 'no default here'
    case 'default':
      return `${label.value} here`
    case 'members':
      return `${label.names.slice(0, SHOWN).join(', ')}${label.names.length > SHOWN ? ', …' : ''} here`
    case 'sharing':
      return `${SHARED_AS[label.as]} here`
    case 'key-of':
      return `the @key of "${label.type}"`
    case 'no-key-of':
      return `"${label.type}" has no @key here`
    case 'implements':
      return `implements "${label.type}" here`
    case 'locations':
      return `on ${label.locations.join(' | ')} here`
    case 'type':
      return `${label.type} here${label.isExternal ? ', @external' : ''}`
    case 'defined':
      return 'defined here'
    case 'no-value':
      return `no value "${label.value}" here`
    case 'default':
      return `${label.value} here`
    case 'no-default':
      return 'no default here'
    case 'overrides':
      return 'overrides it'
    case 'can-be-removed':
      return 'can be removed'
    case 'provided':
      return 'provided here'
    case 'not-shareable':
      return 'not @shareable'
    case 'on':
      return `on "${label.coordinate}"`
    default:
      return label satisfies never
  }
}

/** How many members of a type a label has. */
const SHOWN = 5

const SHARED_AS = { key: 'part of a @key', shared: '@shareable', alone: 'not @shareable' } as const

/** The texts beside the places of a finding. */

/** The part that one place has in a finding. */
export type Label =
  | { readonly kind: 'first' }
  | { readonly kind: 'again' }
  | { readonly kind: 'declared' }
  | { readonly kind: 'required' }
  | { readonly kind: 'no-key' }
  | { readonly kind: 'no-field'; readonly field: string }
  | { readonly kind: 'no-argument'; readonly argument: string }
  | { readonly kind: 'type'; readonly type: string; readonly isExternal: boolean }

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
    case 'type':
      return `${label.type} here${label.isExternal ? ', @external' : ''}`
    default:
      return label satisfies never
  }
}

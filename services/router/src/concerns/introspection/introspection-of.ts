/** Whether a client may learn the schema from the router. */
import type { Identity } from '../../identity/identity.ts'

/** `locked`: it may as soon as it says who it is. `off`: nobody may. */
export type IntrospectionAccess = 'open' | 'locked' | 'off'

/** Decides whether a client may introspect. `identity` is null if the request has none. */
export function introspectionOf(
  { introspection }: { readonly introspection: boolean | 'authenticated' },
  identity: Identity | null,
): IntrospectionAccess {
  if (introspection === 'authenticated') return identity === null ? 'locked' : 'open'
  return introspection ? 'open' : 'off'
}

/** Identifies the client that a request counts for where clients share something. */

/**
 * The client of a request. Shared resources are divided among addresses. Names only divide the share of one
 * address, which many clients may have: since anybody may send any name, a name is never a reason for a
 * larger share of the whole.
 */
export type Client = {
  /** The address as `clientGroupOf` shortens it: for IPv6, a network of 64 bits. */
  readonly address: string
  /** The name that the client gives itself. Empty if it gives none. */
  readonly name: string
}

/** Returns the client of a request. It is only called when needed, because most requests do not need it. */
export type ClientLookup = () => Client

/** The client of the router's own work. No client has this address. */
export const ROUTER_ITSELF: Client = { address: '', name: '' }

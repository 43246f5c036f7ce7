/** Whom a request counts for where clients share something. */

/**
 * What is shared is divided among addresses. Names divide the share of one address, behind which there may be
 * many clients: anybody may send any name, so that a name is never a reason for a larger share of the whole.
 */
export type Client = {
  /** As `clientGroupOf` makes it of an address: of IPv6 a network of 64 bits. */
  readonly address: string
  /** As the client calls itself; empty: it does not. */
  readonly name: string
}

/** Tells the client of a request when it is asked: most requests need none. */
export type ClientLookup = () => Client

/** The router's own work. No client has this address. */
export const ROUTER_ITSELF: Client = { address: '', name: '' }

/** A request as the settings and rollouts look at it that tell requests apart. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Identity } from '../identity/identity.ts'

/** The sender of a request, and what the request carries. */
export type Asking = {
  /** An address, or a network of IPv6 (`/64`). Behind trusted proxies, that of their client. */
  readonly address: string
  /** The name that the client gives itself. Empty if it gives none; likewise its version. */
  readonly clientName: string
  readonly clientVersion: string
  readonly headers: IncomingHttpHeaders
  readonly identity: Identity | null
  /** The visitor that the assigned cookie tells; null if there is none, or it was not looked at yet. */
  readonly visitor: string | null
}

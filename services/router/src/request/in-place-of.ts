/** Requests as they would be with a stand-in for their sender. */
import type { IncomingHttpHeaders } from 'node:http'
import type { NamedClient } from './named-client.ts'
import type { Sender } from './request-property.ts'
import type { StandIn } from './stand-in.ts'

/** The stand-in that a request asks for. It is ignored if the request may not be traced. */
export type FoundStandIn =
  | { readonly kind: 'none' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'found'; readonly given: StandIn; readonly sender: Sender }

/** Returns a sender with the stand-in in place of its own claims, and of its own headers and their client. */
export function inPlaceOf(
  sender: Sender,
  { claims, headers }: StandIn,
  nameOf: (headers: IncomingHttpHeaders) => NamedClient,
): Sender {
  return {
    client: sender.client,
    named: headers === null ? sender.named : nameOf(headers),
    // Without a method no cookie is assigned.
    request: { headers: headers ?? sender.request.headers },
    identity: claims === null ? sender.identity : { claims, key: '' },
    decision: null,
  }
}

/**
 * Decides whether an entry of `pending` in the answer to a request stands for a deferred fragment, or for one
 * object that the fragment is on. Settings say so for all clients, and for single clients by the name that
 * they give themselves.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { PendingPer } from '@switchyard/engine'
import type { NamedClient } from '../request/named-client.ts'

/** Apollo Client sends it where its name is set; routers of others read it as well. */
const APOLLO_NAME_HEADER = 'apollographql-client-name'

export type PendingFormsOptions = {
  readonly usual: PendingPer
  /** Forms by the name of a client. */
  readonly byClient: ReadonlyMap<string, PendingPer>
  /** Called for each deferred answer to Apollo Client that announces fragments; see docs/defer.md. */
  readonly onFragmentsForApollo: (client: string) => void
}

/** Chooses the form of announcements. */
export class PendingForms {
  readonly #options: PendingFormsOptions

  constructor(options: PendingFormsOptions) {
    this.#options = options
  }

  /** The form of a deferred answer to this request. */
  of({ name }: NamedClient, headers: IncomingHttpHeaders): PendingPer {
    const { usual, byClient, onFragmentsForApollo } = this.#options
    const chosen = byClient.get(name)
    if (chosen !== undefined) return chosen
    if (usual === 'fragment' && headers[APOLLO_NAME_HEADER] !== undefined) onFragmentsForApollo(name)
    return usual
  }
}

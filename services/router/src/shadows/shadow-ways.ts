/**
 * How shadows call subgraphs: over connections, lines and circuits of their own, so that no client waits for
 * a shadow, and no circuit opens or closes because of one. Nothing is tried twice.
 */
import { Addresses } from '../call/policies/addresses/addresses.ts'
import { openPolicies, SILENT_POLICY_EVENTS } from '../call/call-policies.ts'
import { type EndpointOptions, Endpoints } from '../call/endpoints.ts'
import type { Origins } from '../call/origins.ts'
import type { SubgraphConfig, SubgraphsConfig } from '../call/settings.ts'
import type { HeaderRule, HeadersConfig } from '../concerns/headers/settings.ts'
import type { Generation } from '../generations/generation.ts'

/** Milliseconds that a call of a shadow may take at most. */
const LONGEST_CALL_MS = 10_000
/** Compositions whose endpoints stay open. */
const MOST_OPEN = 8

const MARK: HeaderRule = { set: 'X-Switchyard-Shadow', value: 'true' }

/** The ways of clients' requests, and what shadows have of their own. */
export type ShadowWaysOptions = Omit<EndpointOptions, 'policies' | 'addresses'> & {
  /** The connections of shadows. */
  readonly origins: Origins
  readonly maxConcurrent: number
}

/** Opens endpoints for shadows, and keeps those of the compositions that were compared last. */
export class ShadowWays implements Disposable {
  readonly #options: EndpointOptions
  readonly #open = new Map<string, OpenEndpoints>()

  constructor({ maxConcurrent, subgraphs, headers, ...ways }: ShadowWaysOptions) {
    const own = shadowSubgraphs(subgraphs, maxConcurrent)
    this.#options = {
      ...ways,
      subgraphs: own,
      headers: markedHeaders(headers),
      policies: openPolicies(own, SILENT_POLICY_EVENTS, null),
      addresses: new Addresses(SILENT_POLICY_EVENTS.addresses),
    }
  }

  /** Resolves when everything is loaded that calls need. */
  prepare(): Promise<void> {
    return this.#options.origins.prepare()
  }

  /** Returns the endpoints of a composition. The caller disposes what it gets. */
  of({ artifact, subgraphs }: Pick<Generation, 'artifact' | 'subgraphs'>): EndpointsInUse {
    const known = this.#open.get(artifact) ?? new OpenEndpoints(new Endpoints(subgraphs, this.#options))
    this.#open.delete(artifact)
    this.#open.set(artifact, known)
    this.#closeOldest()
    return known.use()
  }

  #closeOldest(): void {
    for (const [artifact, open] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return
      this.#open.delete(artifact)
      open.close()
    }
  }

  [Symbol.dispose](): void {
    for (const open of this.#open.values()) open.close()
    this.#open.clear()
  }
}

/** Endpoints that stay open until they are disposed. */
export type EndpointsInUse = Disposable & { readonly endpoints: Endpoints }

/** Endpoints that are closed when nobody uses them any more. */
class OpenEndpoints {
  readonly #endpoints: Endpoints
  #uses = 0
  #isClosed = false

  constructor(endpoints: Endpoints) {
    this.#endpoints = endpoints
  }

  use(): EndpointsInUse {
    this.#uses++
    return {
      endpoints: this.#endpoints,
      [Symbol.dispose]: () => {
        this.#uses--
        this.#closeIfUnused()
      },
    }
  }

  close(): void {
    this.#isClosed = true
    this.#closeIfUnused()
  }

  #closeIfUnused(): void {
    if (this.#isClosed && this.#uses === 0) this.#endpoints[Symbol.dispose]()
  }
}

function shadowSubgraphs(subgraphs: SubgraphsConfig, maxConcurrent: number): SubgraphsConfig {
  const own = (config: SubgraphConfig): SubgraphConfig => ({
    ...config,
    timeout: Math.min(config.timeout, LONGEST_CALL_MS),
    slots: { maxCalls: maxConcurrent, maxWaiting: maxConcurrent, maxRate: config.slots.maxRate },
    retry: { ...config.retry, maxRetries: 0 },
    hedge: { ...config.hedge, enabled: false },
  })
  return {
    ...subgraphs,
    healthCheck: { ...subgraphs.healthCheck, enabled: false },
    all: own(subgraphs.all),
    bySubgraph: new Map([...subgraphs.bySubgraph].map(([name, config]) => [name, own(config)])),
  }
}

/** The mark comes last everywhere, so that no rule removes it. */
function markedHeaders({ all, bySubgraph, byFlag, response, previews }: HeadersConfig): HeadersConfig {
  return {
    response,
    // Previews are in no rollout.
    previews,
    all: [...all, MARK],
    bySubgraph: new Map([...bySubgraph].map(([name, rules]) => [name, [...rules, MARK]])),
    byFlag: new Map(
      [...byFlag].map(([name, rules]) => [name, { ...rules, request: [...rules.request, MARK] }]),
    ),
  }
}

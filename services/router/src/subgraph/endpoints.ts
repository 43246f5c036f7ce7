/** The subgraphs of one generation as things that can be called. */
import type { RouterConfig, SubgraphsConfig } from '../config/router-config.ts'
import { compileHeaderRules, type HeaderRules } from './header-rules.ts'
import type { CircuitBreaker } from './circuit/circuit-breaker.ts'
import type { CircuitBreakers } from './circuit/circuit-breakers.ts'
import type { Lease } from './leased-values.ts'
import type { Coding } from './decoding/answer-decoder.ts'
import type { LeasedPool, Origins } from './origins.ts'
import type { PhaseLimits } from './phase-limits.ts'
import type { AllPlaces } from './places/all-places.ts'
import type { CallPlaces } from './places/call-places.ts'
import { compileResponseRules, type ResponseRules } from './response-rules.ts'
import type { Retries, RetryPolicy } from './retry/retries.ts'

/** One subgraph that can be called. */
export type Endpoint = {
  readonly name: string
  /**
   * Of the subgraph that it stands in for under a feature flag, or its own name: the same in every
   * composition.
   */
  readonly id: string
  readonly origin: string
  readonly path: string
  /** Of both. */
  readonly url: string
  /** Equal only for endpoints that reach the same by the same right. */
  readonly target: string
  readonly pool: LeasedPool
  readonly rules: HeaderRules
  /** null: no header of its answers goes to clients. */
  readonly responseRules: ResponseRules | null
  readonly timeout: number
  /** null: the phases of a call have no limits of their own. */
  readonly phases: PhaseLimits | null
  /** In which it may compress its answers. */
  readonly codings: readonly Coding[]
  /** null: failed calls are not made again. */
  readonly retry: Lease<RetryPolicy> | null
  /** null: as many calls are made as there are connections. */
  readonly places: Lease<CallPlaces> | null
  /** null: it is always called. */
  readonly circuit: Lease<CircuitBreaker> | null
}

/** A subgraph as a composition names it. */
export type SubgraphAddress = {
  readonly name: string
  readonly routingUrl: string
  /** Of a feature subgraph: what it replaces. */
  readonly baseName?: string | undefined
}

/** By what rules and limits subgraphs are called. */
export type EndpointOptions = {
  readonly origins: Origins
  readonly retries: Retries
  readonly circuits: CircuitBreakers
  readonly places: AllPlaces
  readonly subgraphs: SubgraphsConfig
  /** In lower case. */
  readonly requestIdHeader: string
  readonly headers: RouterConfig['headers']
}

/** The subgraphs of one generation, by name. */
export class Endpoints implements Disposable {
  readonly #byName: ReadonlyMap<string, Endpoint>
  /** Subgraphs that the settings do not allow to call, as far as their URLs tell that. */
  readonly neverCalled: readonly { readonly subgraph: string; readonly reason: string }[]

  /** Rules and limits go by the name of the subgraph that answers: a feature subgraph has its own. */
  constructor(
    subgraphs: readonly SubgraphAddress[],
    { origins, retries, circuits, places, subgraphs: config, headers, requestIdHeader }: EndpointOptions,
  ) {
    this.#byName = new Map(
      subgraphs.map(({ name, routingUrl, baseName }) => {
        const url = new URL(routingUrl)
        const path = `${url.pathname}${url.search}`
        const pool = origins.lease(url.origin, name)
        return [
          name,
          {
            name,
            id: baseName ?? name,
            origin: url.origin,
            path,
            url: `${url.origin}${path}`,
            target: `${pool.key}${path}`,
            pool,
            rules: compileHeaderRules(
              [...headers.all, ...(headers.bySubgraph.get(name) ?? [])],
              requestIdHeader,
            ),
            responseRules: compileResponseRules([
              ...headers.response.all,
              ...(headers.response.bySubgraph.get(name) ?? []),
            ]),
            timeout: config.timeoutBySubgraph.get(name) ?? config.timeout,
            phases: phasesOf(config, name),
            codings: config.acceptEncodingsBySubgraph.get(name) ?? config.acceptEncodings,
            retry: retries.lease(name),
            places: places.lease(name),
            circuit: circuits.lease(name, url.origin),
          },
        ]
      }),
    )
    this.neverCalled = [...this.#byName.values()].flatMap(({ name, origin }) => {
      const objection = origins.objectionTo(origin)
      return objection === null ? [] : [{ subgraph: name, reason: objection.message }]
    })
  }

  get(name: string): Endpoint | undefined {
    return this.#byName.get(name)
  }

  [Symbol.dispose](): void {
    for (const { pool, retry, circuit, places } of this.#byName.values()) {
      pool[Symbol.dispose]()
      retry?.[Symbol.dispose]()
      circuit?.[Symbol.dispose]()
      places?.[Symbol.dispose]()
    }
  }
}

function phasesOf({ phases, phasesBySubgraph }: SubgraphsConfig, subgraph: string): PhaseLimits | null {
  return phasesBySubgraph.get(subgraph) ?? phases
}

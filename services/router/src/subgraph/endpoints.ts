/** The subgraphs of one generation as things that can be called. */
import { randomUUID } from 'node:crypto'
import type { HeadersConfig } from '../headers/settings.ts'
import { type SubgraphsConfig, subgraphConfigOf } from './settings.ts'
import { ownTlsOf } from './tls/subgraph-tls.ts'
import { compileHeaderRules, type HeaderRules } from './header-rules.ts'
import type { AddressState } from './addresses/address-state.ts'
import type { Addresses } from './addresses/addresses.ts'
import { Alternatives } from './addresses/alternatives.ts'
import { HealthCheck } from './addresses/health-check.ts'
import type { CircuitBreaker } from './circuit/circuit-breaker.ts'
import type { CircuitBreakers } from './circuit/circuit-breakers.ts'
import type { Lease } from './leased-values.ts'
import type { Coding } from './decoding/answer-decoder.ts'
import type { LeasedPool, Origins } from './origins.ts'
import type { PhaseLimits } from './phase-limits.ts'
import type { AllPlaces } from './places/all-places.ts'
import type { CallPlaces } from './places/call-places.ts'
import { compileResponseRules, type ResponseRules } from './response-rules.ts'
import type { HedgePolicy, Hedges } from './hedge/hedges.ts'
import type { Retries, RetryPolicy } from './retry/retries.ts'

/** What goes to a subgraph beside the query, and what comes back beside the data. */
export type EndpointHeaders = {
  readonly rules: HeaderRules
  /** null: no header of its answers goes to clients. */
  readonly responseRules: ResponseRules | null
}

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
  /** The Unix socket that it listens on; null: it is at the host of its origin. */
  readonly socketPath: string | null
  /** Equal only for endpoints that reach the same by the same right. */
  readonly target: string
  readonly pool: LeasedPool
  readonly headers: EndpointHeaders
  /** For requests that the composition of a flag answers, by its name, if there are rules for it. */
  readonly headersByFlag: ReadonlyMap<string, EndpointHeaders>
  readonly timeout: number
  /** null: the phases of a call have no limits of their own. */
  readonly phases: PhaseLimits | null
  /** In which it may compress its answers. */
  readonly codings: readonly Coding[]
  /** null: failed calls are not made again. */
  readonly retry: Lease<RetryPolicy> | null
  /** null: no call is made a second time while the first one lasts. */
  readonly hedge: Lease<HedgePolicy> | null
  /** null: as many calls are made as there are connections. */
  readonly places: Lease<CallPlaces> | null
  /** null: it is always called. */
  readonly circuit: Lease<CircuitBreaker> | null
  /** All addresses of a subgraph that has several, this one among them; null: this is the only one. */
  readonly alternatives: Alternatives<AddressEndpoint> | null
}

/** One of several addresses of a subgraph. */
export type AddressEndpoint = Endpoint & { readonly state: Lease<AddressState> }

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
  readonly hedges: Hedges
  readonly circuits: CircuitBreakers
  readonly places: AllPlaces
  readonly addresses: Addresses
  readonly subgraphs: SubgraphsConfig
  /** In lower case. */
  readonly requestIdHeader: string
  readonly headers: HeadersConfig
}

/** The URLs at which a subgraph is called: those that the settings say, or the one of its composition. */
export function urlsOf(
  subgraphs: Pick<SubgraphsConfig, 'all' | 'bySubgraph'>,
  { name, routingUrl }: SubgraphAddress,
): readonly string[] {
  return subgraphConfigOf(subgraphs, name).urls ?? [routingUrl]
}

/** The subgraphs of one generation, by name. */
export class Endpoints implements Disposable {
  /** Of each subgraph the first address. */
  readonly #byName = new Map<string, Endpoint>()
  readonly #all: readonly Endpoint[]
  readonly #states: Lease<AddressState>[] = []
  /** Subgraphs that the settings do not allow to call, as far as their URLs tell that. */
  readonly neverCalled: readonly { readonly subgraph: string; readonly reason: string }[]

  /** Subgraphs with URLs that begin with `http:`, although the settings secure calls of theirs by name. */
  readonly notSecured: readonly string[]

  /** Rules and limits go by the name of the subgraph that answers: a feature subgraph has its own. */
  constructor(subgraphs: readonly SubgraphAddress[], options: EndpointOptions) {
    this.#all = subgraphs.flatMap((subgraph) => {
      const endpoints = this.#open(subgraph, options)
      const [first] = endpoints
      if (first !== undefined) this.#byName.set(subgraph.name, first)
      return endpoints
    })
    this.neverCalled = this.#all.flatMap(({ name, origin }) => {
      const objection = options.origins.objectionTo(origin, name)
      return objection === null ? [] : [{ subgraph: name, reason: objection.message }]
    })
    const ownTls = ownTlsOf(options.subgraphs)
    const unsecured = this.#all.filter(
      ({ name, origin }) => origin.startsWith('http:') && ownTls.get(name) != null,
    )
    this.notSecured = [...new Set(unsecured.map(({ name }) => name))]
  }

  get(name: string): Endpoint | undefined {
    return this.#byName.get(name)
  }

  #open(subgraph: SubgraphAddress, options: EndpointOptions): readonly Endpoint[] {
    const { name } = subgraph
    const common = commonOf(subgraph, options)
    const urls = urlsOf(options.subgraphs, subgraph).map((text) => new URL(text))
    const addresses = urls.map((url) => {
      const path = `${url.pathname}${url.search}`
      return {
        origin: url.origin,
        path,
        url: `${url.origin}${path}`,
        pool: options.origins.lease(url.origin, name),
        circuit: options.circuits.lease(name, url.origin),
      }
    })
    // Whichever of them is called, the answer is the same.
    const target = addresses.map(({ pool, path }) => `${pool.key}${path}`).join(' ')
    if (addresses.length === 1)
      return addresses.map((address) => ({ ...common, ...address, target, alternatives: null }))
    const all: AddressEndpoint[] = []
    const alternatives = new Alternatives(all)
    for (const address of addresses) {
      const state = options.addresses.lease(name, address.url, checkOf(name, address, common, options))
      this.#states.push(state)
      all.push({ ...common, ...address, target, alternatives, state })
    }
    return all
  }

  [Symbol.dispose](): void {
    for (const { pool, retry, hedge, circuit, places } of this.#all) {
      pool[Symbol.dispose]()
      retry?.[Symbol.dispose]()
      hedge?.[Symbol.dispose]()
      circuit?.[Symbol.dispose]()
      places?.[Symbol.dispose]()
    }
    for (const state of this.#states) state[Symbol.dispose]()
  }
}

/** null: its addresses are known by their calls alone. */
function checkOf(
  subgraph: string,
  { origin, path }: Pick<Endpoint, 'origin' | 'path'>,
  { headers: { rules } }: Pick<Endpoint, 'headers'>,
  { origins, subgraphs: { healthCheck } }: EndpointOptions,
): ((state: AddressState) => Disposable) | null {
  if (!healthCheck.enabled) return null
  const headers = (): string[] => {
    const list = ['content-type', 'application/json', 'accept', 'application/json']
    rules.append({ ...NOBODY, requestId: randomUUID() }, list)
    return list
  }
  return (state) =>
    new HealthCheck({ ...healthCheck, state, pool: origins.lease(origin, subgraph), path, headers })
}

/** By whom health is asked for: what rules set goes along, and nothing that a client sends. */
const NOBODY = {
  headers: {},
  identity: null,
  flag: null,
  operationName: null,
  plan: { kind: 'query' },
} as const

/** What is the same at all addresses of a subgraph. */
function commonOf(
  { name, baseName }: SubgraphAddress,
  { retries, hedges, places, subgraphs, headers, requestIdHeader }: EndpointOptions,
) {
  const { socketPath, timeout, phases, acceptEncodings } = subgraphConfigOf(subgraphs, name)
  return {
    name,
    id: baseName ?? name,
    socketPath,
    headers: headersOf(name, headers, requestIdHeader, null),
    headersByFlag: new Map(
      [...headers.byFlag.keys()].map((flag) => [flag, headersOf(name, headers, requestIdHeader, flag)]),
    ),
    timeout,
    phases,
    codings: acceptEncodings,
    retry: retries.lease(name),
    hedge: hedges.lease(name),
    places: places.lease(name),
  } as const
}

/** Rules of the flag come last, so that they replace the others. */
function headersOf(
  subgraph: string,
  { all, bySubgraph, response, byFlag }: HeadersConfig,
  requestIdHeader: string,
  flag: string | null,
): EndpointHeaders {
  const own = flag === null ? undefined : byFlag.get(flag)
  return {
    rules: compileHeaderRules(
      [...all, ...(bySubgraph.get(subgraph) ?? []), ...(own?.request ?? [])],
      requestIdHeader,
    ),
    responseRules: compileResponseRules([
      ...response.all,
      ...(response.bySubgraph.get(subgraph) ?? []),
      ...(own?.response ?? []),
    ]),
  }
}

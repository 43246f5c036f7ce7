/** Makes endpoints of the subgraphs of one generation, so that they can be called. */
import { randomUUID } from 'node:crypto'
import type { HeadersConfig } from '../concerns/headers/settings.ts'
import { subgraphConfigOf } from '../settings/per-subgraph.ts'
import type { SubgraphsConfig } from './settings.ts'
import { ownTlsOf } from '../transport/tls/subgraph-tls.ts'
import { compileHeaderRules, type HeaderRules } from '../concerns/headers/header-rules.ts'
import type { AddressState } from './policies/addresses/address-state.ts'
import type { Addresses } from './policies/addresses/addresses.ts'
import { Alternatives } from './policies/addresses/alternatives.ts'
import { AddressCheck } from './policies/addresses/health-check.ts'
import type { CircuitBreaker } from './policies/circuit/circuit-breaker.ts'
import type { CallPolicies } from './call-policies.ts'
import { httpOriginOf } from './subscription-settings.ts'
import type { Lease } from '../memory/leased-values.ts'
import type { ContentCoding } from '../settings/content-codings.ts'
import type { LeasedPool, Origins } from './origins.ts'
import type { PhaseLimits } from './policies/phases/phase-limits.ts'
import type { CallSlots } from './policies/slots/call-slots.ts'
import { compileResponseRules, type CompiledResponseRules } from '../concerns/headers/response-rules.ts'
import type { HedgePolicy } from './policies/hedge/hedges.ts'
import type { RetryPolicy } from './policies/retry/retries.ts'

/** Rules for the headers that go to a subgraph, and for those of its answers that go to clients. */
export type EndpointHeaders = {
  readonly rules: HeaderRules
  /** Null if no header of the subgraph's answers goes to clients. */
  readonly responseRules: CompiledResponseRules | null
}

/** One subgraph that can be called. */
export type Endpoint = {
  readonly name: string
  /**
   * The name of the subgraph that this one replaces under a feature flag, or its own name. It is the same in
   * every composition.
   */
  readonly id: string
  readonly origin: string
  readonly path: string
  /** The origin and the path together. */
  readonly url: string
  /** The Unix socket that the subgraph listens on. Null if it listens at the host of its origin. */
  readonly socketPath: string | null
  /** A key that is equal only for endpoints that reach the same server with the same credentials. */
  readonly target: string
  readonly pool: LeasedPool
  readonly headers: EndpointHeaders
  /**
   * Rules for requests that the composition of a feature flag answers, by the name of the flag. A flag
   * without rules of its own is absent.
   */
  readonly headersByFlag: ReadonlyMap<string, EndpointHeaders>
  readonly timeout: number
  /** Null if the phases of a call have no limits of their own. */
  readonly phases: PhaseLimits | null
  /** The codings in which the subgraph may compress its answers. */
  readonly codings: readonly ContentCoding[]
  /** Null if failed calls are not retried. */
  readonly retry: Lease<RetryPolicy> | null
  /** Whether it belongs to a preview: it sees nothing of clients but what settings name for previews. */
  readonly isOfPreview: boolean
  /** Null if calls are not hedged. */
  readonly hedge: Lease<HedgePolicy> | null
  /** Null if the number of calls is limited only by the number of connections. */
  readonly slots: Lease<CallSlots> | null
  /** Null if the endpoint has no circuit breaker, so that it is always called. */
  readonly circuit: Lease<CircuitBreaker> | null
  /** All addresses of a subgraph that has several, including this one. Null if this is the only one. */
  readonly alternatives: Alternatives<AddressEndpoint> | null
}

/** One of several addresses of a subgraph. */
export type AddressEndpoint = Endpoint & { readonly state: Lease<AddressState> }

/** A subgraph as a composition names it. */
export type SubgraphAddress = {
  readonly name: string
  readonly routingUrl: string
  /** The name of the subgraph that a feature subgraph replaces. Absent for other subgraphs. */
  readonly baseName?: string | undefined
  /** Set if it belongs to a preview: it gets no header of clients but those that are named for previews. */
  readonly preview?: true | undefined
}

/** The rules and limits of calls to subgraphs. */
export type EndpointOptions = {
  readonly origins: Origins
  readonly policies: CallPolicies
  readonly addresses: Addresses
  readonly subgraphs: SubgraphsConfig
  /** The name in lower case. */
  readonly requestIdHeader: string
  readonly headers: HeadersConfig
}

/**
 * Returns the URLs at which a subgraph is called: those of the settings, or else the one of its composition.
 */
function urlsOf(
  subgraphs: Pick<SubgraphsConfig, 'all' | 'bySubgraph'>,
  { name, routingUrl }: SubgraphAddress,
): readonly string[] {
  return subgraphConfigOf(subgraphs, name).urls ?? [routingUrl]
}

/** The endpoints of one generation, by the name of the subgraph. */
export class Endpoints implements Disposable {
  /** The first address of each subgraph. */
  readonly #byName = new Map<string, Endpoint>()
  readonly #all: readonly Endpoint[]
  readonly #states: Lease<AddressState>[] = []
  /** The circuits of addresses for subscriptions alone, so that they are kept while no source is open. */
  readonly #sourceCircuits: Lease<CircuitBreaker>[] = []
  /** Subgraphs that the settings forbid to call, as far as their URLs show it, each with the reason. */
  readonly neverCalled: readonly { readonly subgraph: string; readonly reason: string }[]

  /** Subgraphs whose URL begins with `http:` although the settings have TLS settings for their name. */
  readonly notSecured: readonly string[]

  /**
   * Opens the endpoints of subgraphs. Rules and limits go by the name of the subgraph that answers, so a
   * feature subgraph has its own.
   */
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
    const { url: ofSources } = subgraphConfigOf(options.subgraphs, name).subscriptions
    const sourceCircuit =
      ofSources === null ? null : options.policies.circuits.lease(name, httpOriginOf(new URL(ofSources)))
    if (sourceCircuit !== null) this.#sourceCircuits.push(sourceCircuit)
    const urls = urlsOf(options.subgraphs, subgraph).map((text) => new URL(text))
    const addresses = urls.map((url) => {
      const path = `${url.pathname}${url.search}`
      return {
        origin: url.origin,
        path,
        url: `${url.origin}${path}`,
        pool: options.origins.lease(url.origin, name),
        circuit: options.policies.circuits.lease(name, url.origin),
      }
    })
    // All addresses give the same answers, so the key names all of them.
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
    for (const { pool, retry, hedge, circuit, slots } of this.#all) {
      pool[Symbol.dispose]()
      retry?.[Symbol.dispose]()
      hedge?.[Symbol.dispose]()
      circuit?.[Symbol.dispose]()
      slots?.[Symbol.dispose]()
    }
    for (const lease of [...this.#states, ...this.#sourceCircuits]) lease[Symbol.dispose]()
  }
}

/** Returns a function that starts the health check of an address. Null if health checks are off. */
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
    new AddressCheck({ ...healthCheck, state, pool: origins.lease(origin, subgraph), path, headers })
}

/**
 * The request that health checks are made for. Rules that set a header apply to it; no header comes from a
 * client.
 */
const NOBODY = {
  headers: {},
  identity: null,
  flag: null,
  operationName: null,
  plan: { kind: 'query' },
} as const

/** Returns the fields that are the same for all addresses of a subgraph. */
function commonOf(
  { name, baseName, preview }: SubgraphAddress,
  { policies, subgraphs, headers, requestIdHeader }: EndpointOptions,
) {
  const { socketPath, timeout, phases, acceptEncodings } = subgraphConfigOf(subgraphs, name)
  return {
    name,
    id: baseName ?? name,
    socketPath,
    isOfPreview: preview === true,
    headers: preview
      ? headersForPreview(headers, requestIdHeader)
      : headersOf(name, headers, requestIdHeader, null),
    headersByFlag: new Map(
      preview
        ? []
        : [...headers.byFlag.keys()].map((flag) => [flag, headersOf(name, headers, requestIdHeader, flag)]),
    ),
    timeout,
    phases,
    codings: acceptEncodings,
    retry: policies.retries.lease(name),
    hedge: policies.hedges.lease(name),
    slots: policies.slots.lease(name),
  } as const
}

/** Compiles the header rules of a subgraph of a preview: no others than those for previews. */
function headersForPreview({ previews }: HeadersConfig, requestIdHeader: string): EndpointHeaders {
  return { rules: compileHeaderRules(previews, requestIdHeader), responseRules: compileResponseRules([]) }
}

/** Compiles the header rules of a subgraph. Rules of the flag come last, so that they replace the others. */
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

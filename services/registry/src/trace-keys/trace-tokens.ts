/**
 * Signs trace tokens, with the newest key that the routers of the graph know. While a rotation is on its way
 * to them, that is the older key; where there is none, routers are waited for, and a token that they may
 * refuse says so.
 */
import { randomUUID } from 'node:crypto'
import {
  type CreateTraceToken,
  type GraphName,
  problem,
  ProblemError,
  traceAudience,
  type TraceToken,
} from '@switchyard/contracts'
import type { Changes } from '@switchyard/service-kit'
import { importJWK, SignJWT } from 'jose'
import type { TraceKeyEvents } from './trace-key-events.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { KeyRequest } from '../keys/key-writer.ts'
import type { PublishedConfigs } from '../reading/published-configs.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import type { TraceKey } from './trace-key.ts'
import type { TraceKeys } from './trace-keys.ts'

/** The time for routers to learn a new key. They take milliseconds when all is well. */
const ROUTERS_WAIT_MS = 5000

export type TraceTokensOptions = {
  readonly keys: TraceKeys
  /** Whether the first key is made when the first token is asked for. */
  readonly createFirst: boolean
  readonly fold: RegistryReader
  readonly configs: PublishedConfigs
  readonly fleet: Fleet
  readonly changes: Changes
  readonly events: TraceKeyEvents
  /** Unix milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
  readonly routersWaitMs?: number
}

type ChosenTraceKey = { readonly key: TraceKey; readonly warnings: string[] }

export class TraceTokenIssuer {
  readonly #options: TraceTokensOptions

  constructor(options: TraceTokensOptions) {
    this.#options = options
  }

  /** Throws a problem for a graph that does not exist, and when no key can sign. */
  async issue(
    graph: GraphName,
    { ttl, exclude }: CreateTraceToken,
    { actor, traceparent }: Pick<KeyRequest, 'actor' | 'traceparent'>,
  ): Promise<TraceToken> {
    const { fold, keys, events, now } = this.#options
    const state = await fold.caughtUp(graph.namespace)
    if (!state.exists || !state.graphs.has(graph.graph)) {
      throw new ProblemError(
        problem(
          'NOT_FOUND',
          `There is no federated graph "${graph.graph}" in namespace "${graph.namespace}".`,
        ),
      )
    }
    const { key, warnings } = await this.#chosen(graph, traceparent)
    const issued = Math.floor(now() / 1000)
    const expires = issued + ttl
    // Before it is signed: whoever retires the key meanwhile is told of this token.
    keys.times.signed(key.kid, expires * 1000)
    const jti = randomUUID()
    const token = await new SignJWT(exclude.length === 0 ? {} : { exclude })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: key.kid })
      .setAudience(traceAudience(graph))
      .setIssuedAt(issued)
      .setExpirationTime(expires)
      .setJti(jti)
      .sign(await importJWK(key.privateJwk, 'EdDSA'))
    const expiresAt = new Date(expires * 1000).toISOString()
    events.traceTokenIssued({ actor, ...graph, kid: key.kid, jti, expiresAt, exclude, traceparent })
    return { token, expiresAt, kid: key.kid, warnings }
  }

  async #chosen(graph: GraphName, traceparent: string): Promise<ChosenTraceKey> {
    const { fold, configs, changes, signal, routersWaitMs = ROUTERS_WAIT_MS } = this.#options
    await fold.systemCaughtUp()
    await this.#haveSigner(traceparent)
    await configs.caughtUp(graph)
    const knownBefore = await this.#known(graph)
    if (knownBefore !== null) return { key: knownBefore, warnings: [] }
    const config = configs.newest(graph)
    if (config === null || config.base === null) {
      const reason =
        'The graph has no configuration yet, so no router serves it or knows the key of this token.'
      return { key: await this.#newest(), warnings: [reason] }
    }
    const { kid } = await this.#newest()
    await changes.until(() => this.#isKnown(graph, kid), routersWaitMs, signal)
    const known = await this.#known(graph)
    if (known !== null) return { key: known, warnings: [] }
    return { key: await this.#newest(), warnings: [this.#whyUnknown(graph, kid)] }
  }

  async #haveSigner(traceparent: string): Promise<void> {
    const { keys, createFirst } = this.#options
    if (!createFirst || (await keys.signers()).length > 0) return
    await keys.createFirst({ commandId: randomUUID(), commandHash: null, actor: 'system', traceparent })
  }

  async #newest(): Promise<TraceKey> {
    const [newest] = await this.#options.keys.signers()
    if (newest !== undefined) return newest
    throw new ProblemError(
      problem(
        'TRACE_KEY_UNAVAILABLE',
        'None of the trace keys that routers are told of is in the key file of this registry. Create one with "switchyard registry trace-key create"; "trace-key list" shows what there is.',
      ),
    )
  }

  async #known(graph: GraphName): Promise<TraceKey | null> {
    const signers = await this.#options.keys.signers()
    return signers.find(({ kid }) => this.#isKnown(graph, kid)) ?? null
  }

  /**
   * True if every living router with a right clock serves a configuration that names the key. Without any
   * such router it is enough that the newest configuration names the key.
   */
  #isKnown(graph: GraphName, kid: string): boolean {
    const { configs, fleet } = this.#options
    const since = configs.traceKeySince(graph, kid)
    return since !== null && fleet.followingInTime(graph).every((router) => configs.serves(router, since))
  }

  #whyUnknown(graph: GraphName, kid: string): string {
    const { configs, fleet } = this.#options
    const since = configs.traceKeySince(graph, kid)
    if (since === null) {
      return `No configuration of the graph names the key ${kid} yet: routers refuse this token until config-distribution has published one.`
    }
    const routers = fleet.followingInTime(graph)
    const behind = routers.filter((router) => !configs.serves(router, since)).length
    return `${behind} of ${routers.length} routers do not serve revision ${since.revision} yet, which names the key ${kid}: they refuse this token until they do.`
  }
}

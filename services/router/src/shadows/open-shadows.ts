/** Opens what compares answers of base with those of flags, under one version of the settings. */
import { type Propagation, TRACE_CONTEXT } from '@switchyard/service-kit'
import type { ByteShares } from '../fairness/byte-shares.ts'
import type { TurnQueue } from '../fairness/turn-queue.ts'
import { ROUTER_ITSELF } from '../fairness/client.ts'
import type { EndpointOptions } from '../call/endpoints.ts'
import type { Deadlines } from '../call/in-flight/deadlines.ts'
import { AnswerIntake } from '../call/in-flight/answer-intake.ts'
import { AnswerTurns } from '../call/in-flight/answer-turns.ts'
import { FetchSharing } from '../call/fetch-sharing.ts'
import { type ConnectionSettings, Origins } from '../call/origins.ts'
import { Authorizer } from '../concerns/authorization/authorizer.ts'
import { OverrideLabels } from '../concerns/override-labels/override-labels.ts'
import { describeValues } from '../concerns/shadows/results/describe-value.ts'
import type { ShadowMetrics } from '../concerns/shadows/metrics.ts'
import { ShadowResults } from '../concerns/shadows/results/shadow-results.ts'
import type { MutationCount } from '../concerns/sharing/mutation-count.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { Generations } from '../generations/generations.ts'
import type { ServedParts } from '../generations/served-parts.ts'
import type { Traffic } from '../listen/traffic.ts'
import type { LoadShedding } from '../listen/load-shedding.ts'
import { MAX_HELD } from './recorded-answers.ts'
import { ShadowWays } from './shadow-ways.ts'
import { Shadows } from './shadows.ts'
import { LoadWatch } from '../transport/load/load-watch.ts'
import type { SubgraphTls } from '../transport/tls/subgraph-tls.ts'

/** The parts of a router that shadows use. */
export type ShadowParts = {
  readonly config: RouterConfig
  readonly serving: { readonly generations: Generations }
  readonly served: ServedParts
  readonly shadowResults: ShadowResults
  readonly events: {
    readonly shadows: ShadowMetrics
    readonly requests: { readonly failures: { defect(error: unknown): void } }
  }
  readonly limits: { readonly traffic: Traffic; readonly unanswered: ByteShares }
  /** Refuses requests while the event loop is late. Null if the settings do not say so. */
  readonly shedding: LoadShedding | null
  readonly tls: SubgraphTls
  /** The ways in which requests of clients call subgraphs. */
  readonly ways: EndpointOptions
  readonly deadlines: Deadlines
  readonly turns: TurnQueue
  readonly mutations: MutationCount
  readonly options: {
    readonly propagation?: Propagation
    readonly overrides?: { readonly random?: () => number }
  }
}

/** Makes the results of a router. They tell values while the settings in force say so. */
export function openShadowResults(inForce: () => RouterConfig): ShadowResults {
  const keepsValues = (): boolean => inForce().shadow.keepsValues
  return new ShadowResults({ describe: describeValues(keepsValues), keepsValues, now: () => Date.now() })
}

/** Resolves with null if the settings allow no shadows. All of it is handed to `parts`. */
export async function openShadows(
  shared: ShadowParts,
  connections: ConnectionSettings,
  parts: AsyncDisposableStack,
): Promise<Shadows | null> {
  const { config, served, events, tls, turns, mutations, options } = shared
  const { maxConcurrent } = config.shadow
  if (maxConcurrent === 0) return null
  const settings = { ...connections, maxConnections: maxConcurrent }
  const origins = parts.use(new Origins(settings, { loads: new LoadWatch(), tls }))
  const ways = parts.use(new ShadowWays({ ...shared.ways, origins, maxConcurrent }))
  await ways.prepare()
  const random = options.overrides?.random ?? Math.random
  const shadows = new Shadows({
    served,
    ways,
    generations: shared.serving.generations,
    results: shared.shadowResults,
    random,
    maxConcurrent,
    metrics: events.shadows,
    authorizer: new Authorizer(config.authorization),
    overrideLabels: new OverrideLabels({ ...config.overrideLabels, random }),
    rejectsUnauthorized: config.authorization.rejectUnauthorized,
    turns: turns.of(() => ROUTER_ITSELF),
    maxSteps: config.limits.executionSteps,
    isBusy: () => isBusy(shared),
    objection: () => (isBusy(shared) ? 'busy' : null),
    onDefect: (error) => events.requests.failures.defect(error),
    client: {
      deadlines: shared.deadlines,
      intake: new AnswerIntake(maxConcurrent * MAX_HELD),
      turns: new AnswerTurns(),
      maxResponseSize: Math.min(MAX_HELD, config.subgraphs.maxResponseSize),
      errors: config.subgraphs.errors,
      propagation: options.propagation ?? TRACE_CONTEXT,
      mutations,
      sharing: new FetchSharing(false, mutations),
    },
  })
  return parts.use(shadows)
}

/**
 * Whether clients may soon be refused, or have to wait: half of what they may take is taken. Then nothing is
 * done that no client waits for.
 */
function isBusy({ config, limits, shedding }: ShadowParts): boolean {
  const { traffic, unanswered } = limits
  const { maxConcurrentRequests, unansweredSize } = config.traffic
  return (
    traffic.leaving ||
    traffic.draining ||
    traffic.inFlight * 2 > maxConcurrentRequests ||
    unanswered.bytes * 2 > unansweredSize.total ||
    (shedding !== null && shedding.share > 0)
  )
}

/** Everything worth knowing about a running router: one helper per event, which logs it and counts it. */
import { createHash } from 'node:crypto'
import { metrics } from '@opentelemetry/api'
import type { GraphKey, ManifestVersion } from '@switchyard/config-store'
import type { Logger } from '@switchyard/service-kit'
import type { SelectionReason } from './flags/requested-flag.ts'
import { type ManifestRejectedError, messageOf } from './errors.ts'

/** What one answered request leaves behind. Nothing of the client's data is in it but the operation's name. */
export type RequestRecord = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly traceId: string
  /** Set once a composition was chosen. */
  readonly composition: {
    readonly reason: SelectionReason
    /** The configured flag that answered. */
    readonly flag: string | null
    readonly artifact: string
    readonly revision: number
  } | null
  /** What the client named, when that is not what answered. */
  readonly requestedFlag: string | null
  readonly operation: string | null
  readonly code: string | null
  readonly errors: number
  /** Milliseconds; null: the plan was there, or made at once. */
  readonly waitedForPlan: number | null
  /** Set for an answer in parts; milliseconds until the first was written. */
  readonly stream: { readonly parts: number; readonly firstPart: number } | null
  /** The client left before its answer was complete. */
  readonly aborted: boolean
  /** It was the router that ended it, since the client did not read. */
  readonly stalled: boolean
}

/** Which operation a log line about planning means. */
export type PlannedOperation = {
  readonly artifact: string
  readonly document: string
  readonly operation: string | null
}

export type PlanningEffort = {
  readonly milliseconds: number
  /** Absent where the planner was ended before it could tell. */
  readonly steps?: number
}

/** Characters of a text that clients may make as long as they like. */
export const MAX_LOGGED = 100
/** Enough of a hash to tell it from others. */
const MAX_HASH = 12

export class RouterEvents {
  readonly #log: Logger
  readonly #accessLog: boolean
  readonly #requests
  readonly #subgraphFailures
  readonly #swaps
  readonly #rejections
  readonly #flagBuilds
  readonly #builds
  readonly #generations
  readonly #generationBytes
  readonly #plans
  readonly #planningTime

  constructor(logger: Logger, accessLog: boolean) {
    this.#log = logger
    this.#accessLog = accessLog
    const meter = metrics.getMeter('@switchyard/router')
    this.#requests = meter.createCounter('switchyard.router.requests')
    this.#subgraphFailures = meter.createCounter('switchyard.router.subgraph_failures')
    this.#swaps = meter.createCounter('switchyard.router.swaps')
    this.#rejections = meter.createCounter('switchyard.router.rejected_manifests')
    this.#flagBuilds = meter.createCounter('switchyard.router.flag_builds')
    this.#builds = meter.createCounter('switchyard.router.generation_builds')
    this.#generations = meter.createUpDownCounter('switchyard.router.generations')
    this.#generationBytes = meter.createUpDownCounter('switchyard.router.generation_size', { unit: 'By' })
    this.#plans = meter.createCounter('switchyard.router.plans')
    this.#planningTime = meter.createCounter('switchyard.router.planning_time', { unit: 'ms' })
  }

  requestAnswered(request: RequestRecord): void {
    const { composition } = request
    // Only configured names become labels: what a client made up would grow without end.
    this.#requests.add(1, {
      status: request.status,
      reason: composition?.reason ?? 'not-chosen',
      flag: composition?.flag ?? '',
    })
    if (!this.#accessLog) return
    this.#log.info(
      {
        event: 'request.answered',
        method: request.method,
        path: request.path.slice(0, MAX_LOGGED),
        status: request.status,
        milliseconds: Math.round(request.milliseconds * 1000) / 1000,
        traceId: request.traceId,
        ...(composition === null
          ? {}
          : {
              flagReason: composition.reason,
              flag: composition.flag,
              artifact: composition.artifact.slice(0, MAX_HASH),
              revision: composition.revision,
            }),
        ...(request.requestedFlag === null
          ? {}
          : { requestedFlag: request.requestedFlag.slice(0, MAX_LOGGED) }),
        ...(request.operation === null ? {} : { operation: request.operation.slice(0, MAX_LOGGED) }),
        ...(request.code === null ? {} : { code: request.code }),
        ...(request.waitedForPlan === null ? {} : { waitedForPlan: Math.round(request.waitedForPlan) }),
        ...(request.stream === null
          ? {}
          : { parts: request.stream.parts, firstPart: Math.round(request.stream.firstPart * 1000) / 1000 }),
        ...(request.errors === 0 ? {} : { errors: request.errors }),
        ...(request.aborted ? { aborted: true } : {}),
        ...(request.stalled ? { stalled: true } : {}),
      },
      outcomeOf(request),
    )
  }

  accessRulesNotEnforced(artifact: string, rules: readonly string[]): void {
    const named = rules.map((rule) => `@${rule}`)
    this.#log.warn(
      { event: 'config.access-rules-not-enforced', artifact, rules },
      `The supergraph restricts who may see what with ${named.join(', ')}, which this router does not enforce`,
    )
  }

  requestFailed(error: unknown, traceId: string): void {
    this.#log.error({ event: 'request.failed', err: error, traceId }, 'a request failed inside the router')
  }

  subgraphFailed(
    subgraph: string,
    failure: { readonly code: string; readonly message: string },
    detail: string | null,
    traceId: string,
  ): void {
    this.#subgraphFailures.add(1, { subgraph, code: failure.code })
    this.#log.warn(
      { event: 'subgraph.failed', subgraph, code: failure.code, detail, traceId },
      failure.message,
    )
  }

  /** Every plan that was not known: where it was made, and what came of it. */
  planned(
    place: 'main-thread' | 'thread' | 'nowhere',
    outcome: 'planned' | 'refused' | 'timed-out' | 'failed' | 'lost' | 'overloaded',
    milliseconds = 0,
  ): void {
    this.#plans.add(1, { place, outcome })
    this.#planningTime.add(milliseconds, { place })
  }

  planningWasLong(operation: PlannedOperation, effort: PlanningEffort): void {
    this.#log.info(
      { event: 'planning.long', ...loggedOperation(operation), ...loggedEffort(effort) },
      'An operation took so long to plan that a planning thread did it; its next requests use the plan',
    )
  }

  planningRefused(operation: PlannedOperation, effort: PlanningEffort, reason: string): void {
    this.#log.warn(
      { event: 'planning.refused', ...loggedOperation(operation), ...loggedEffort(effort) },
      reason,
    )
  }

  planningThreadLost(operation: PlannedOperation, reason: string): void {
    this.#log.error(
      { event: 'planning.thread-lost', ...loggedOperation(operation), reason: reason.slice(0, MAX_LOGGED) },
      'A planning thread came to an end in the middle of an operation; its requests were refused and a new thread takes over',
    )
  }

  planningOverloaded(refused: number, budget: number): void {
    this.#log.warn(
      { event: 'planning.overloaded', refused, budget },
      `Operations without a plan are refused: planning took more than ${budget} ms per second (planning.budget). Operations with a plan are answered`,
    )
  }

  listening(url: string): void {
    this.#log.info({ event: 'router.listening', url }, `GraphQL over HTTP at ${url}`)
  }

  devMode(): void {
    this.#log.warn(
      { event: 'router.dev-mode' },
      'Dev mode is on (dev_mode, DEV_MODE): anybody may ask for what shows the inside of this router. Switch it off in production',
    )
  }

  certificateExpired(file: string, validTo: string): void {
    this.#log.warn(
      { event: 'tls.certificate-expired', file, validTo },
      `The certificate in ${file} is valid until ${validTo}, which is over: clients will refuse it. It is used until the file changes`,
    )
  }

  certificateRenewed(validTo: string): void {
    this.#log.info(
      { event: 'tls.certificate-renewed', validTo },
      `The certificate was read again, for new connections; it is valid until ${validTo}`,
    )
  }

  certificateNotRenewed(reason: string): void {
    this.#log.error(
      { event: 'tls.certificate-not-renewed', reason },
      'The files of the certificate have changed and cannot be used: the one read before stays, and they are tried again',
    )
  }

  /** `reason` is the code of the error. */
  handshakeFailed(reason: string): void {
    if (!this.#accessLog) return
    this.#log.info({ event: 'tls.handshake-failed', reason }, 'A client came to no agreement over TLS')
  }

  waiting(reason: string): void {
    this.#log.info({ event: 'router.waiting', reason }, `Not serving yet: ${reason}`)
  }

  swapped(config: {
    readonly source: string
    readonly version: ManifestVersion
    readonly previous: ManifestVersion | null
    readonly flags: number
    readonly milliseconds: number
    readonly traceId: string
  }): void {
    this.#swaps.add(1, { source: config.source })
    const { version, previous, flags, milliseconds, source, traceId } = config
    this.#log.info(
      {
        event: 'config.swapped',
        source,
        version,
        previous,
        flags,
        milliseconds: Math.round(milliseconds),
        traceId,
      },
      `Serving revision ${version.revision} from the ${source}`,
    )
    if (previous !== null && previous.epoch !== 0 && version.epoch > previous.epoch) {
      this.#log.warn(
        { event: 'config.epoch-changed', version, previous },
        'The config log began anew: a signed manifest of a later epoch was accepted',
      )
    }
  }

  manifestRejected(source: string, error: ManifestRejectedError, serving: ManifestVersion | null): void {
    this.#rejections.add(1, { source, code: error.code })
    const kept =
      serving === null ? 'Nothing is served from it.' : `Still serving revision ${serving.revision}.`
    this.#log.error(
      { event: 'config.rejected', source, code: error.code, serving, cause: causeOf(error) },
      `A manifest from the ${source} was rejected: ${error.message} ${kept}`,
    )
  }

  sourceUnavailable(source: string, error: unknown): void {
    this.#log.warn(
      { event: 'config.source-unavailable', source, reason: messageOf(error) },
      `The ${source} cannot be read; what is being served stays, and it is tried again`,
    )
  }

  lastKnownGoodNotWritten(error: unknown): void {
    this.#log.warn(
      { event: 'config.last-known-good-not-written', reason: messageOf(error) },
      'The last-known-good copy could not be written: a start without the config store would find an older one',
    )
  }

  graphDeleted(graph: GraphKey, serving: boolean): void {
    this.#log.warn(
      { event: 'config.graph-deleted', ...graph },
      serving
        ? 'The graph was deleted. Its last composition is served until this router stops'
        : 'The graph was deleted: there is nothing to serve',
    )
  }

  /** `alive`: generations in memory, with this one. */
  generationBuilt(artifact: string, size: number, alive: number, milliseconds: number): void {
    this.#builds.add(1)
    this.#generations.add(1)
    this.#generationBytes.add(size)
    this.#log.info(
      {
        event: 'generation.built',
        artifact: artifact.slice(0, MAX_HASH),
        size,
        alive,
        milliseconds: Math.round(milliseconds),
      },
      'A composition was compiled',
    )
  }

  /** Nobody serves it and no request holds it any more. */
  generationReleased(artifact: string, size: number, alive: number): void {
    this.#generations.add(-1)
    this.#generationBytes.add(-size)
    this.#log.info(
      { event: 'generation.released', artifact: artifact.slice(0, MAX_HASH), alive },
      'The memory of a compiled composition was given back',
    )
  }

  flagBuilt(flag: string, milliseconds: number): void {
    this.#flagBuilds.add(1, { flag, outcome: 'built' })
    this.#log.info(
      { event: 'flag.built', flag, milliseconds: Math.round(milliseconds) },
      `The composition of feature flag "${flag}" was built for its first request`,
    )
  }

  flagNotServed(flag: string, error: unknown): void {
    this.#flagBuilds.add(1, { flag, outcome: 'failed' })
    this.#log.error(
      { event: 'flag.not-served', flag, reason: messageOf(error) },
      `The composition of feature flag "${flag}" cannot be served: its requests get base`,
    )
  }

  draining(inFlight: number): void {
    this.#log.info({ event: 'router.draining', inFlight }, `Draining ${inFlight} requests`)
  }

  drainLimitReached(inFlight: number): void {
    this.#log.warn(
      { event: 'router.drain-limit', inFlight },
      `${inFlight} requests did not finish in time and were ended`,
    )
  }
}

function outcomeOf({ aborted, stalled }: RequestRecord): string {
  if (stalled) return 'the client read nothing for traffic.write_timeout: its answer was ended'
  return aborted ? 'the client left before its answer was complete' : 'request answered'
}

/** The hash is the one of the document's text, by which clients with persisted queries know it, too. */
function loggedOperation({ artifact, document, operation }: PlannedOperation) {
  return {
    artifact: artifact.slice(0, MAX_HASH),
    operationHash: createHash('sha256').update(document).digest('hex').slice(0, MAX_HASH),
    ...(operation === null ? {} : { operation: operation.slice(0, MAX_LOGGED) }),
  }
}

function loggedEffort({ milliseconds, steps }: PlanningEffort) {
  return {
    milliseconds: Math.round(milliseconds),
    ...(steps === undefined ? {} : { steps: Math.round(steps) }),
  }
}

function causeOf(error: Error): string | null {
  return error.cause === undefined ? null : messageOf(error.cause)
}

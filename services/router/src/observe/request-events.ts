/** What becomes of requests, and of the calls that subgraphs get for them. */
import {
  createCheapCounter,
  createCheapHistogram,
  HTTP_DURATIONS,
  type Logger,
} from '@switchyard/service-kit'
import type { SelectionReason } from '../flags/requested-flag.ts'
import { PHASES, type RequestPhases } from './request-phases.ts'
import { MAX_HASH, MAX_LOGGED } from './logged.ts'
import { METER } from './meter.ts'
import type { RefusalEvents } from './refusal-events.ts'

/** By which a line is found again: those of the request, or of a call that was made for it. */
export type RequestIdsLogged = {
  readonly trace_id: string
  readonly span_id: string
  readonly request_id: string
}

/** The settings by which the router ends an answer that its client does not read, or too slowly. */
export type StallLimit = 'traffic.write_timeout' | 'traffic.max_unsent_size'

/** What one answered request leaves behind. Nothing of the client's data is in it but the operation's name. */
export type RequestRecord = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly phases: RequestPhases
  readonly ids: RequestIdsLogged
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
  /** The setting by which the router ended it, since the client did not read, or too slowly; null: it did not. */
  readonly stalled: StallLimit | null
}

/** Seconds: most phases of a small request are over within a fraction of a millisecond. */
const PHASE_DURATIONS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, ...HTTP_DURATIONS]

/** Clients may send others, which are refused; the name for them is OpenTelemetry's. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST'])

export class RequestEvents {
  readonly #log: Logger
  readonly #accessLog: boolean
  readonly #refusals: RefusalEvents
  readonly #requests
  readonly #durations
  readonly #phases
  readonly #subgraphDurations
  readonly #activeCalls = new Map<string, number>()

  constructor(logger: Logger, accessLog: boolean, refusals: RefusalEvents) {
    this.#refusals = refusals
    this.#log = logger
    this.#accessLog = accessLog
    this.#requests = createCheapCounter(METER, 'switchyard.router.requests', {
      description: 'Requests of clients that came to an end, by what became of the choice of a composition',
      labels: ['status', 'reason', 'flag'],
    })
    this.#durations = createCheapHistogram(METER, 'http.server.request.duration', {
      unit: 's',
      description: 'How long requests of clients took until their answer was written, by status',
      labels: ['http.request.method', 'http.response.status_code'],
      boundaries: HTTP_DURATIONS,
    })
    const phases = createCheapHistogram(METER, 'switchyard.router.phase_duration', {
      unit: 's',
      description: 'How long requests of clients were in each of their phases',
      labels: ['phase'],
      boundaries: PHASE_DURATIONS,
    })
    this.#phases = PHASES.map((phase) => phases.of(phase))
    this.#subgraphDurations = createCheapHistogram(METER, 'switchyard.router.subgraph_duration', {
      unit: 's',
      description: 'How long calls of subgraphs took, by what came of them',
      labels: ['subgraph', 'outcome'],
      boundaries: HTTP_DURATIONS,
    })
  }

  requestAnswered(request: RequestRecord): void {
    const { composition } = request
    // Only configured names become labels: what a client made up would grow without end.
    this.#requests.of(request.status, composition?.reason ?? 'not-chosen', composition?.flag ?? '').record(1)
    const method = METHODS.has(request.method) ? request.method : '_OTHER'
    this.#durations.of(method, request.status).record(request.milliseconds / 1000)
    request.phases.tell(this.#phases)
    if (request.code !== null) this.#refusals.requestRefused(request.code)
    if (!this.#accessLog || !this.#log.isLevelEnabled('info')) return
    this.#log.info(loggedRequest(request), outcomeOf(request))
  }

  /** Without ids: the failure belongs to no request. */
  requestFailed(error: unknown, ids?: RequestIdsLogged): void {
    this.#log.error({ event: 'request.failed', err: error, ...ids }, 'a request failed inside the router')
  }

  subgraphCallBegan(subgraph: string): void {
    this.#activeCalls.set(subgraph, (this.#activeCalls.get(subgraph) ?? 0) + 1)
  }

  /** `outcome`: `answered`, or the code of the failure. */
  subgraphCalled(subgraph: string, outcome: string, milliseconds: number): void {
    this.#activeCalls.set(subgraph, (this.#activeCalls.get(subgraph) ?? 1) - 1)
    this.#subgraphDurations.of(subgraph, outcome).record(milliseconds / 1000)
  }

  /** Calls that are not over, by subgraph. */
  get activeCalls(): ReadonlyMap<string, number> {
    return this.#activeCalls
  }

  subgraphFailed(
    subgraph: string,
    failure: { readonly code: string; readonly message: string },
    detail: string | null,
    ids: RequestIdsLogged,
  ): void {
    this.#log.warn(
      { event: 'subgraph.failed', subgraph, code: failure.code, detail, ...ids },
      failure.message,
    )
  }
}

/** Absent is what was not chosen, did not happen, or was not there. */
function loggedRequest(request: RequestRecord) {
  const { composition } = request
  return {
    event: 'request.answered',
    method: request.method,
    path: request.path.slice(0, MAX_LOGGED),
    status: request.status,
    milliseconds: Math.round(request.milliseconds * 1000) / 1000,
    trace_id: request.ids.trace_id,
    span_id: request.ids.span_id,
    request_id: request.ids.request_id,
    ...(composition === null
      ? {}
      : {
          flagReason: composition.reason,
          flag: composition.flag,
          artifact: composition.artifact.slice(0, MAX_HASH),
          revision: composition.revision,
        }),
    ...(request.requestedFlag === null ? {} : { requestedFlag: request.requestedFlag.slice(0, MAX_LOGGED) }),
    ...(request.operation === null ? {} : { operation: request.operation.slice(0, MAX_LOGGED) }),
    ...(request.code === null ? {} : { code: request.code }),
    ...(request.waitedForPlan === null ? {} : { waitedForPlan: Math.round(request.waitedForPlan) }),
    ...(request.stream === null
      ? {}
      : { parts: request.stream.parts, firstPart: Math.round(request.stream.firstPart * 1000) / 1000 }),
    ...(request.errors === 0 ? {} : { errors: request.errors }),
    ...(request.aborted ? { aborted: true } : {}),
    ...(request.stalled === null ? {} : { stalled: true }),
  }
}

function outcomeOf({ aborted, stalled }: RequestRecord): string {
  if (stalled === 'traffic.write_timeout')
    return 'the client read nothing for traffic.write_timeout: its answer was ended'
  if (stalled === 'traffic.max_unsent_size')
    return 'the client read too slowly, and more waited than traffic.max_unsent_size allows: its answer was ended'
  return aborted ? 'the client left before its answer was complete' : 'request answered'
}

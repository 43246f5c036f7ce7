/** Counts and times requests, and the calls that subgraphs get for them. */
import { createCheapCounter, createCheapHistogram, HTTP_DURATIONS } from '@switchyard/service-kit'
import { METER } from './meter.ts'
import type { RefusalEvents } from './refusal-events.ts'
import type { EndedCall, RequestObserver } from './request-observer.ts'
import { PHASES } from './request-phases.ts'
import { KNOWN_METHODS, type RequestSummary } from './request-summary.ts'

/** Seconds: most phases of a small request are over within a fraction of a millisecond. */
const PHASE_DURATIONS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, ...HTTP_DURATIONS]

/** Keeps the instruments that each request tells something. */
export class RequestMetrics implements RequestObserver {
  readonly #refusals: RefusalEvents
  readonly #requests
  readonly #failed
  readonly #durations
  readonly #ownDurations
  readonly #phases
  readonly #joined
  readonly #joinedFetches
  readonly #subgraphDurations
  readonly #activeCalls = new Map<string, number>()

  constructor(refusals: RefusalEvents) {
    this.#refusals = refusals
    this.#requests = createCheapCounter(METER, 'switchyard.router.requests', {
      description: 'Requests of clients that have ended, by how their composition was chosen',
      labels: ['status', 'reason', 'flag'],
    })
    this.#failed = createCheapCounter(METER, 'switchyard.router.answers_with_errors', {
      description: 'Answers to executed operations that have errors, by the code of the first one',
      labels: ['code', 'flag'],
    })
    this.#durations = createCheapHistogram(METER, 'http.server.request.duration', {
      unit: 's',
      description: 'How long requests of clients took until their answer was written, by status',
      labels: ['http.request.method', 'http.response.status_code'],
      boundaries: HTTP_DURATIONS,
    })
    this.#ownDurations = createCheapHistogram(METER, 'switchyard.router.own_duration', {
      unit: 's',
      description: 'How long the router itself took for requests, without waiting for subgraphs',
      labels: [],
      boundaries: PHASE_DURATIONS,
    })
    this.#joined = createCheapCounter(METER, 'switchyard.router.requests_joined', {
      description: 'Requests of clients that were answered by what was executed for another one',
      labels: [],
    })
    this.#joinedFetches = createCheapCounter(METER, 'switchyard.router.fetches_joined', {
      description:
        'Fetches from subgraphs that waited for the call of an equal one instead of making their own',
      labels: ['subgraph'],
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
      description: 'How long calls of subgraphs took, by what came of them for the fetch that began them',
      labels: ['subgraph', 'outcome'],
      boundaries: HTTP_DURATIONS,
    })
  }

  joined(): void {
    this.#joined.of().record(1)
  }

  callBegan(subgraph: string): void {
    this.#activeCalls.set(subgraph, (this.#activeCalls.get(subgraph) ?? 0) + 1)
  }

  callEnded({ subgraph, failure, milliseconds, joined }: EndedCall): void {
    if (joined) return this.#joinedFetches.of(subgraph).record(1)
    this.#activeCalls.set(subgraph, (this.#activeCalls.get(subgraph) ?? 1) - 1)
    this.#subgraphDurations.of(subgraph, failure?.code ?? 'answered').record(milliseconds / 1000)
  }

  ended(request: RequestSummary): void {
    const { composition, status, method, phases, code, errorCode } = request
    // Only configured names become labels: what a client made up would grow without end.
    this.#requests.of(status, composition?.reason ?? 'not-chosen', composition?.flag ?? '').record(1)
    if (errorCode !== null) this.#failed.of(errorCode, composition?.flag ?? '').record(1)
    this.#ownDurations.of().record(ownTime(request) / 1000)
    this.#durations.of(KNOWN_METHODS.has(method) ? method : '_OTHER', status).record(phases.whole / 1000)
    phases.tell(this.#phases)
    if (code !== null) this.#refusals.requestRefused(code)
  }

  /** Calls that are not over, by subgraph. */
  get activeCalls(): ReadonlyMap<string, number> {
    return this.#activeCalls
  }
}

/**
 * Milliseconds, without those in which the client sent the request, or subgraphs worked on it, also for
 * another request that it joined.
 */
function ownTime({ phases, joined, waitedForSubgraphs }: RequestSummary): number {
  const waited = joined ? phases.spent('execute') : waitedForSubgraphs.milliseconds
  return Math.max(0, phases.whole - phases.spent('read') - waited)
}

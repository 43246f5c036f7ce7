/** Counts requests for GraphQL and times their phases, and the calls that subgraphs get for them. */
import {
  createCheapCounter,
  createCheapHistogram,
  declareCounter,
  declareHistogram,
  HTTP_DURATIONS,
} from '@switchyard/service-kit'
import { METER } from './meter.ts'
import type { EndedCall, RequestObserver } from './request-observer.ts'
import { PHASES } from './request-phases.ts'
import type { RequestSummary } from './request-summary.ts'

/** Seconds: most phases of a small request are over within a fraction of a millisecond. */
const PHASE_DURATIONS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, ...HTTP_DURATIONS]

export const REQUESTS = declareCounter('switchyard.router.requests', {
  description: 'Requests of clients that have ended, by how their composition was chosen',
  labels: {
    status: '',
    reason: [
      'header',
      'cookie',
      'none',
      'unknown',
      'not-served',
      'rollout',
      'rollout-control',
      'rollout-not-ready',
      'not-chosen',
    ],
    flag: '',
  },
})

export const ANSWERS_WITH_ERRORS = declareCounter('switchyard.router.answers_with_errors', {
  description: 'Answers to executed operations that have errors, by the code of the first one',
  labels: {
    code: 'of [calls of subgraphs](errors.md#router-calls-of-subgraphs), or `other` for what subgraphs report themselves',
    flag: '',
  },
})

export const OWN_DURATION = declareHistogram('switchyard.router.own_duration', {
  unit: 's',
  description: 'How long the router itself took for requests, without waiting for subgraphs',
  boundaries: PHASE_DURATIONS,
})

export const REQUESTS_JOINED = declareCounter('switchyard.router.requests_joined', {
  description: 'Requests of clients that were answered by what was executed for another one',
})

export const FETCHES_JOINED = declareCounter('switchyard.router.fetches_joined', {
  description: 'Fetches from subgraphs that waited for the call of an equal one instead of making their own',
  labels: { subgraph: '' },
})

export const PHASE_DURATION = declareHistogram('switchyard.router.phase_duration', {
  unit: 's',
  description: 'How long requests of clients were in each of their phases',
  boundaries: PHASE_DURATIONS,
  labels: { phase: PHASES },
})

export const SUBGRAPH_DURATION = declareHistogram('switchyard.router.subgraph_duration', {
  unit: 's',
  description: 'How long calls of subgraphs took, by their outcome for the fetch that began them',
  boundaries: HTTP_DURATIONS,
  labels: { subgraph: '', outcome: '`answered` or the code of the error' },
})

/** Keeps the instruments that each request tells something. */
export class RequestMetrics implements RequestObserver {
  readonly #requests = createCheapCounter(METER, REQUESTS)
  readonly #failed = createCheapCounter(METER, ANSWERS_WITH_ERRORS)
  readonly #ownDurations = createCheapHistogram(METER, OWN_DURATION)
  readonly #phases
  readonly #joined = createCheapCounter(METER, REQUESTS_JOINED)
  readonly #joinedFetches = createCheapCounter(METER, FETCHES_JOINED)
  readonly #subgraphDurations = createCheapHistogram(METER, SUBGRAPH_DURATION)
  readonly #activeCalls = new Map<string, number>()
  #requestsSoFar = 0
  #errorsSoFar = 0

  constructor() {
    const phases = createCheapHistogram(METER, PHASE_DURATION)
    this.#phases = PHASES.map((phase) => phases.of(phase))
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
    const { composition, status, phases, errorCode } = request
    this.#requestsSoFar++
    if (errorCode !== null) this.#errorsSoFar++
    // Only configured names become labels: what a client made up would grow without end.
    this.#requests.of(status, composition?.reason ?? 'not-chosen', composition?.flag ?? '').record(1)
    if (errorCode !== null) this.#failed.of(errorCode, composition?.flag ?? '').record(1)
    this.#ownDurations.of().record(ownTime(request) / 1000)
    phases.tell(this.#phases)
  }

  /** Requests that were answered since the start, and those among them whose answers had errors. */
  get totals(): { readonly requests: number; readonly errors: number } {
    return { requests: this.#requestsSoFar, errors: this.#errorsSoFar }
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

/**
 * Writes down what the router does for one request, from the gate to the last byte of the answer. There is
 * one only for a request that gets a trace; all it knows is its own, however many requests share the plan.
 */
import {
  type Fetch,
  type FetchId,
  type FetchRecorder,
  type FetchTree,
  fetchTree,
  type Plan,
} from '@switchyard/engine'
import type { Trace, TraceFetch, TraceNode } from '@switchyard/request-trace'
import { MAX_DEFER_LABEL } from '@switchyard/request-trace/defer-label'
import type {
  EndedCall,
  PlannedFor,
  PreparationStep,
  RequestObserver,
} from '../../observe/request-observer.ts'
import type { RequestWait } from '../../observe/request-summary.ts'
import type { CallRecorder, CallToRecord, JoinedFetch } from '../../call/in-flight/call-recorder.ts'
import type { Clock } from '../../transport/load/clock.ts'
import { JoinedWait } from '../../transport/load/joined-wait.ts'
import type { LoadWatch, RequestLoads } from '../../transport/load/load-watch.ts'
import type { RecordedTrace } from '../cleaning/recorded-trace.ts'
import { headersOfList } from './headers.ts'
import { tracedWaits } from './traced-waits.ts'
import { Phases } from './phases.ts'
import { NOT_LOADED, type RecordedCall, RecordedFetch } from './recorded-fetch.ts'
import { ReceivedAnswer } from './received-answer.ts'
import { NO_EVENTS } from '../../transport/dispatch/call-pool.ts'

/** Fields that a trace names as denied, and labels that it names as active. */
const MAX_DENIED = 50
const MAX_LABELS = 50

/** The policies that decided about the request besides its operation, as far as any did. */
export type TracedPolicies = Pick<RecordedTrace, 'asked_by' | 'cost' | 'rate_limits'>

export type RecordedRequest = {
  /** Time at which the request began, by the clock of the watch. */
  readonly started: number
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly composition: Trace['composition']
  /** Who stood in for its sender; null if nobody did. */
  readonly standIn: Trace['stand_in'] | null
  /** The rollouts that the request was compared with; null if it was with none. */
  readonly rollouts: Trace['rollouts'] | null
  /** Returns the policies as far as they are known by now. */
  readonly policies: () => TracedPolicies
  /** Returns the waits of the request so far. */
  readonly waits: () => readonly RequestWait[]
  readonly request: RecordedTrace['request']
  readonly warnings: readonly string[]
  /** Whether its fetches may share calls with others. */
  readonly mayShare: boolean
}

type PlannedRequest = {
  readonly plan: Plan
  readonly by: PlannedFor
  readonly labels: ReadonlySet<string>
}

export class RequestRecorder implements RequestObserver, CallRecorder, FetchRecorder, Disposable {
  readonly #phases: Phases
  readonly #of: RecordedRequest
  readonly #loads: RequestLoads
  readonly #now: Clock
  readonly #fetches = new Map<FetchId, RecordedFetch>()
  #planned: PlannedRequest | null = null

  /** To be disposed when the request is over. */
  constructor(of: RecordedRequest, watch: LoadWatch) {
    this.#of = of
    this.#loads = watch.begin()
    this.#now = watch.now
    this.#phases = new Phases(watch.now)
  }

  get mayShare(): boolean {
    return this.#of.mayShare
  }

  stepBegan(step: PreparationStep): void {
    this.#phases.begin(step)
  }

  planned(plan: Plan, by: PlannedFor, labels: ReadonlySet<string>): void {
    this.#phases.end()
    this.#planned = { plan, by, labels }
  }

  rendered({ id }: Fetch, body: string, from: ReadonlyMap<string, readonly unknown[]>): void {
    this.#fetches.set(id, new RecordedFetch(body, from))
  }

  settled({ id }: Fetch, failure: { readonly code: string; readonly message: string } | null): void {
    let fetch = this.#fetches.get(id)
    if (fetch === undefined) this.#fetches.set(id, (fetch = new RecordedFetch(null, new Map())))
    fetch.failure = failure
  }

  waitsForSlot(fetch: FetchId): void {
    this.#fetches.get(fetch)?.waits(this.#now())
  }

  waitsNoLonger(fetch: FetchId): void {
    this.#fetches.get(fetch)?.waitsNoLonger(this.#now())
  }

  /** Makes a call, and observes it. Throws what the pool throws. */
  dispatch(call: CallToRecord): void {
    const { origin, pool, path, method, headers, body, shown, handler, isShareable, isHedge } = call
    const answer = new ReceivedAnswer(handler)
    const request = { method, url: `${origin}${path}`, headers: headersOfList(headers) }
    const recorded: RecordedCall = { request, answer, isShareable, isHedge, joined: null, watched: null }
    this.#record(call.fetch, recorded)
    if (shown !== undefined) this.#fetches.get(call.fetch)?.sends(shown())
    recorded.watched = this.#loads.dispatch(pool, { path, method, headers, body }, answer)
  }

  hedgeReplaces(fetch: FetchId, isFirstGivenUp: boolean): void {
    this.#fetches.get(fetch)?.hedgeReplaces(isFirstGivenUp)
  }

  hedgeEnded(fetch: FetchId, isGivenUp: boolean): void {
    this.#fetches.get(fetch)?.hedgeEnded(isGivenUp)
  }

  fetchJoined({ fetch, origin, path, method, headers, call }: JoinedFetch): void {
    const request = { method, url: `${origin}${path}`, headers: headersOfList(headers) }
    const watched = new JoinedWait(this.#now)
    // The events of the call go to the fetch that began it.
    const answer = new ReceivedAnswer(NO_EVENTS)
    this.#record(fetch, { request, answer, isShareable: true, isHedge: false, joined: call, watched })
  }

  #record(id: FetchId, call: RecordedCall): void {
    this.#fetches.get(id)?.called(call)
  }

  /** Whatever the call still does, its answer is known to be JSON or to be of no use. */
  callEnded({ fetch, failure }: EndedCall): void {
    this.waitsNoLonger(fetch)
    const call = this.#fetches.get(fetch)?.call
    const answer = call?.joined?.answer ?? null
    if (answer !== null) call?.answer.take(answer)
    call?.answer.end(failure === null)
    call?.watched?.end()
  }

  /** Returns the trace of all events so far. */
  trace(): RecordedTrace {
    const { started, startedAt, composition, standIn, rollouts, policies, waits, request, warnings } =
      this.#of
    const labels = [...(this.#planned?.labels ?? [])]
    this.#phases.end()
    return {
      version: '1',
      info: {
        trace_start_time: new Date(startedAt).toISOString(),
        trace_start_unix: Math.floor(startedAt) / 1000,
        ...tracedWaits(waits(), started),
        ...this.#phases.stats(started),
      },
      composition,
      ...(standIn !== null && { stand_in: standIn }),
      ...(rollouts !== null && { rollouts }),
      ...(labels.length > 0 && { override_labels: labels.slice(0, MAX_LABELS) }),
      fetches: { kind: 'Sequence', children: this.#nodes() },
      ...this.#denied(),
      ...policies(),
      request,
      ...(warnings.length > 0 && { warnings }),
    }
  }

  [Symbol.dispose](): void {
    this.#loads[Symbol.dispose]()
  }

  #denied(): Pick<RecordedTrace, 'denied'> {
    const denied = this.#planned?.plan.denied ?? []
    return denied.length > 0 ? { denied: denied.slice(0, MAX_DENIED) } : {}
  }

  #nodes(): readonly TraceNode[] {
    const planned = this.#planned
    if (planned === null) return []
    return fetchTree(planned.by.graph, planned.plan).map((node) => this.#node(node, planned))
  }

  #node(node: FetchTree, planned: PlannedRequest): TraceNode {
    if (node.kind !== 'Single')
      return { kind: node.kind, children: node.children.map((child) => this.#node(child, planned)) }
    const { plan, by } = planned
    const { fetch, kind, path, subgraph, dependsOn, group } = node.place
    const name = by.graph.compiled.subgraphs[subgraph]?.name ?? String(subgraph)
    const described: TraceFetch = {
      kind,
      path,
      source_id: by.endpoints.get(name)?.id ?? name,
      source_name: name,
      ...(dependsOn.length > 0 && { depends_on: dependsOn }),
      ...(group > 0 && { defer_id: String(group), ...deferLabel(plan, group) }),
      trace: this.#fetches.get(fetch)?.trace(kind, this.#of.started, this.#now()) ?? NOT_LOADED,
    }
    return { kind: 'Single', fetch: described }
  }
}

/** The label of a deferred fragment as a trace shows it: whole, or not at all if it is too long. */
function deferLabel({ groups }: Plan, group: number): Pick<TraceFetch, 'defer_label'> {
  const label = groups[group]?.label ?? null
  return label === null || label.length > MAX_DEFER_LABEL ? {} : { defer_label: label }
}

/** Collects what there is to say about one request, and says it to the observers. */
import type { OperationKind, Plan } from '@switchyard/engine'
import type { FlagChoice } from '../flags/flag-choice.ts'
import { ownText } from '../memory/own-text.ts'
import { NO_FLAG } from '../flags/requested-flag.ts'
import type { EndedCall, PlannedFor, PreparationStep, RequestObserver } from './request-observer.ts'
import { EventReport } from './event-report.ts'
import { type RequestPhase, RequestPhases } from './request-phases.ts'
import {
  type ChosenComposition,
  type CountedOperation,
  type KnownDocuments,
  type RequestCost,
  requestIds,
  type RequestSummary,
  type RequestWait,
  type StallLimit,
} from './request-summary.ts'
import type { ActiveSpan } from './spans.ts'
import { type ErrorSummary, joinSummaries } from './summarize-errors.ts'
import { WaitingTime } from './waiting-time.ts'

type Collected = { -readonly [Key in keyof RequestSummary]: RequestSummary[Key] }

const NO_WAITS: readonly RequestWait[] = []

/** Collects the events of one request, and passes them on to the observers. */
export class RequestReport implements RequestObserver {
  readonly #request: Collected
  #observers: readonly RequestObserver[]

  /** The request begins. `observers` are those of all requests, to which its own may be added. */
  constructor(
    { method = '', url = '/' }: { readonly method?: string | undefined; readonly url?: string | undefined },
    span: ActiveSpan,
    { requestId, route }: Pick<RequestSummary, 'requestId' | 'route'>,
    observers: readonly RequestObserver[],
  ) {
    this.#observers = observers
    this.#request = begunRequest({ method, url, route, span, requestId })
  }

  get summary(): RequestSummary {
    return this.#request
  }

  /** One more hears of this request, from now on. */
  add(observer: RequestObserver): void {
    this.#observers = [...this.#observers, observer]
  }

  /** Notes that the answers carry a trace, which this observer records. */
  tracedBy(recorder: RequestObserver): void {
    this.#request.traced = true
    this.add(recorder)
  }

  /**
   * Notes that events follow, for a long time, and returns what reports them. The time of the request ends
   * here. It is not traced: `recorder`, that of its trace, hears nothing more, since it would keep something
   * of each event.
   */
  beginEvents(recorder: RequestObserver | null): EventReport {
    this.stopClock()
    this.#request.traced = false
    this.#request.requestId = ownText(this.#request.requestId)
    this.#request.span = this.#request.span.kept()
    if (recorder !== null) this.#observers = this.#observers.filter((observer) => observer !== recorder)
    for (const observer of this.#observers) observer.eventsBegan?.(this.#request)
    this.#request.executed = null
    this.#request.list = null
    const report = new EventReport(this.#observers)
    this.#request.subscription = report.summary
    return report
  }

  enter(phase: RequestPhase): void {
    this.#request.phases.enter(phase)
  }

  clientNamed(name: string, version: string): void {
    this.#request.clientName = name
    this.#request.clientVersion = version
  }

  /** Notes whose keys verified the token of the request. */
  identified(provider: string): void {
    this.#request.provider = provider
  }

  /** Notes the identifier of a document that the request named by it. */
  documentNamed(document: string): void {
    this.#request.document = document
  }

  flagRequested(requested: FlagChoice): void {
    this.#request.requested = requested
  }

  chose(composition: ChosenComposition): void {
    this.#request.composition = composition
  }

  operationKnown(name: string | null, kind: OperationKind | null): void {
    this.#request.operation = name
    this.#request.operationType = kind
  }

  /** The execution begins, or the request joins one. */
  executing(operation: CountedOperation, list: KnownDocuments | null, address: string): void {
    this.#request.executed = operation
    this.#request.list = list
    this.#request.address = address
  }

  costEstimated(estimated: number, exceeded: RequestCost['exceeded']): void {
    this.#request.cost = { estimated, exceeded, actual: null }
  }

  /** Notes the actual cost. Null if it could not be counted. */
  costCounted(actual: number | null): void {
    const { cost } = this.#request
    if (cost !== null) this.#request.cost = { ...cost, actual }
  }

  /** Notes how long the request waits. What it waits for is noted as well if that rejects. */
  async waitFor<Value>(what: RequestWait['for'], promise: Promise<Value>): Promise<Value> {
    const began = performance.now()
    try {
      return await promise
    } finally {
      const ended = performance.now()
      this.#request.waits = [...this.#request.waits, { for: what, began, ended }]
    }
  }

  async waitForPlan<Planned>(plan: Promise<Planned>): Promise<Planned> {
    const started = performance.now()
    try {
      return await plan
    } finally {
      this.#request.waitedForPlan = performance.now() - started
    }
  }

  /** The answer begins to be written. */
  answering(status: number): void {
    this.#request.status = status
    this.enter('write')
  }

  /** Notes the errors of the execution, which are in the answer. */
  executed({ count, code, failure }: ErrorSummary): void {
    Object.assign(this.#request, { errors: count, errorCode: code, failure })
  }

  /**
   * Notes that the request failed. `errors` is the number in the answer; without it, the number reported
   * before holds.
   */
  failed(code: string, errors: number = this.#request.errors): void {
    this.#request.code = code
    this.#request.errors = errors
  }

  stepBegan(step: PreparationStep): void {
    for (const observer of this.#observers) observer.stepBegan?.(step)
  }

  planned(plan: Plan, by: PlannedFor, labels: ReadonlySet<string>): void {
    this.#request.denied = plan.denied.length
    for (const observer of this.#observers) observer.planned?.(plan, by, labels)
  }

  /**
   * Notes that the result of another request's execution answers this one, too. `denied` is the number of
   * fields that neither client may see.
   */
  joined(denied = 0): void {
    this.#request.denied = denied
    this.#request.joined = true
    for (const observer of this.#observers) observer.joined?.()
  }

  callBegan(subgraph: string): void {
    for (const observer of this.#observers) observer.callBegan?.(subgraph)
  }

  callEnded(call: EndedCall): void {
    this.#request.waitedForSubgraphs.add(call.milliseconds)
    for (const observer of this.#observers) observer.callEnded?.(call)
  }

  /** The next part was written, with so many errors in it. */
  nextPartSent(errors: ErrorSummary): void {
    const request = this.#request
    this.answering(200)
    request.parts++
    request.firstPart ??= performance.now() - request.started
    const before = { count: request.errors, code: request.errorCode, failure: request.failure }
    this.executed(joinSummaries(before, errors))
    for (const observer of this.#observers) observer.partSent?.(request.parts, errors.count)
  }

  defect(error: unknown): void {
    const { span, requestId } = this.#request
    for (const observer of this.#observers) observer.defect?.(error, requestIds(span, requestId))
  }

  /** Ends the time of the request: nothing that happens from now on is part of it. */
  stopClock(): void {
    this.#request.phases.end()
  }

  end(aborted: boolean, stalled: StallLimit | null): void {
    // A client that leaves a subscription has had all of its answer.
    this.#request.aborted = aborted && this.#request.subscription === null
    this.#request.stalled = stalled
    for (const observer of this.#observers) observer.ended?.(this.#request)
  }
}

/** Returns the facts about a request of which nothing more is known yet. */
function begunRequest(
  known: Pick<RequestSummary, 'method' | 'url' | 'route' | 'span' | 'requestId'>,
): Collected {
  const { method, url, route, span, requestId } = known
  const started = performance.now()
  return {
    method,
    url,
    route,
    span,
    requestId,
    clientName: '',
    clientVersion: '',
    document: '',
    started,
    phases: new RequestPhases(started),
    status: 0,
    provider: null,
    composition: null,
    requested: NO_FLAG,
    operation: null,
    executed: null,
    list: null,
    address: '',
    cost: null,
    joined: false,
    traced: false,
    operationType: null,
    code: null,
    errors: 0,
    errorCode: null,
    failure: null,
    waitedForSubgraphs: new WaitingTime(),
    waits: NO_WAITS,
    waitedForPlan: null,
    denied: 0,
    parts: 0,
    firstPart: null,
    aborted: false,
    stalled: null,
    subscription: null,
  }
}

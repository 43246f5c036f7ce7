/** Records one fetch of the plan of a traced request. */
import type { FetchKind } from '@switchyard/engine'
import type { TraceFailedAttempt, TraceInput, TraceLoad } from '@switchyard/request-trace'
import type { CallInFlight } from '../../call/in-flight/call-in-flight.ts'
import type { JoinedWait } from '../../transport/load/joined-wait.ts'
import type { LoadTimes } from '../../transport/load/load-times.ts'
import { prettyDuration } from '../../transport/load/pretty-duration.ts'
import type { WatchedCall } from '../../transport/load/watched-call.ts'
import { RecordedJson } from '../cleaning/recorded-json.ts'
import type { ReceivedAnswer } from './received-answer.ts'

type Failure = { readonly code: string; readonly message: string }

export type RecordedCall = {
  readonly request: Omit<TraceInput, 'body'>
  readonly answer: ReceivedAnswer
  /** Whether equal fetches could join it. */
  readonly isShareable: boolean
  /** Whether it is a hedged attempt, made while another one took long. */
  readonly isHedge: boolean
  /** The call of another fetch, for whose answer this fetch waited; null if it made its own call. */
  readonly joined: CallInFlight | null
  /** The times of the call; null if it could not be made. */
  watched: WatchedCall | JoinedWait | null
}

/** An attempt that was retried, or that lost against another attempt. */
type OtherAttempt = Pick<RecordedCall, 'watched' | 'isHedge'> & {
  readonly url: string
  /** Whether the attempt was given up rather than failed. */
  readonly isGivenUp: boolean
  /** The HTTP status; null if no answer began. */
  readonly status: number | null
}

export class RecordedFetch {
  /** The body of the request; null if none was sent. */
  #body: RecordedJson | null
  readonly #from: ReadonlyMap<string, readonly unknown[]>
  #rawInputData: RecordedJson | null = null
  readonly #others: OtherAttempt[] = []
  #call: RecordedCall | null = null
  /** The hedged attempt in progress. */
  #hedge: RecordedCall | null = null
  /**
   * Times at which the fetch began and ceased to wait for a slot. Null if it never waited; `ended` is null
   * while it still waits.
   */
  #waiting: { readonly began: number; ended: number | null } | null = null
  failure: Failure | null = null

  constructor(body: string | null, from: ReadonlyMap<string, readonly unknown[]>) {
    this.#body = body === null ? null : RecordedJson.ofText(body)
    this.#from = from
  }

  get call(): RecordedCall | null {
    return this.#call
  }

  /** Notes that the fetch waits, since all slots for calls of its subgraph are taken. */
  waits(now: number): void {
    this.#waiting = { began: now, ended: null }
  }

  /** Notes that the fetch has a slot, or waits for none any more. */
  waitsNoLonger(now: number): void {
    if (this.#waiting !== null) this.#waiting.ended ??= now
  }

  /** Shows this value as the body of the request, which is no JSON. */
  sends(body: unknown): void {
    this.#body = RecordedJson.ofValue(body)
  }

  /** Notes a call: the first one, a retry, or a hedged attempt. */
  called(call: RecordedCall): void {
    if (call.isHedge) this.#hedge = call
    else this.#replace(call, false)
  }

  /** Makes the hedged attempt the call of the fetch. */
  hedgeReplaces(isFirstGivenUp: boolean): void {
    if (this.#hedge !== null) this.#replace(this.#hedge, isFirstGivenUp)
    this.#hedge = null
  }

  /** Notes the end of the hedged attempt, unless it has become the call of the fetch. */
  hedgeEnded(isGivenUp: boolean): void {
    if (this.#hedge !== null) this.#others.push(otherAttempt(this.#hedge, isGivenUp))
    this.#hedge = null
  }

  /** `start`: of the request, and `now`, by the clock of the watch. */
  trace(kind: FetchKind, start: number, now: number): TraceLoad {
    const { call, failure } = this
    const output = call?.answer.output() ?? null
    const beside = this.#hedge === null ? [] : [otherAttempt(this.#hedge, true)]
    const others = [...this.#others, ...beside]
    return {
      ...(this.#body !== null && {
        raw_input_data: (this.#rawInputData ??= RecordedJson.ofValue(this.#rawInput(kind))),
      }),
      ...(call !== null && { input: { ...call.request, body: this.#body } }),
      ...(output !== null && { output }),
      ...(failure !== null && { error: { code: failure.code, message: failure.message } }),
      ...waitingTime(this.#waiting, now),
      ...call?.watched?.times(start),
      ...(call?.isHedge === true && { hedge: true }),
      ...(others.length > 0 && { failed_attempts: others.map((attempt) => attemptTrace(attempt, start)) }),
      single_flight_used: call?.isShareable ?? false,
      single_flight_shared_response: (call?.joined ?? null) !== null,
      load_skipped: this.#body === null && failure === null,
    }
  }

  #replace(call: RecordedCall, isGivenUp: boolean): void {
    if (this.#call !== null) this.#others.push(otherAttempt(this.#call, isGivenUp))
    this.#call = call
  }

  #rawInput(kind: FetchKind): unknown {
    const [objects = []] = this.#from.values()
    switch (kind) {
      // The root has no data of its own.
      case 'Single':
        return {}
      case 'Entity':
        return objects[0] ?? {}
      case 'BatchEntity':
        return objects
      case 'MultiEntity':
        return Object.fromEntries(this.#from)
      default:
        return kind satisfies never
    }
  }
}

function otherAttempt({ watched, isHedge, answer, request }: RecordedCall, isGivenUp: boolean): OtherAttempt {
  watched?.end()
  return { watched, isHedge, isGivenUp, status: answer.status, url: request.url }
}

function waitingTime(
  waiting: { readonly began: number; readonly ended: number | null } | null,
  now: number,
): Pick<TraceLoad, 'duration_waiting_nanoseconds' | 'duration_waiting_pretty'> {
  if (waiting === null) return {}
  const nanoseconds = Math.max(0, (waiting.ended ?? now) - waiting.began)
  return {
    duration_waiting_nanoseconds: nanoseconds,
    duration_waiting_pretty: prettyDuration(nanoseconds),
  }
}

function attemptTrace(
  { watched, isHedge, isGivenUp, status, url }: OtherAttempt,
  start: number,
): TraceFailedAttempt {
  const { load_stats: _, ...times }: Partial<LoadTimes> = watched?.times(start) ?? {}
  const message = isGivenUp || status !== null ? null : (watched?.failure ?? null)
  return {
    url,
    ...(message !== null && { message }),
    ...(status !== null && { status_code: status }),
    ...(isHedge && { hedge: true }),
    ...(isGivenUp && { given_up: true }),
    ...times,
  }
}

/** The load of a fetch that was not begun. */
export const NOT_LOADED: TraceLoad = {
  single_flight_used: false,
  single_flight_shared_response: false,
  load_skipped: false,
}

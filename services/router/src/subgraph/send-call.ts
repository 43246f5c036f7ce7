/**
 * Sends the call of a fetch, at once or when it gets a slot. Retries and hedges it if the settings say so.
 */
import type { Propagation } from '@switchyard/service-kit'
import type { Plan } from '@switchyard/engine'
import type { EndedCall } from '../observe/request-observer.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import type { SharingKey } from '../sharing/in-flight-table.ts'
import type { ClientLookup } from '../clients/client.ts'
import type { Attempts } from './attempts.ts'
import type { CallInFlight } from './call/call-in-flight.ts'
import type { CallHandler } from './call/call-pool.ts'
import type { CallRecorder } from './call/call-recorder.ts'
import type { Deadlines } from './call/deadlines.ts'
import type { Endpoint } from './endpoints.ts'
import { beginHedge } from './begin-hedge.ts'
import { HedgedAttempt } from './hedge/hedged-attempt.ts'
import type { HedgePolicy } from './hedge/hedges.ts'
import { PhasedCall } from './call/phase-limits.ts'
import type { CallSlot } from './slots/call-slots.ts'
import { RetriedCall } from './retry/retried-call.ts'
import { SubgraphBusyError } from './subgraph-call.ts'

/** The request that is sent for a fetch, if it joins no call. */
export type Outgoing = {
  /** Names and values alternately, without the trace context. */
  readonly headers: string[]
  /** The index of the first header that tells this fetch from others with the same body. */
  readonly from: number
  readonly body: string
  /** Null if the fetch shares its call with no other fetch. */
  readonly key: SharingKey | null
}

/** A call that is to be made. */
export type CallToSend = {
  readonly call: CallInFlight
  /** The endpoint of the first attempt. */
  readonly endpoint: Endpoint
  /** Null if the calls of the subgraph are not limited. */
  readonly slot: CallSlot | null
  /** Null if nobody wants to know the results of attempts. */
  readonly attempts: Attempts | null
  readonly outgoing: Outgoing
  /** The number of the fetch in the plan. */
  readonly fetch: EndedCall['fetch']
  readonly span: ActiveSpan
}

type SendingOptions = { readonly deadlines: Deadlines; readonly propagation: Propagation }
type SendingRequest = {
  readonly plan: Plan
  /** Null if the request is not traced. */
  readonly recorder: CallRecorder | null
  /** The client that the calls count for where clients take turns. */
  readonly lookUpClient: ClientLookup
}

/** Sends a call when it gets a slot. An error is then reported to the fetches that wait for the call. */
export function sendFrom(
  slot: CallSlot,
  sent: CallToSend,
  options: SendingOptions,
  request: SendingRequest,
): void {
  const failed = (error: Error): void => sent.call.onResponseError(null, error)
  const { recorder } = request
  let waits = true
  const begin = (): void => {
    waits = false
    recorder?.waitsNoLonger(sent.fetch)
    try {
      sendCall(sent, options, request)
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
  }
  slot.enter(begin, () => {
    waits = false
    failed(new SubgraphBusyError())
  })
  if (waits) recorder?.waitsForSlot(sent.fetch)
}

/**
 * Sends a call. Throws what the pool throws, and does not report that error to the fetches that wait for the
 * call.
 */
export function sendCall(sent: CallToSend, options: SendingOptions, request: SendingRequest): void {
  const { call, endpoint, outgoing, span } = sent
  const { headers, body } = outgoing
  options.propagation.inject(span.context, span.parent, headers)
  const { plan, recorder } = request
  const retry = plan.kind === 'query' ? endpoint.retry : null
  const hedge = plan.kind === 'query' ? endpoint.hedge : null
  try {
    if (retry === null && hedge === null && recorder === null && endpoint.phases === null) {
      const { path, pool } = endpoint
      return void pool.value.dispatch({ path, method: 'POST', headers, body }, call)
    }
    const attempt = attemptOf(sent, options, request, hedge?.value ?? null)
    if (retry === null) return attempt(call)
    const onRetry = (count: number): void => {
      sent.slot?.retried()
      if (span.isRecording) span.set({ 'http.request.resend_count': count })
    }
    new RetriedCall({
      call,
      handler: call,
      policy: retry.value,
      timeout: endpoint.timeout,
      send: attempt,
      onRetry,
    }).start()
  } catch (error) {
    call.abandon()
    throw error
  }
}

/**
 * Returns a function that makes an attempt, whose events a handler receives. If `hedge` is null, the attempt
 * is not hedged.
 */
function attemptOf(
  sent: CallToSend,
  { deadlines }: SendingOptions,
  { recorder, lookUpClient }: SendingRequest,
  hedge: HedgePolicy | null,
): (handler: CallHandler) => void {
  const { call, endpoint, attempts, outgoing, fetch, span } = sent
  const { headers, body, key } = outgoing
  const { phases } = endpoint
  const send = ({ origin, path, pool }: Endpoint, attempt: CallHandler, isHedge: boolean): void => {
    const request = { path, method: 'POST' as const, headers, body }
    const handler = phases === null ? attempt : new PhasedCall(attempt, phases, deadlines)
    if (recorder === null) return void pool.value.dispatch(request, handler)
    const recorded = { fetch, origin, pool: pool.value, handler, isShareable: key !== null, isHedge }
    recorder.dispatch({ ...request, ...recorded })
  }
  const sendFirst = (attempt: CallHandler) => send(attempts?.next() ?? endpoint, attempt, false)
  // Whether a call takes long is chance, which some traces must not show.
  if (hedge === null || recorder?.mayShare === false) return sendFirst
  hedge.budget.callBegan()
  const sendSecond = (at: Endpoint, attempt: CallHandler) => send(at, attempt, true)
  const hedged = { policy: hedge, endpoint, attempts, lookUpClient, fetch, span, recorder, send: sendSecond }
  // A hedged attempt at the same address would wait for a connection like the first one.
  const since = endpoint.alternatives === null ? 'sent' : 'made'
  return (handler) =>
    new HedgedAttempt({
      call,
      handler,
      after: hedge.config.after,
      since,
      send: sendFirst,
      hedge: () => beginHedge(hedged),
    }).start()
}

/** Sends the call of a fetch: at once or when there is a place, and again where it may be made again. */
import type { Propagation } from '@switchyard/service-kit'
import type { Plan } from '@switchyard/engine'
import type { EndedCall } from '../observe/request-observer.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import type { SharingKey } from '../sharing/in-flight-table.ts'
import type { Attempts } from './addresses/attempts.ts'
import type { CallInFlight } from './call-in-flight.ts'
import type { CallHandler } from './call-pool.ts'
import type { CallRecorder } from './call-recorder.ts'
import type { Deadlines } from './deadlines.ts'
import type { Endpoint } from './endpoints.ts'
import { PhasedCall } from './phase-limits.ts'
import type { CallPlace } from './places/call-places.ts'
import { RetriedCall } from './retry/retried-call.ts'
import { SubgraphBusyError } from './subgraph-call.ts'

/** What is sent for a fetch, if it joins no call. */
export type Outgoing = {
  /** Names and values in turns, without the trace context. */
  readonly headers: string[]
  /** Where those begin that tell this fetch from others with the same body. */
  readonly from: number
  readonly body: string
  /** null: it shares with nobody. */
  readonly key: SharingKey | null
}

/** A call that is to be made. */
export type CallToSend = {
  readonly call: CallInFlight
  /** Where the first attempt is made. */
  readonly endpoint: Endpoint
  /** null: nobody is told what they come to. */
  readonly attempts: Attempts | null
  readonly outgoing: Outgoing
  /** The number of the fetch in the plan. */
  readonly fetch: EndedCall['fetch']
  readonly span: ActiveSpan
}

type SendingOptions = { readonly deadlines: Deadlines; readonly propagation: Propagation }
/** `recorder`: null: the request is not traced. */
type SendingRequest = { readonly plan: Plan; readonly recorder: CallRecorder | null }

/** When there is a place. What goes wrong then is told to those who wait for the call. */
export function sendFrom(
  place: CallPlace,
  sent: CallToSend,
  options: SendingOptions,
  request: SendingRequest,
): void {
  const failed = (error: Error): void => sent.call.onResponseError(null, error)
  const begin = (): void => {
    try {
      sendCall(sent, options, request)
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
  }
  place.enter(begin, () => failed(new SubgraphBusyError()))
}

/** Throws what the pool throws; nobody who waits for the call is told of it then. */
export function sendCall(
  { call, endpoint, attempts, outgoing, fetch, span }: CallToSend,
  { deadlines, propagation }: SendingOptions,
  { plan, recorder }: SendingRequest,
): void {
  const { headers, body, key } = outgoing
  propagation.inject(span.context, span.parent, headers)
  const retry = plan.kind === 'query' ? endpoint.retry : null
  const { phases } = endpoint
  try {
    if (retry === null && recorder === null && phases === null) {
      const { path, pool } = endpoint
      return void pool.value.dispatch({ path, method: 'POST', headers, body }, call)
    }
    const send = (attempt: CallHandler): void => {
      const { origin, path, pool } = attempts?.next() ?? endpoint
      const request = { path, method: 'POST' as const, headers, body }
      const handler = phases === null ? attempt : new PhasedCall(attempt, phases, deadlines)
      if (recorder === null) pool.value.dispatch(request, handler)
      else
        recorder.dispatch({ ...request, fetch, origin, pool: pool.value, handler, isShareable: key !== null })
    }
    if (retry === null) return send(call)
    const onRetry = (count: number): void => {
      if (span.isRecording) span.set({ 'http.request.resend_count': count })
    }
    new RetriedCall({ call, policy: retry.value, timeout: endpoint.timeout, send, onRetry }).start()
  } catch (error) {
    call.abandon()
    throw error
  }
}

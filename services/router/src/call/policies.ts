/**
 * The policies of calls, as a list. Each stands between the call and what makes its attempts, and decides how
 * often, where and within which limits they are made.
 */
import { beginHedge } from './policies/hedge/begin-hedge.ts'
import type { CallHandler } from '../transport/dispatch/call-pool.ts'
import { PhasedCall, type PhaseLimits } from './policies/phases/phase-limits.ts'
import type { CallToSend } from './call-to-send.ts'
import type { Endpoint } from './endpoints.ts'
import { HedgedAttempt } from './policies/hedge/hedged-attempt.ts'
import { RetriedCall } from './policies/retry/retried-call.ts'

/** One attempt of a call. */
type Attempt = { readonly endpoint: Endpoint; readonly isHedge: boolean }

/** Makes an attempt, whose events the handler receives. Throws what the pool throws. */
type Dispatch = (handler: CallHandler, attempt: Attempt) => void

/** Returns a dispatch that applies the policy and uses `next`; `next` itself if the policy is off. */
type CallPolicy = (call: CallToSend, next: Dispatch) => Dispatch

/** The first policy sees the whole call, and the last one sees each attempt. */
const POLICIES: readonly CallPolicy[] = [retry, hedge, chooseAddress, limitPhases, record]

/** Makes the attempts of a call. Throws what the pool throws. */
export function dispatchCall(sent: CallToSend): void {
  const { call, endpoint, outgoing } = sent
  const { headers, body } = outgoing
  let dispatch: Dispatch = (handler, { endpoint: { path, pool } }) =>
    void pool.value.dispatch({ path, method: 'POST', headers, body }, handler)
  for (let index = POLICIES.length - 1; index >= 0; index--)
    dispatch = POLICIES[index]?.(sent, dispatch) ?? dispatch
  dispatch(call, { endpoint, isHedge: false })
}

/** Retries failed attempts of a query. */
function retry(sent: CallToSend, next: Dispatch): Dispatch {
  const { call, endpoint, slot, span, request } = sent
  if (endpoint.retry === null || request.plan.kind === 'mutation' || isSentOnce(sent)) return next
  const policy = endpoint.retry.value
  const onRetry = (count: number): void => {
    slot?.retried()
    if (span.isRecording) span.set({ 'http.request.resend_count': count })
  }
  const { timeout } = endpoint
  return (handler, attempt) =>
    new RetriedCall({
      call,
      handler,
      policy,
      timeout,
      send: (retried) => next(retried, attempt),
      onRetry,
    }).start()
}

/** Whether the body of the call comes from a client as it is sent, so that it cannot be sent again. */
function isSentOnce({ outgoing: { body } }: CallToSend): boolean {
  return typeof body !== 'string'
}

/** Hedges attempts of a query. */
function hedge(sent: CallToSend, next: Dispatch): Dispatch {
  const { call, endpoint, attempts, fetch, span, request } = sent
  const { plan, recorder, lookUpClient } = request
  // Whether a call takes long is chance, which some traces must not show.
  if (endpoint.hedge === null || plan.kind === 'mutation' || recorder?.mayShare === false) return next
  if (isSentOnce(sent)) return next
  const policy = endpoint.hedge.value
  policy.budget.callBegan()
  const send = (at: Endpoint, handler: CallHandler) => next(handler, { endpoint: at, isHedge: true })
  const hedged = { policy, endpoint, attempts, lookUpClient, fetch, span, recorder, send }
  // A hedged attempt at the same address would wait for a connection like the first one.
  const since = endpoint.alternatives === null ? 'sent' : 'made'
  return (handler, attempt) =>
    new HedgedAttempt({
      call,
      handler,
      after: policy.config.after,
      since,
      send: (first) => next(first, attempt),
      hedge: () => beginHedge(hedged),
    }).start()
}

/** Sends each retry to another address if the subgraph has several. Hedged attempts have theirs already. */
function chooseAddress({ attempts }: CallToSend, next: Dispatch): Dispatch {
  if (attempts === null) return next
  return (handler, attempt) =>
    next(handler, attempt.isHedge ? attempt : { endpoint: attempts.next(), isHedge: false })
}

/** Limits the time of the phases of each attempt. */
function limitPhases(sent: CallToSend, next: Dispatch): Dispatch {
  const { phases } = sent.endpoint
  const { deadlines } = sent.options
  if (phases === null) return next
  const limits: PhaseLimits = isSentOnce(sent) ? { ...phases, from: 'sent' } : phases
  return (handler, attempt) => next(new PhasedCall(handler, limits, deadlines), attempt)
}

/** Records each attempt of a traced request. The recorder uses the pool itself, to see its connections. */
function record({ outgoing, fetch, request: { recorder } }: CallToSend, next: Dispatch): Dispatch {
  if (recorder === null) return next
  const { headers, body, key, form } = outgoing
  return (handler, { endpoint: { origin, path, pool }, isHedge }) =>
    recorder.dispatch({
      fetch,
      origin,
      path,
      method: 'POST',
      headers,
      body,
      ...(form !== undefined && { shown: form.shown }),
      pool: pool.value,
      handler,
      isShareable: key !== null,
      isHedge,
    })
}

/** Decides whether a call may be hedged, and reports the result of the hedged attempt. */
import type { ClientLookup } from '../../../fairness/client.ts'
import type { HedgeOutcome, HedgeRefusal } from './events.ts'
import type { ActiveSpan } from '../../../observe/spans.ts'
import type { CallHandler } from '../../../transport/dispatch/call-pool.ts'
import type { CallRecorder, CallToRecord } from '../../in-flight/call-recorder.ts'
import type { CallResult } from '../circuit/circuit-breaker.ts'
import type { Hedge } from './hedged-attempt.ts'
import type { HedgePolicy } from './hedges.ts'

/** A place in the limit of calls of a subgraph. */
type Slot = { leave(): void }

/** The budgets and limits of the subgraph that is called. */
type HedgedEndpoint = {
  /** Null if failed calls are not retried. */
  readonly retry: { readonly value: { readonly budget: { readonly isLeft: boolean; take(): void } } } | null
  /** Null if the number of calls is not limited. `takeFree` returns null if no slot is free. */
  readonly slots: { readonly value: { takeFree(client: ClientLookup): Slot | null } } | null
}

/** The attempts of a call, which choose the address of the hedged one and learn its result. */
type HedgedAttempts<Endpoint> = {
  /** Returns null if no other address works, or if its circuit is not closed. */
  hedge(): Endpoint | null
  hedgeReplaced(result: CallResult): void
  hedgeEnded(result: CallResult): void
}

/** The call in progress that may be hedged. */
export type CallToHedge<Endpoint extends HedgedEndpoint> = {
  readonly policy: HedgePolicy
  readonly endpoint: Endpoint
  /** Null if nobody wants to know the results of attempts. */
  readonly attempts: HedgedAttempts<Endpoint> | null
  /** The client that the hedged attempt counts for where clients take turns. */
  readonly lookUpClient: ClientLookup
  readonly fetch: CallToRecord['fetch']
  readonly span: Pick<ActiveSpan, 'isRecording' | 'set'>
  /** Null if the request is not traced. */
  readonly recorder: CallRecorder | null
  /** Makes the hedged attempt. Throws what the pool throws. */
  readonly send: (endpoint: Endpoint, handler: CallHandler) => void
}

/**
 * Returns the hedged attempt, or null if it may not be made. If failed calls are retried, it is taken from
 * the budget of retries, too, so that both together are no more than that allows.
 */
export function beginHedge<Endpoint extends HedgedEndpoint>(call: CallToHedge<Endpoint>): Hedge | null {
  const { policy, endpoint, attempts, lookUpClient } = call
  const retries = endpoint.retry?.value.budget ?? null
  if (!policy.budget.isLeft || retries?.isLeft === false) return refused(policy, 'budget')
  const slots = endpoint.slots?.value ?? null
  const slot = slots?.takeFree(lookUpClient) ?? null
  if (slots !== null && slot === null) return refused(policy, 'places')
  const hedged = attempts === null ? endpoint : attempts.hedge()
  if (hedged === null) {
    slot?.leave()
    return refused(policy, 'nowhere')
  }
  policy.budget.take()
  retries?.take()
  return new ToldHedge(call, hedged, slot)
}

function refused({ events }: HedgePolicy, reason: HedgeRefusal): null {
  events.refused(reason)
  return null
}

/** Reports the result of a hedged attempt to the policy, the attempts, the trace and the span. */
class ToldHedge<Endpoint extends HedgedEndpoint> implements Hedge {
  readonly #call: CallToHedge<Endpoint>
  readonly #endpoint: Endpoint
  readonly #slot: Slot | null

  constructor(call: CallToHedge<Endpoint>, endpoint: Endpoint, slot: Slot | null) {
    this.#call = call
    this.#endpoint = endpoint
    this.#slot = slot
  }

  send(handler: CallHandler): void {
    const { policy, send } = this.#call
    policy.events.made()
    this.#mark('sent')
    send(this.#endpoint, handler)
  }

  firstEnded(result: CallResult): void {
    const { attempts, recorder, fetch } = this.#call
    attempts?.hedgeReplaced(result)
    recorder?.hedgeReplaces(fetch, false)
    this.#slot?.leave()
  }

  ended(outcome: HedgeOutcome, result: CallResult): void {
    const { policy, attempts, recorder, fetch } = this.#call
    policy.events.ended(outcome)
    if (outcome === 'won') {
      attempts?.hedgeReplaced('unknown')
      recorder?.hedgeReplaces(fetch, true)
    } else {
      attempts?.hedgeEnded(result)
      recorder?.hedgeEnded(fetch, outcome !== 'failed')
    }
    if (outcome !== 'given-up') this.#mark(outcome)
    // One of the two attempts is over, so one slot is enough for the other.
    this.#slot?.leave()
  }

  /** Notes the state in the span, unless the span has ended because nobody waits for the call. */
  #mark(state: 'sent' | HedgeOutcome): void {
    const { span } = this.#call
    if (span.isRecording) span.set({ 'switchyard.hedge': state })
  }
}

/**
 * The spans of a subscription's events. Each is a trace of its own, which a sampler decides about anew, and
 * has a link to the span of the subscription. As parts of that trace they would make it grow for days.
 */
import { SpanKind } from '@opentelemetry/api'
import type { Plan } from '@switchyard/engine'
import { compositionAttributes, operationName, sourceAttributes } from './request-spans.ts'
import type { ChosenComposition, RequestSummary } from './request-summary.ts'
import type { ActiveSpan } from './spans.ts'

/** The plan and the composition by which an event is completed. */
type CompletedBy = { readonly plan: Plan; readonly held: ChosenComposition }

/**
 * Begins the span of an event, which a subscription completes for so many equal ones. Returns the span of the
 * subscription if no spans are kept, and no call would be told the identity of another one.
 */
export function beginEventSpan(
  request: Pick<RequestSummary, 'span' | 'requestId' | 'operation' | 'subscription'>,
  { plan, held }: CompletedBy,
  subscriptions: number,
): ActiveSpan {
  const { span } = request
  // The first fetch of a plan is the source itself.
  if (!span.spansAreKept && plan.fetches.length <= 1) return span
  const own = span.beginLinked('subscription event', SpanKind.CONSUMER)
  if (own.isRecording) {
    own.set({
      'graphql.operation.type': 'subscription',
      ...operationName(request),
      'switchyard.request.id': request.requestId,
      ...sourceAttributes(request.subscription?.source ?? null),
      'switchyard.event.subscriptions': subscriptions,
      ...compositionAttributes(held),
    })
  }
  return own
}

/** Ends the span of an event. `completed` is null if nobody waits for the event any more. */
export function endEventSpan(span: ActiveSpan, completed: { readonly errors: number } | null): void {
  if (!span.isRecording) return
  if (completed === null) span.set({ 'switchyard.event.abandoned': true })
  else if (completed.errors > 0) span.set({ 'switchyard.response.errors': completed.errors })
  span.end()
}

/** The last stage of a subscription: opens its source, and delivers its events until it ends. */
import { HttpError } from '../../errors/http-error.ts'
import { headerRecord } from '../../http/reply.ts'
import { type EventSink, OperationOfSocket } from '../../request/event-sink.ts'
import type { Exchange } from '../../request/exchange.ts'
import { DONE, type Stage } from '../../request/stage.ts'
import { TokenWatch } from '../../subscriptions/tokens/token-watch.ts'
import { eventFormOf } from '../../subscriptions/sessions/event-form.ts'
import { EventStream } from '../../subscriptions/sessions/event-stream.ts'
import { MultipartEvents } from '../../subscriptions/sessions/multipart-events.ts'
import { overloaded } from './check-traffic.ts'
import { type MovingParts, type Rejudge, rejudging } from './move-subscription.ts'
import type { Planned } from './plan-operation.ts'
import { RunningSubscription } from './running-subscription.ts'
import type { SubscribingParts } from './subscribing-parts.ts'
import { eventsKeyOf, sourceOf } from './subscription-source.ts'

/** Serves the operation if it is a subscription. Throws HttpError if its client takes no events. */
export function subscribe(parts: MovingParts): Stage<Planned> {
  const rejudge = rejudging(parts)
  return {
    waitsFor: null,
    run: (planned) => {
      if (planned.plan.kind !== 'subscription') return undefined
      begin(planned, parts, rejudge)
      return DONE
    },
  }
}

function begin(planned: Planned, parts: MovingParts, rejudge: Rejudge): void {
  if (parts.subscriptions.open.isFull) throw overloaded()
  const { exchange, prepared, list } = planned
  exchange.report.executing(prepared, list, exchange.client)
  const source = sourceOf(planned, parts)
  const sink = openSink(planned.exchange, parts)
  planned.exchange.report.answering(200)
  const token = tokenOf(planned, parts)
  const sentBy = source?.request.subgraph ?? ''
  const running = { planned, sentBy, events: eventsKeyOf(source), sink, token, rejudge }
  new RunningSubscription(running, parts).begin(source)
}

/** Watches the token of a subscription over HTTP, if it has one. */
function tokenOf({ exchange, lookUpClient }: Planned, { authentication }: MovingParts): TokenWatch | null {
  const { identity, request } = exchange
  if (authentication === null || identity === null || request instanceof OperationOfSocket) return null
  return new TokenWatch({ identity, headers: request.headers, lookUpClient }, authentication)
}

/** Opens the way to the client. Throws HttpError if the client accepts no form of events. */
function openSink(exchange: Exchange, { answers }: SubscribingParts): EventSink {
  const { request, response } = exchange
  if (request instanceof OperationOfSocket) return request.sink
  const form = eventFormOf(request.headers.accept)
  if (form === null) {
    throw new HttpError(
      'SUBSCRIPTION_BAD_HEADER',
      'The operation is a subscription, and the client accepts no form of events. Send "Accept: text/event-stream" or "Accept: multipart/mixed;subscriptionSpec=1.0".',
    )
  }
  const headers = headerRecord(answers.headers.for(exchange))
  return form === 'event-stream' ? new EventStream(response, headers) : new MultipartEvents(response, headers)
}

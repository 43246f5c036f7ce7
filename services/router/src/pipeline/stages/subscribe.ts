/** The last stage of a subscription: opens its source, and delivers its events until it ends. */
import { HttpError } from '../../errors/http-error.ts'
import { headerRecord } from '../../http/reply.ts'
import { type EventSink, OperationOfSocket } from '../../request/event-sink.ts'
import type { Exchange } from '../../request/exchange.ts'
import { DONE, type Stage } from '../../request/stage.ts'
import { Subscription } from '../../subscriptions/events/subscription.ts'
import { TokenWatch } from '../../subscriptions/tokens/token-watch.ts'
import { eventFormOf } from '../../subscriptions/sessions/event-form.ts'
import { EventStream } from '../../subscriptions/sessions/event-stream.ts'
import { MultipartEvents } from '../../subscriptions/sessions/multipart-events.ts'
import type { OpenSource } from '../../subscriptions/upstream/upstream.ts'
import { overloaded } from './check-traffic.ts'
import { completionOf, type Subscribed } from './complete-subscription.ts'
import { type MovingParts, type Rejudge, rejudging, SubscriptionMoves } from './move-subscription.ts'
import type { Planned } from './plan-operation.ts'
import type { SubscribingParts } from './subscribing-parts.ts'
import { sourceOf } from './subscription-source.ts'

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
  const { exchange } = planned
  const { open, upstreams, metrics } = parts.subscriptions
  if (open.isFull) throw overloaded()
  const source = sourceOf(planned, parts)
  const sink = openSink(exchange, parts)
  exchange.report.answering(200)
  const { flag } = planned.held
  const report = exchange.serveEvents(() => {
    subscription.abandon()
    leave()
  })
  const sentBy = source?.request.subgraph ?? ''
  const subscribed: Subscribed = { ...planned, sentBy, report, isGone: () => subscription.isOver }
  let opened: OpenSource | null = null
  const subscription: Subscription = new Subscription({
    sink,
    limits: parts.config.subscriptions.limits,
    complete: completionOf(subscribed, parts),
    onDropped: (count) => metrics.dropped(count),
    onEnded: (reason) => {
      report.ended(reason?.code ?? 'complete')
      leave()
    },
  })
  const moves = new SubscriptionMoves(subscribed, source, parts, rejudge)
  const token = tokenOf(planned, parts)
  const served = open.add({
    move: () => token?.look() ?? moves.look((moved) => subscription.moved(completionOf(moved, parts))),
    keepAlive: () => sink.keepAlive?.(),
    end: (reason) => subscription.end(reason),
    leave: (reason) => subscription.leave(reason),
  })
  metrics.began(flag)
  let hasLeft = false
  const leave = (): void => {
    if (hasLeft) return
    hasLeft = true
    served[Symbol.dispose]()
    opened?.close()
    metrics.ended(flag, report.summary.end)
  }
  if (source === null) {
    subscription.event(null, 0)
    subscription.completed()
  } else opened = upstreams.open(source.request, source, subscription)
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

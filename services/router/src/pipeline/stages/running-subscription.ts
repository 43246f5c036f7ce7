/** One subscription of a client, from its source to its sink, on the composition of the moment. */
import type { EventReport } from '../../observe/event-report.ts'
import type { EventSink } from '../../request/event-sink.ts'
import type { WaitingEvent } from '../../subscriptions/events/event-queue.ts'
import {
  ALONE,
  type CompletionMember,
  type OwnCompletion,
} from '../../subscriptions/events/shared-completions.ts'
import {
  type CompletedEvent,
  type Completing,
  type EndReason,
  Subscription,
  type SubscriptionLimits,
  type SubscriptionOptions,
} from '../../subscriptions/events/subscription.ts'
import type { ServedSubscription } from '../../subscriptions/open-subscriptions.ts'
import type { TokenWatch } from '../../subscriptions/tokens/token-watch.ts'
import type { OpenSource, UpstreamListener } from '../../subscriptions/upstream/upstream.ts'
import { completionOf, keptOf } from './complete-subscription.ts'
import { completionKeyOf } from './completion-key.ts'
import { type MovingParts, type Rejudge, SubscriptionMoves } from './move-subscription.ts'
import type { Planned } from './plan-operation.ts'
import type { Source } from './subscription-source.ts'

export type RunningOptions = {
  readonly planned: Planned
  /** The subgraph that sends the events; empty if there is none. */
  readonly sentBy: string
  /** Tells the events from those of other sources (`eventsKeyOf`). */
  readonly events: string | null
  readonly sink: EventSink
  /** Null if there is no token to watch. */
  readonly token: TokenWatch | null
  readonly rejudge: Rejudge
}

export class RunningSubscription implements ServedSubscription, SubscriptionOptions {
  readonly sink: EventSink
  readonly limits: SubscriptionLimits
  readonly #parts: MovingParts
  readonly #token: TokenWatch | null
  readonly #report: EventReport
  readonly #subscription: Subscription
  readonly #moves: SubscriptionMoves
  #member: CompletionMember
  #opened: OpenSource | null = null
  #isServed = false

  constructor({ planned, sentBy, events, sink, token, rejudge }: RunningOptions, parts: MovingParts) {
    this.sink = sink
    this.limits = parts.config.subscriptions.limits
    this.#parts = parts
    this.#token = token
    this.#report = planned.exchange.serveEvents(this)
    const subscribed = keptOf(planned, sentBy, this.#report)
    this.#subscription = new Subscription(this)
    this.#moves = new SubscriptionMoves(subscribed, events, parts, rejudge)
    this.#member = this.#join()
  }

  /** Opens the source; null if the plan needs none, since its root field may not be seen. */
  begin(source: Source | null): void {
    const { open, metrics } = this.#parts.subscriptions
    open.add(this)
    this.#isServed = true
    metrics.began(this.#moves.current.held.flag)
    this.#report.comesFrom(source && { protocol: source.protocol, subgraph: source.request.subgraph })
    if (source === null) {
      this.#subscription.event(null, 0)
      this.#subscription.completed()
    } else this.#opened = openSource(source, this.#subscription, this.#parts)
  }

  move(): EndReason | null | Promise<EndReason | null> {
    const checking = this.#token?.look() ?? null
    if (checking !== null) return checking
    return this.#moves.look(() => {
      this.#member[Symbol.dispose]()
      this.#member = this.#join()
    })
  }

  keepAlive(): void {
    this.sink.keepAlive?.()
  }

  end(reason: EndReason): void {
    this.#subscription.end(reason)
  }

  leave(reason: EndReason): void {
    this.#subscription.leave(reason)
  }

  complete(event: WaitingEvent, done: (completed: CompletedEvent | null) => void): Completing {
    const { current } = this.#moves
    const own: OwnCompletion = (isGone, subscriptions) =>
      completionOf(current, this.#parts, isGone, subscriptions)
    return this.#member.complete(event, own, done, () => this.#subscription.isOver)
  }

  onDropped(count: number): void {
    this.#report.dropped(count)
    this.#parts.subscriptions.metrics.dropped(count)
  }

  onSent({ errors, cost }: CompletedEvent): void {
    this.#moves.current.exchange.report.costCounted(cost)
    this.#report.sent(errors)
    this.#parts.subscriptions.metrics.sent(errors)
  }

  onEnded(reason: EndReason | null): void {
    this.#report.ended(reason?.code ?? 'complete')
    this.#over()
  }

  #join(): CompletionMember {
    const { current } = this.#moves
    const key = completionKeyOf(current, this.#parts)
    if (key === null) return ALONE
    return this.#parts.subscriptions.completions.join(current.held.generation, key)
  }

  /** The client is gone. */
  abandon(): void {
    this.#subscription.abandon()
    this.#over()
  }

  #over(): void {
    if (!this.#isServed) return
    this.#isServed = false
    this.#parts.subscriptions.open.remove(this)
    this.#member[Symbol.dispose]()
    this.#opened?.close()
    this.#parts.subscriptions.metrics.ended(this.#moves.current.held.flag, this.#report.summary.end)
  }
}

function openSource(
  source: Source,
  listener: UpstreamListener,
  { subscriptions: { upstreams, brokers } }: MovingParts,
): OpenSource {
  if (source.kind === 'broker') return brokers.open(source.request, listener)
  return upstreams.open(source.request, source, listener)
}

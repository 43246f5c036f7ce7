/** Opens subscriptions at brokers. Equal ones share a source, and all of the same subjects share a feed. */
import type { Logger } from '@switchyard/service-kit'
import { BrokerEvents } from '../../../brokers/events.ts'
import type { NatsProviders } from '../../../brokers/nats/nats-provider.ts'
import type { FanOut } from '../../turns/fan-out.ts'
import { UpstreamEvents } from '../events.ts'
import { stopping } from '../failures.ts'
import { EventTurns } from '../reading/event-turns.ts'
import type { UpstreamConfig } from '../settings.ts'
import { SharedSource } from '../sharing/shared-source.ts'
import type { OpenSource, UpstreamFailure, UpstreamListener } from '../upstream.ts'
import { brokerRefusal } from '../../../brokers/refusals.ts'
import { type BrokerRequest, feedKeyOf, sourceKeyOf } from './broker-request.ts'
import { MessageFeed } from './message-feed.ts'
import { SelectedEvents } from './selected-events.ts'

export type BrokerUpstreamsOptions = {
  readonly config: UpstreamConfig
  /** Must be disposed later than the subscriptions. */
  readonly providers: NatsProviders
  readonly logger: Logger
  readonly fanOut: FanOut
}

/** The subscriptions of a router at brokers. */
export class BrokerUpstreams implements Disposable {
  readonly #options: BrokerUpstreamsOptions
  readonly #events: UpstreamEvents
  readonly #brokerEvents: BrokerEvents
  readonly #turns = new EventTurns()
  readonly #sources = new Map<string, SharedSource>()
  readonly #feeds = new Map<string, MessageFeed>()
  #isOver = false

  constructor(options: BrokerUpstreamsOptions) {
    this.#options = options
    this.#events = new UpstreamEvents(options.logger)
    this.#brokerEvents = new BrokerEvents(options.logger)
  }

  open(request: BrokerRequest, listener: UpstreamListener): OpenSource {
    const { subgraph } = request
    if (this.#isOver) return refused(stopping(subgraph).failure, listener)
    const refusal = brokerRefusal(subgraph, request.field.source, this.#options.providers)
    if (refusal !== null) return refused(refusal, listener)
    const key = sourceKeyOf(request)
    let source = this.#sources.get(key)
    if (source === undefined) {
      const opened: SharedSource = new SharedSource({
        subgraph,
        turns: this.#turns,
        fanOut: this.#options.fanOut,
        events: this.#events,
        open: (own) => this.#select(request, own),
        onOver: () => void (this.#sources.get(key) === opened && this.#sources.delete(key)),
      })
      this.#sources.set(key, opened)
      source = opened
    }
    return source.join(listener)
  }

  /** Closes everything. Nobody is told. */
  [Symbol.dispose](): void {
    this.#isOver = true
    for (const source of this.#sources.values()) source.close()
  }

  #select(request: BrokerRequest, listener: UpstreamListener): OpenSource {
    const feed = this.#feedFor(request)
    return new SelectedEvents({ request, feed, brokerEvents: this.#brokerEvents, listener })
  }

  #feedFor(request: BrokerRequest): MessageFeed {
    const { config, providers } = this.#options
    const key = feedKeyOf(request)
    const known = this.#feeds.get(key)
    if (known !== undefined) return known
    const provider = providers.get(request.field.source.provider)
    if (provider === undefined) throw new RangeError('The provider of a feed is missing.')
    const feed: MessageFeed = new MessageFeed({
      request,
      provider,
      config,
      turns: this.#turns,
      events: this.#events,
      brokerEvents: this.#brokerEvents,
      onOver: () => void (this.#feeds.get(key) === feed && this.#feeds.delete(key)),
    })
    this.#feeds.set(key, feed)
    return feed
  }
}

/** Fails a subscription, after it was opened. */
function refused(failure: UpstreamFailure, listener: UpstreamListener): OpenSource {
  const telling = setImmediate(() => listener.failed(failure))
  return { close: () => clearImmediate(telling) }
}

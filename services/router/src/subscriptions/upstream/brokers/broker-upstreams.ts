/** Opens subscriptions at brokers. Equal ones share a source, and all of the same subjects share a feed. */
import type { Logger } from '@switchyard/service-kit'
import { BrokerEvents } from '../../../brokers/events.ts'
import type { NatsProviders } from '../../../brokers/nats/nats-provider.ts'
import type { FanOut } from '../../turns/fan-out.ts'
import { UpstreamEvents } from '../events.ts'
import { failedSource } from '../failed-source.ts'
import { stopping } from '../failures.ts'
import { EventTurns } from '../reading/event-turns.ts'
import type { UpstreamConfig } from '../settings.ts'
import { SharedSources } from '../sharing/shared-sources.ts'
import type { OpenSource, UpstreamListener } from '../upstream.ts'
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
  readonly #sources: SharedSources
  readonly #feeds = new Map<string, MessageFeed>()
  #isOver = false

  constructor(options: BrokerUpstreamsOptions) {
    this.#options = options
    this.#events = new UpstreamEvents(options.logger)
    this.#sources = new SharedSources({ turns: this.#turns, events: this.#events, fanOut: options.fanOut })
    this.#brokerEvents = new BrokerEvents(options.logger)
  }

  open(request: BrokerRequest, listener: UpstreamListener): OpenSource {
    const { subgraph } = request
    if (this.#isOver) return failedSource(stopping(subgraph).failure, listener)
    const refusal = brokerRefusal(subgraph, request.field.source, this.#options.providers)
    if (refusal !== null) return failedSource(refusal, listener)
    const open = (own: UpstreamListener): OpenSource => this.#select(request, own)
    return this.#sources.join(sourceKeyOf(request), { subgraph, open }, listener)
  }

  /** Closes everything. Nobody is told. */
  [Symbol.dispose](): void {
    this.#isOver = true
    this.#sources.close()
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

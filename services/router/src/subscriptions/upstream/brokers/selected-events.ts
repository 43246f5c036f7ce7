/** Makes events of messages: one selection of what the messages of a feed bring. */
import type { BrokerEvents } from '../../../brokers/events.ts'
import { passes } from '../../../brokers/fields/filter.ts'
import { isObject, shapePayload } from '../../../brokers/fields/shape-payload.ts'
import type { OpenSource, UpstreamFailure, UpstreamListener } from '../upstream.ts'
import type { BrokerRequest } from './broker-request.ts'
import type { MessageFeed, MessageReader } from './message-feed.ts'

/** The work of looking at a value, in bytes of JSON that are read in that time. */
const WORK_PER_VALUE = 8
const WORK_PER_MESSAGE = 64

export type SelectedEventsOptions = {
  readonly request: BrokerRequest
  readonly feed: MessageFeed
  readonly brokerEvents: BrokerEvents
  readonly listener: UpstreamListener
}

/** Tells its listener the events, in the form of a subgraph's answers. */
export class SelectedEvents implements MessageReader, OpenSource {
  readonly #options: SelectedEventsOptions

  constructor(options: SelectedEventsOptions) {
    this.#options = options
    options.feed.join(this)
  }

  message(payload: unknown, bytes: number): number {
    const { request, brokerEvents, listener } = this.#options
    const { subgraph, field } = request
    if (!isObject(payload)) {
      brokerEvents.skipped(subgraph, field.source.field, 'nonsense', 'is no JSON object')
      return WORK_PER_MESSAGE
    }
    if (request.filter !== null && !passes(request.filter, payload)) {
      brokerEvents.filtered(subgraph)
      return WORK_PER_MESSAGE
    }
    const shaped = shapePayload(payload, field.shape)
    if (shaped.kind === 'nonsense')
      brokerEvents.skipped(subgraph, field.source.field, 'nonsense', shaped.reason)
    else {
      brokerEvents.passed(subgraph)
      listener.event({ data: { [field.key]: shaped.value } }, bytes)
    }
    return WORK_PER_MESSAGE + shaped.steps * WORK_PER_VALUE
  }

  gap(): void {
    this.#options.listener.reopened()
  }

  failed(reason: UpstreamFailure): void {
    this.#options.listener.failed(reason)
  }

  close(): void {
    this.#options.feed.leave(this)
  }
}

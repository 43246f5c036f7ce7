/**
 * Answers the fields of queries and mutations that are connected to events: a field of a mutation publishes
 * its arguments, and a field of a query sends them as a request and is answered by the reply.
 */
import type { ExecutionWork, FetchFunction, Graph, SubgraphReply, SubgraphRequest } from '@switchyard/engine'
import { type EventField, eventFieldsOf, hasEvents, isOfEvents } from '../fields/event-fields.ts'
import { shapePayload } from '../fields/shape-payload.ts'
import { subjectsOf } from '../fields/subjects.ts'
import type { NatsProviders } from '../nats/nats-provider.ts'
import { brokerRefusal } from '../refusals.ts'
import type { CallFailure } from './call-failure.ts'
import type { BrokerCallEvents } from './events.ts'
import { publish } from './publish.ts'
import { request } from './request.ts'

export type BrokerCallsOptions = {
  readonly providers: NatsProviders
  readonly events: BrokerCallEvents
  /** Milliseconds that a call of a subgraph may take. */
  readonly timeoutOf: (subgraph: string) => number
  readonly maxReplySize: number
  /** Is told of each field of a mutation that was answered. */
  readonly mutations: { callEnded(): void }
}

/** One request of a client. */
export type CallingRequest = {
  readonly graph: Graph
  readonly variables: ReadonlyMap<string, unknown>
  readonly work: ExecutionWork
}

/** A field with its value, or the reason why it has none. */
type Answered = { readonly key: string } & ({ readonly value: unknown } | { readonly failure: CallFailure })

/** The calls of a router to brokers. */
export class BrokerCalls {
  readonly #options: BrokerCallsOptions

  constructor(options: BrokerCallsOptions) {
    this.#options = options
  }

  /** Makes the function that answers such fields, and leaves all others to `fetch`. */
  around(calling: CallingRequest, fetch: FetchFunction): FetchFunction {
    const { graph } = calling
    if (!hasEvents(graph)) return fetch
    return (asked, done) => {
      if (!isOfEvents(graph, asked.fetch)) return fetch(asked, done)
      void this.#answerTo(asked, calling, done)
    }
  }

  async #answerTo(
    asked: SubgraphRequest,
    calling: CallingRequest,
    done: (reply: SubgraphReply) => void,
  ): Promise<void> {
    let reply: SubgraphReply
    try {
      reply = await this.#answer(asked, calling)
    } catch (error) {
      this.#options.events.defect(error)
      const message = `The router failed to answer for subgraph "${asked.subgraph}".`
      reply = { kind: 'failure', code: 'SUBGRAPH_CALL_FAILED', message }
    }
    done(reply)
  }

  async #answer(asked: SubgraphRequest, calling: CallingRequest): Promise<SubgraphReply> {
    const { fetch } = asked
    const fields = eventFieldsOf(calling.graph, fetch)
    const answered: Answered[] = []
    // Fields of a mutation are executed one after the other.
    if (fetch.operation === 'mutation')
      for (const field of fields) answered.push(await this.#field(field, asked, calling))
    else answered.push(...(await Promise.all(fields.map((field) => this.#field(field, asked, calling)))))
    const errors = answered.flatMap((one) =>
      'failure' in one
        ? [{ message: one.failure.message, path: [one.key], extensions: { code: one.failure.code } }]
        : [],
    )
    const data = Object.fromEntries(
      answered.map((one): [string, unknown] => [one.key, 'value' in one ? one.value : null]),
    )
    return { kind: 'answer', status: 200, body: errors.length === 0 ? { data } : { data, errors } }
  }

  async #field(field: EventField, asked: SubgraphRequest, calling: CallingRequest): Promise<Answered> {
    const { events, mutations } = this.#options
    const { key, source } = field
    const { subgraph } = asked
    const result = await this.#result(field, asked, calling)
    if (source.operation === 'publish') mutations.callEnded()
    if ('failure' in result) events.failed(subgraph, source, result.failure)
    else events.ok(subgraph, source)
    // A client that publishes learns by the field itself that it failed.
    if (source.operation === 'publish' && (!('failure' in result) || result.failure.isOfBroker)) {
      const shaped = shapePayload({ success: !('failure' in result) }, field.shape)
      return { key, value: shaped.kind === 'shaped' ? shaped.value : null }
    }
    return { key, ...result }
  }

  async #result(
    field: EventField,
    { subgraph, fetch }: SubgraphRequest,
    { variables, work }: CallingRequest,
  ): Promise<{ readonly value: unknown } | { readonly failure: CallFailure }> {
    const { providers, timeoutOf, maxReplySize } = this.#options
    const { source } = field
    const refusal = brokerRefusal(subgraph, source, providers)
    if (refusal !== null) return { failure: { ...refusal, isOfBroker: false, detail: null } }
    const values = field.argumentsFor(variables)
    const [subject = ''] = subjectsOf(field, values)
    const provider = providers.get(source.provider)
    const call = {
      subgraph,
      subject,
      link: provider?.connected ?? null,
      payload: Buffer.from(JSON.stringify(values)),
      timeout: timeoutOf(subgraph),
    }
    if (source.operation === 'publish')
      return publish({ ...call, isForbidden: (to) => provider?.isForbidden(to) === true })
    return request({ ...call, shape: field.shape, exactNumbers: fetch.exactNumbers, work, maxReplySize })
  }
}

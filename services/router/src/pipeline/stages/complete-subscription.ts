/** Completes the events of a subscription by the composition and the plan that it has at the moment. */
import { hash } from 'node:crypto'
import { executionWork, type ExecutionWork } from '@switchyard/engine'
import { filterErrors } from '../../call/filter-errors.ts'
import { SubgraphClient } from '../../call/subgraph-client.ts'
import { completeEvents } from '../../subscriptions/events/complete-events.ts'
import type { CompletedEvent, CompleteEvent } from '../../subscriptions/events/subscription.ts'
import type { EventReport } from '../../observe/event-report.ts'
import { beginEventSpan, endEventSpan } from '../../observe/event-spans.ts'
import { requestIds } from '../../observe/request-summary.ts'
import type { ActiveSpan } from '../../observe/spans.ts'
import type { Generation } from '../../generations/generation.ts'
import { withoutSubgraphNames } from './hide-subgraph-names.ts'
import type { Planned } from './plan-operation.ts'
import type { SubscribingParts } from './subscribing-parts.ts'

/**
 * The facts about a subscription by which its events are completed, and by which it is judged anew. There may
 * be very many of them, each for a long time, so that nothing else of the request is kept.
 */
export type Subscribed = Pick<
  Planned,
  | 'exchange'
  | 'lookUpClient'
  | 'turns'
  | 'flag'
  | 'list'
  | 'params'
  | 'held'
  | 'prepared'
  | 'variables'
  | 'plan'
> & {
  /** A hash of the text that the client sent. */
  readonly digest: string
  /** The subgraph that sends the events. */
  readonly sentBy: string
  readonly report: EventReport
}

const NO_VARIABLES: Planned['variables'] = new Map()

/** Returns what is kept of a request that is answered by events. */
export function keptOf(
  { exchange, lookUpClient, turns, flag, list, params, held, prepared, variables, plan, text }: Planned,
  sentBy: string,
  report: EventReport,
): Subscribed {
  const digest = hash('sha256', text, 'base64')
  const kept = { exchange, lookUpClient, turns, flag, list, params, held, prepared, variables, plan }
  return movedTo({ ...kept, digest, sentBy, report }, kept)
}

/** Returns what is kept of a subscription that goes on with another composition. */
export function movedTo(
  before: Subscribed,
  { held, prepared, variables, plan }: Pick<Subscribed, 'held' | 'prepared' | 'variables' | 'plan'>,
): Subscribed {
  const { exchange, lookUpClient, turns, flag, list, params, digest, sentBy, report } = before
  // Without spreading, which would take more memory.
  return {
    exchange,
    lookUpClient,
    turns,
    flag,
    list,
    // Equal documents are one text.
    params: { ...params, query: prepared.document },
    held,
    prepared,
    variables: variables.size === 0 ? NO_VARIABLES : variables,
    plan,
    digest,
    sentBy,
    report,
  }
}

const NO_SIZE = { received: () => {} }

/**
 * Makes the function that completes one event. `isGone` returns true if nobody waits for it any more.
 * `subscriptions` is the number of equal ones, for which it is completed once.
 */
export function completionOf(
  subscribed: Subscribed,
  parts: SubscribingParts,
  isGone: () => boolean,
  subscriptions: number,
): CompleteEvent {
  const { config, costs } = parts
  const { exchange, plan, held, variables, sentBy, turns, report } = subscribed
  const { graph } = held.generation
  const { errors } = config.subgraphs
  const span = beginEventSpan(exchange.report.summary, subscribed, subscriptions)
  const complete = completeEvents({
    graph,
    execution: () => ({ plan, variables, ...(costs && { cost: costs.answer(graph, plan, variables) }) }),
    work: () => executionWork(turns, config.limits.executionSteps),
    calls: (work) => callsFor(subscribed, span, work, parts),
    filtered: (body) => filterErrors(body, sentBy, errors),
    shown: (all) => (errors.showSubgraphNames ? all : withoutSubgraphNames(all)),
    isGone,
    onDefect: (error) => {
      span.fail('INTERNAL_SERVER_ERROR')
      report.defect(error, requestIds(span, exchange.requestId))
    },
  })
  return holding(held.generation, span, complete)
}

/**
 * Keeps the composition until the event is completed, also if the subscription moves on meanwhile, and ends
 * its span then.
 */
function holding(generation: Generation, span: ActiveSpan, complete: CompleteEvent): CompleteEvent {
  return (event, done) => {
    let held: Generation | null = generation.acquire()
    const release = (completed: CompletedEvent | null): void => {
      if (held === null) return
      held.release()
      held = null
      endEventSpan(span, completed)
    }
    const completing = complete(event, (result) => {
      release(result)
      done(result)
    })
    return {
      abort: () => {
        completing.abort()
        release(null)
      },
    }
  }
}

/**
 * Makes the calls of subgraphs for one event, with the headers and the identity of the client's request, as
 * parts of the event's trace.
 */
function callsFor(
  { exchange, plan, held, prepared, report, lookUpClient }: Subscribed,
  span: ActiveSpan,
  work: ExecutionWork,
  { client, served }: SubscribingParts,
): SubgraphClient {
  const { request, requestId, identity } = exchange
  return new SubgraphClient(client, {
    endpoints: served.of(held.generation).endpoints,
    headers: request.headers,
    span,
    plan,
    requestId,
    lookUpClient,
    identity,
    flag: held.flag,
    operationName: prepared.operation.name,
    observer: report,
    recorder: null,
    work,
    size: NO_SIZE,
    responseHeaders: null,
    lifetime: null,
    files: null,
  })
}

/** Executes the plan: the subgraphs are asked, and what they answer is handed on to be answered. */
import { type CacheHints, executeIncrementally } from '@switchyard/engine'
import type { RouterConfig } from '../../config/router-config.ts'
import type { CostLimits } from '../../costs/cost-limits.ts'
import type { ServedParts } from '../../generations/served-parts.ts'
import type { OpenStreams } from '../../incremental/open-streams.ts'
import type { PendingForms } from '../../incremental/pending-forms.ts'
import type { RequestSharing } from '../../sharing/request-sharing.ts'
import type { CollectedHeaders } from '../../subgraph/headers/collected-headers.ts'
import { AnswerLifetime } from '../../subgraph/call/answer-lifetime.ts'
import { SubgraphClient, type SubgraphClientOptions } from '../../subgraph/subgraph-client.ts'
import { answerAtOnce } from './answer-at-once.ts'
import { answerInParts } from './answer-in-parts.ts'
import type { Answers } from '../answers/answers.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { Stage } from '../../request/stage.ts'
import type { Introspected } from './answer-introspection.ts'
import { hidingSubgraphNames } from './hide-subgraph-names.ts'
import type { Planned } from './plan-operation.ts'

/** The parts that plans are executed with. */
export type RunningParts = {
  readonly config: RouterConfig
  readonly served: ServedParts
  readonly client: SubgraphClientOptions
  readonly streams: OpenStreams
  /** Decides for each client whether an entry of `pending` stands for a fragment or for an item. */
  readonly pendingForms: PendingForms
  readonly answers: Answers
  readonly sharing: RequestSharing<Exchange>
  /** Limits of costs; null if costs are not measured. */
  readonly costs: CostLimits | null
  /**
   * Makes the collection of headers for one execution; null if no rule names headers of subgraphs' answers.
   */
  readonly collectHeaders: (() => CollectedHeaders) | null
  /** Cache hints of the schema; null if lifetimes are not computed for each answer. */
  readonly cacheHints: CacheHints | null
}

/** A request of which everything is known. */
type Runnable = Planned & Introspected

/** Begins the execution. The exchange is answered when all is there, or in parts as they are. */
export function runPlan(parts: RunningParts): Stage<Runnable> {
  return {
    waitsFor: null,
    run: (runnable) => {
      begin(runnable, parts)
      return undefined
    },
  }
}

function begin(
  { exchange, key, prepared, plan, variables, introspection, held: { generation } }: Runnable,
  {
    served,
    client: clientOptions,
    answers,
    streams,
    pendingForms,
    config,
    sharing,
    costs,
    collectHeaders,
    cacheHints,
  }: RunningParts,
): void {
  const { request, requestId, report, work } = exchange
  const { graph } = generation
  const { endpoints } = served.of(generation)
  const { name: operation, accessConditions } = prepared.operation
  // The same request of another client may have another answer.
  const dependsOnIdentity = accessConditions.length > 0
  const recorder = exchange.trace?.recorder ?? null
  const isShared = key !== null && plan.kind === 'query' && !plan.deferred && recorder === null
  const run = isShared
    ? sharing.begin(key, exchange, { generation, operation, denied: plan.denied.length })
    : null
  const collected = collectHeaders?.() ?? null
  const mayBeKept = plan.kind === 'query' && !dependsOnIdentity
  const isComputed = cacheHints !== null && mayBeKept && !plan.deferred
  const lifetime = isComputed ? new AnswerLifetime(cacheHints.of(graph, plan)) : null
  const client = new SubgraphClient(clientOptions, {
    endpoints,
    headers: request.headers,
    span: report.summary.span,
    plan,
    requestId,
    lookUpClient: () => exchange.countedClient,
    identity: exchange.identity,
    flag: exchange.held?.flag ?? null,
    operationName: operation,
    observer: report,
    recorder,
    work,
    size: run?.size ?? exchange.size,
    responseHeaders: collected,
    lifetime,
  })
  const { fetch } = client
  const execution = {
    plan,
    variables,
    introspection,
    fetch,
    work,
    ...(recorder === null ? {} : { recorder }),
    ...(costs === null ? {} : { cost: costs.answer(graph, plan, variables) }),
  }
  const showsNames = config.subgraphs.errors.showSubgraphNames
  const pendingPer = plan.deferred ? pendingForms.of(exchange.named, request.headers) : config.deferPending
  const running = plan.deferred
    ? answerInParts(
        exchange,
        answers,
        { streams, pendingPer, collected, mayBeStored: !dependsOnIdentity },
        (listener, onDefect) =>
          executeIncrementally(
            graph,
            { ...execution, onDefect, pendingPer },
            showsNames ? listener : hidingSubgraphNames(listener),
          ),
      )
    : answerAtOnce(exchange, graph, execution, {
        answers,
        run,
        showsNames,
        collected,
        kept: lifetime ?? (mayBeKept ? 'as-set' : 'never'),
      })
  const cancel = (): void => {
    running.abort()
    client.cancel()
  }
  if (run === null) exchange.running(cancel)
  else run.started(cancel)
}

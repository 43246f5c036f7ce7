/** The fifth stage: the subgraphs are asked, and what they answer is handed on to be answered. */
import { type CacheHints, type ExecuteOptions, executeIncrementally } from '@switchyard/engine'
import type { RouterConfig } from '../../config/router-config.ts'
import type { CostLimits } from '../../costs/cost-limits.ts'
import type { Generation } from '../../generations/generation.ts'
import type { ServedParts } from '../../generations/served-parts.ts'
import type { OpenStreams } from '../../incremental/open-streams.ts'
import type { PendingForms } from '../../incremental/pending-forms.ts'
import type { RequestSharing } from '../../sharing/request-sharing.ts'
import type { RunOf } from '../../sharing/shared-run.ts'
import type { SharingKey } from '../../sharing/in-flight-table.ts'
import type { CollectedHeaders } from '../../subgraph/headers/collected-headers.ts'
import { AnswerLifetime } from '../../subgraph/call/answer-lifetime.ts'
import { SubgraphClient, type SubgraphClientOptions } from '../../subgraph/subgraph-client.ts'
import { answerAtOnce } from './answer-at-once.ts'
import { answerInParts } from './answer-in-parts.ts'
import type { Answers } from '../answers/answers.ts'
import type { Exchange } from '../../request/exchange.ts'
import { hidingSubgraphNames } from './hide-subgraph-names.ts'

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

/** The request that a plan is executed for. `key` is the key by which others may join; null if none may. */
export type RunFor = RunOf & {
  readonly generation: Generation
  readonly key: SharingKey | null
  /**
   * Whether fields are denied to some clients, so that the same request of another client may have another
   * answer.
   */
  readonly dependsOnIdentity: boolean
}

/** A plan, the values of its variables, and the answer to what it asks of the schema itself. */
export type Runnable = Required<Pick<ExecuteOptions, 'plan' | 'variables' | 'introspection'>>

/** Returns at once. The exchange is answered when all is there, or in parts as they are. */
export function runPlan(
  exchange: Exchange,
  runnable: Runnable,
  of: RunFor,
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
  const { plan } = runnable
  const { graph } = of.generation
  const { endpoints } = served.of(of.generation)
  const recorder = exchange.trace?.recorder ?? null
  const isShared = of.key !== null && plan.kind === 'query' && !plan.deferred && recorder === null
  const run = isShared ? sharing.begin(of.key, exchange, of) : null
  const collected = collectHeaders?.() ?? null
  const mayBeKept = plan.kind === 'query' && !of.dependsOnIdentity
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
    operationName: of.operation,
    observer: report,
    recorder,
    work,
    size: run?.size ?? exchange.size,
    responseHeaders: collected,
    lifetime,
  })
  const { fetch } = client
  const execution = {
    ...runnable,
    fetch,
    work,
    ...(recorder === null ? {} : { recorder }),
    ...(costs === null ? {} : { cost: costs.answer(graph, plan, runnable.variables) }),
  }
  const showsNames = config.subgraphs.errors.showSubgraphNames
  const pendingPer = plan.deferred ? pendingForms.of(exchange.named, request.headers) : config.deferPending
  const running = plan.deferred
    ? answerInParts(
        exchange,
        answers,
        { streams, pendingPer, collected, mayBeStored: !of.dependsOnIdentity },
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

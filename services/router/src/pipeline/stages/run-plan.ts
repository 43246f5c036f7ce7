/** Executes the plan: the subgraphs are asked, and what they answer is handed on to be answered. */
import {
  type CacheHints,
  type ExecuteOptions,
  type Execution,
  executeIncrementally,
} from '@switchyard/engine'
import type { BrokerCalls } from '../../brokers/calls/broker-calls.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { sentFiles } from '../../concerns/uploads/sent-files.ts'
import type { CostLimits } from '../../concerns/costs/cost-limits.ts'
import type { ServedParts } from '../../generations/served-parts.ts'
import type { OpenStreams } from '../../incremental/open-streams.ts'
import type { PendingForms } from '../../incremental/pending-forms.ts'
import type { RequestSharing } from '../../concerns/sharing/request-sharing.ts'
import type { SharedRun } from '../../concerns/sharing/shared-run.ts'
import type { CollectedHeaders } from '../../concerns/headers/collected-headers.ts'
import { AnswerLifetime } from '../../call/in-flight/answer-lifetime.ts'
import { SubgraphClient, type SubgraphClientOptions } from '../../call/subgraph-client.ts'
import { answerAtOnce } from './answer-at-once.ts'
import { answerInParts } from './answer-in-parts.ts'
import type { Answers } from '../answers/answers.ts'
import { isForOneUser } from '../../request/decision.ts'
import type { RecordedRequest, Shadows } from '../../shadows/shadows.ts'
import { takesNoParts } from '../../request/event-sink.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { Stage } from '../../request/stage.ts'
import type { RequestTrace } from '../../tracing/recorder/request-trace.ts'
import type { Introspected } from '../../concerns/introspection/stage.ts'
import { hidingSubgraphNames } from './hide-subgraph-names.ts'
import type { Planned } from './plan-operation.ts'
import type { Text } from './read-text.ts'

/** The parts that plans are executed with. */
export type RunningParts = {
  readonly config: RouterConfig
  readonly served: ServedParts
  readonly client: SubgraphClientOptions
  /** Answers fields that are connected to events. */
  readonly brokers: Pick<BrokerCalls, 'around'>
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
  /** Compares answers of base with those of flags; null if the settings allow none. */
  readonly shadows: Shadows | null
}

/** A request of which everything is known. */
type Runnable = Planned & Introspected & Text & { readonly trace: RequestTrace | null }

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

/** The parts of one execution. */
type Run = {
  readonly client: SubgraphClient
  /** The execution as others may join it; null if none may. */
  readonly shared: SharedRun<Exchange> | null
  /** Headers collected from the answers of subgraphs; null if no rule names any. */
  readonly collected: CollectedHeaders | null
  /** Learns how long the answer may be kept; null if that is not computed. */
  readonly lifetime: AnswerLifetime | null
  /** Records the execution; null unless its answer is to be compared. */
  readonly shadow: RecordedRequest | null
}

function begin(runnable: Runnable, parts: RunningParts): void {
  const { exchange, plan, prepared, list } = runnable
  exchange.report.executing(prepared, list, exchange.client)
  const run = runOf(runnable, parts)
  const execution = executionOf(runnable, run, parts)
  const running = plan.deferred
    ? beginInParts(runnable, run, execution, parts)
    : beginAtOnce(runnable, run, execution, parts)
  const cancel = (): void => {
    running.abort()
    run.client.cancel()
    run.shadow?.unanswered()
  }
  if (run.shared === null) exchange.running(cancel)
  else run.shared.started(cancel)
}

function runOf(runnable: Runnable, parts: RunningParts): Run {
  const { exchange, key, prepared, plan, held, isSticky } = runnable
  const { generation } = held
  const { request, requestId, report, work } = exchange
  const operation = prepared.operation.name
  const recorder = runnable.trace?.recorder ?? null
  // Over HTTP an equal request is answered in parts, or refused.
  const isWhole = prepared.operation.hasDefers && takesNoParts(request)
  const mayShare = key !== null && plan.kind === 'query' && !plan.deferred && !isWhole && recorder === null
  const shared = mayShare
    ? parts.sharing.begin(key, exchange, {
        generation,
        operation,
        executed: prepared,
        denied: plan.denied.length,
      })
    : null
  const collected = parts.collectHeaders?.() ?? null
  const { cacheHints } = parts
  const isComputed = cacheHints !== null && mayBeKept(runnable) && !plan.deferred
  const lifetime = isComputed ? new AnswerLifetime(cacheHints.of(generation.graph, plan), isSticky) : null
  const shadow = runnable.upload === undefined ? (parts.shadows?.record(runnable) ?? null) : null
  const size = shared?.size ?? exchange.size
  const client = new SubgraphClient(parts.client, {
    endpoints: parts.served.of(generation).endpoints,
    headers: request.headers,
    span: report.summary.span,
    plan,
    requestId,
    lookUpClient: runnable.lookUpClient,
    identity: exchange.identity,
    flag: held.flag,
    operationName: operation,
    observer: report,
    recorder,
    work,
    size: shadow?.counting(size) ?? size,
    responseHeaders: collected,
    lifetime,
    files: sentFiles(runnable.upload, parts.config.uploads?.timeout ?? 0),
  })
  return { client, shared, collected, lifetime, shadow }
}

function executionOf(
  { exchange, plan, variables, introspection, trace, held: { generation } }: Runnable,
  { client, shadow }: Run,
  { costs, brokers }: RunningParts,
): Omit<ExecuteOptions, 'onDefect'> {
  const recorder = trace?.recorder
  const { graph } = generation
  const { work } = exchange
  const fetch = brokers.around({ graph, variables, work }, client.fetch)
  return {
    plan,
    variables,
    introspection,
    fetch: shadow?.recording(fetch) ?? fetch,
    work,
    ...(recorder === undefined ? {} : { recorder }),
    ...(costs === null ? {} : { cost: costs.answer(graph, plan, variables) }),
  }
}

function beginInParts(
  runnable: Runnable,
  { collected }: Run,
  execution: Omit<ExecuteOptions, 'onDefect'>,
  { answers, streams, pendingForms, config }: RunningParts,
): Execution {
  const { exchange, held } = runnable
  const pendingPer = pendingForms.of(exchange.named, exchange.request.headers)
  const isForOne = runnable.isSticky || isForOneUser(exchange.decision)
  const mayBeStored = !dependsOnIdentity(runnable) && !isForOne
  const showsNames = config.subgraphs.errors.showSubgraphNames
  return answerInParts(
    exchange,
    answers,
    { streams, pendingPer, collected, mayBeStored },
    (listener, onDefect) =>
      executeIncrementally(
        held.generation.graph,
        { ...execution, onDefect, pendingPer },
        showsNames ? listener : hidingSubgraphNames(listener),
      ),
  )
}

function beginAtOnce(
  runnable: Runnable,
  { shared, collected, lifetime, shadow }: Run,
  execution: Omit<ExecuteOptions, 'onDefect'>,
  { answers, config }: RunningParts,
): Execution {
  const asSet = runnable.isSticky ? 'as-set-for-one' : 'as-set'
  const kept = lifetime ?? (mayBeKept(runnable) ? asSet : 'never')
  const showsNames = config.subgraphs.errors.showSubgraphNames
  const options = { answers, run: shared, showsNames, collected, kept, shadow } as const
  return answerAtOnce(runnable.exchange, runnable.held.generation.graph, execution, options)
}

/** Whether caches may keep the answer: it is one to a query, and the same for all clients. */
function mayBeKept(runnable: Runnable): boolean {
  return runnable.plan.kind === 'query' && !dependsOnIdentity(runnable)
}

/** Whether the same request of another client may have another answer. */
function dependsOnIdentity({ prepared }: Runnable): boolean {
  return prepared.operation.accessConditions.length > 0
}

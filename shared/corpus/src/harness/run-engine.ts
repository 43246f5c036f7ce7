/** Runs an operation of a suite through the engine against the suite's in-process subgraphs. */
import { compose } from '@switchyard/composition'
import type { StreamPart } from '@switchyard/testkit'
import { type GraphQLSchema, parse, print } from 'graphql'
import {
  type Authorization,
  type CompiledGraph,
  compileSupergraph,
  execute,
  executeEvent,
  type ExecuteOptions,
  type ExecutionResult,
  type FetchFunction,
  type Graph,
  grantedBy,
  openGraph,
  OperationCosts,
  type PendingPer,
  type Plan,
  planOperation,
  type PlanOptions,
  prepareOperation,
  printPlan,
  sourceRequest,
  type SubgraphReply,
  type SubgraphRequest,
} from '@switchyard/engine'
import { pace } from './pace.ts'
import { AnswerOrder, type Choices } from './answer-order.ts'
import { collectParts } from './collect-parts.ts'
import { worldSchema } from './monolith.ts'
import { type Counting, type Executed, HeardFetches, Recording, replay, replayInParts } from './replay.ts'
import { createSubgraphs } from './subgraph-behaviour.ts'
import { supergraphOf } from './supergraph-of.ts'
import { type Suite, type SuiteOperation, subgraphInputs, type Tables } from './suite.ts'

export type EngineRun = Observed & {
  readonly result: ExecutionResult
  /** Null if costs are not counted. */
  readonly cost: number | null
}

/** The parts as they go to clients; one plain result when nothing is deferred. */
export type DeferredRun = Observed & {
  readonly parts: readonly StreamPart[] | null
  readonly result: ExecutionResult | null
  /** The costs of each part and all before it, or of the one result. Empty if costs are not counted. */
  readonly costs: readonly (number | null)[]
  /** True if the first part came only after an answer of the slow subgraph. */
  readonly waitedForSlow: boolean
}

type Observed = {
  readonly plan: Plan
  /** Requests per subgraph, by name. */
  readonly calls: Readonly<Record<string, number>>
  /** Broken rules in words: invalid documents, wrong representations. */
  readonly complaints: readonly string[]
}

export type SuiteEngine = {
  readonly graph: Graph
  /** The schema that clients see. */
  readonly schema: GraphQLSchema
  /** Labels of the suite's progressive overrides. */
  readonly labels: readonly string[]
  /** Runs the operation. `tamper` may replace the answer of a subgraph. */
  run(operation: SuiteOperation, tamper?: Tamper): Promise<EngineRun>
  /**
   * The same with `@defer` switched on; `choices` decide in which order answers come, and when the reader
   * pauses. The subgraph called `slow` answers after the first part, if that comes without it.
   */
  runDeferred(
    operation: SuiteOperation,
    options?: {
      readonly tamper?: Tamper
      readonly choices?: Choices
      readonly pendingPer?: PendingPer
      readonly slow?: string
      /** True if the execution uses no slices, so that different runs have the same order of answers. */
      readonly atOnce?: boolean
    },
  ): Promise<DeferredRun>
  /** The plan alone; `run` would make the same. */
  plan(operation: SuiteOperation, options?: { readonly defer?: boolean }): Plan
  /** The plan with `@defer` switched on, for a client that takes its answer in one piece. */
  planWhole(operation: SuiteOperation): Plan
  /** The same for people. */
  printPlan(operation: SuiteOperation): string
}

type Prepared = {
  readonly variables: ReadonlyMap<string, unknown>
  readonly labels: ReadonlySet<string>
  readonly plan: Plan
  readonly planWhole: () => Plan
}

export type Tamper = (reply: SubgraphReply, request: SubgraphRequest) => SubgraphReply

type World = { readonly tamper: Tamper; readonly order: AnswerOrder; readonly atOnce?: boolean }

const AS_IT_IS: Tamper = (reply) => reply

export type EngineOptions = {
  /** Compose the subgraphs and their definitions in the opposite order. */
  readonly reversed?: boolean
  /** The supergraph that another composer made of the suite's subgraphs. */
  readonly supergraphSdl?: string
  /** The authorization of the requests. Without it they may see nothing that is protected. */
  readonly authorization?: Authorization
  /** Settings of the planner. */
  readonly planning?: Pick<PlanOptions, 'prefer' | 'sharedFields'>
  /** Returns the costs that replace those of the supergraph. Without it, costs are not counted. */
  readonly costs?: (compiled: CompiledGraph) => CompiledGraph['costs']
}

/** A mutation costs 3. */
const ASSUMED = { listSize: 10, mutation: 3 }

export function createEngine(suite: Suite, options: EngineOptions = {}): SuiteEngine {
  const compiled = compileSupergraph(options.supergraphSdl ?? composeSuite(suite, options.reversed))
  const graph = openGraph({ ...compiled, ...(options.costs && { costs: options.costs(compiled) }) })
  const costs = options.costs === undefined ? null : new OperationCosts(graph, ASSUMED)
  const counting: Counting = ({ plan, variables }) =>
    costs === null ? {} : { cost: costs.answer(plan, variables) }
  const schema = worldSchema(suite.whole ?? suite.monolith)
  const byLabels = new Map<string, ReturnType<typeof createSubgraphs>>()
  const subgraphsUnder = (labels: ReadonlySet<string>) => {
    const key = JSON.stringify([...labels].sort())
    const subgraphs = byLabels.get(key) ?? createSubgraphs(suite, schema, labels)
    byLabels.set(key, subgraphs)
    return subgraphs
  }

  /** The last ones: an operation is often run several times, under other circumstances. */
  const known = new Map<boolean, { readonly operation: SuiteOperation; readonly prepared: Prepared }>()
  function prepare(operation: SuiteOperation, defer = false): Prepared {
    const last = known.get(defer)
    if (last?.operation === operation) return last.prepared
    const prepared = prepareAnew(operation, defer)
    known.set(defer, { operation, prepared })
    return prepared
  }

  function prepareAnew(operation: SuiteOperation, defer: boolean): Prepared {
    const prepared = prepareOperation(graph, {
      document: operation.query,
      operationName: operation.operationName ?? null,
      defer,
      subscriptions: true,
    })
    const variables = prepared.coerceVariables({ ...operation.variables })
    const labels = new Set(operation.labels)
    const { authorization } = options
    const granted = authorization === undefined ? new Set<number>() : grantedBy(prepared, authorization)
    const planned = (isWhole: boolean) =>
      planOperation(prepared, variables, { ...options.planning, labels, granted, isWhole })
    return { variables, labels, plan: planned(false), planWhole: () => planned(true) }
  }

  /** Runs a plan against the suite's subgraphs and tells what they saw. */
  async function observe<Outcome>(
    { variables, labels, plan }: Prepared,
    { tamper, order, atOnce = false }: World,
    run: (options: ExecuteOptions) => Promise<Outcome>,
  ): Promise<Observed & { readonly outcome: Outcome }> {
    const subgraphs = subgraphsUnder(labels)
    for (const { server, complaints } of subgraphs.values()) {
      server.forget()
      complaints.length = 0
    }
    const tables = suite.tables?.() ?? {}
    const fetch = fetchFunction(suite, subgraphs, tables, { tamper, order })
    const outcome = await new Promise<Outcome>((resolve, onDefect) => {
      run({ plan, variables, fetch, onDefect, ...(atOnce ? {} : pace(plan)) }).then(resolve, onDefect)
    })
    const servers = [...subgraphs].map(([name, subgraph]) => ({ name, ...subgraph }))
    return {
      outcome,
      plan,
      calls: Object.fromEntries(
        servers
          .filter(({ server }) => server.calls.length > 0)
          .map(({ name, server }) => [name, server.calls.length]),
      ),
      complaints: servers.flatMap(({ name, server, complaints, ...subgraph }) => [
        ...complaints,
        ...subgraph.surplus().map((complaint) => `${name}: ${complaint}`),
        ...server.invalidDocuments.map(({ query, messages }) => `${name}: ${messages.join('; ')}: ${query}`),
      ]),
    }
  }

  /** Executes an operation twice: with the interpreter, and then with generated code. */
  const answer = async (options: ExecuteOptions, complaints: string[]): Promise<Executed> => {
    const recording = new Recording()
    const heard = new HeardFetches()
    const fetch = recording.of(options.fetch)
    const interpreted = await new Promise<Executed>((resolve) => {
      const more = { recorder: heard, interpretedRuns: Number.POSITIVE_INFINITY, ...counting(options) }
      execute(graph, { ...options, fetch, ...more }, (result, weight, cost) =>
        resolve({ result, weight, cost }),
      )
    })
    complaints.push(...(await replay(graph, options, recording, { ...interpreted, heard }, counting)))
    return interpreted
  }

  /** Asks the source of a subscription for an event, and executes the subscription for it. */
  const answerEvent = async (options: ExecuteOptions): Promise<Executed> => {
    const source = sourceRequest(graph, options.plan, options.variables)
    const event = source && (await new Promise<SubgraphReply>((done) => options.fetch(source, done)))
    if (event?.kind === 'failure') throw new Error(`The source sent no event: ${event.message}`)
    return new Promise((resolve) => {
      executeEvent(graph, options, event?.body, (result, weight, cost) => resolve({ result, weight, cost }))
    })
  }

  return {
    graph,
    schema: graph.apiSchema,
    labels: graph.labels,
    plan: (operation, { defer = false } = {}) => prepare(operation, defer).plan,
    planWhole: (operation) => prepare(operation, true).planWhole(),
    printPlan: (operation) => printPlan(graph, prepare(operation).plan),
    async run(operation, tamper = AS_IT_IS) {
      const world = { tamper, order: new AnswerOrder(null) }
      const differences: string[] = []
      const { outcome, ...seen } = await observe(prepare(operation), world, (options) =>
        options.plan.kind === 'subscription' ? answerEvent(options) : answer(options, differences),
      )
      const { result, cost = null } = outcome
      return { result, cost, ...seen, complaints: [...seen.complaints, ...differences] }
    },
    async runDeferred(
      operation,
      { tamper = AS_IT_IS, choices, pendingPer = 'fragment', slow, atOnce = false } = {},
    ) {
      const prepared = prepare(operation, true)
      const order = new AnswerOrder(choices ?? null, slow ?? null)
      const world = { tamper, order, atOnce }
      if (!prepared.plan.deferred) {
        const differences: string[] = []
        const { outcome, ...seen } = await observe(prepared, world, (options) => answer(options, differences))
        const complaints = [...seen.complaints, ...differences]
        const { result, cost = null } = outcome
        const costs = cost === null ? [] : [cost]
        return { parts: null, result, costs, waitedForSlow: false, ...seen, complaints }
      }
      const differences: string[] = []
      const { outcome, ...seen } = await observe(prepared, world, async (options) => {
        const recording = new Recording()
        const delivered = await collectParts(
          graph,
          {
            ...options,
            fetch: recording.of(options.fetch),
            pendingPer,
            interpretedRuns: 0,
            ...counting(options),
          },
          (execution) => order.open(execution),
          () => order.firstPart(),
        )
        differences.push(...(await replayInParts(graph, { ...options, pendingPer }, recording, counting)))
        return delivered
      })
      const complaints = [...seen.complaints, ...differences]
      return { ...outcome, result: null, waitedForSlow: order.isAwaited, ...seen, complaints }
    },
  }
}

function composeSuite(suite: Suite, reversed = false): string {
  if (!reversed) return supergraphOf(suite)
  const composed = compose({ subgraphs: subgraphInputs(suite).toReversed().map(reverseSdl) })
  if (composed.kind === 'failed') throw new Error(`The suite ${suite.name} does not compose`)
  return composed.supergraphSdl
}

/** The same schema, written from the last definition to the first. */
function reverseSdl<Input extends { readonly sdl: string }>(input: Input): Input {
  const document = parse(input.sdl)
  return { ...input, sdl: print({ ...document, definitions: document.definitions.toReversed() }) }
}

function fetchFunction(
  suite: Suite,
  subgraphs: ReturnType<typeof createSubgraphs>,
  tables: Tables,
  { tamper, order }: { readonly tamper: Tamper; readonly order: AnswerOrder },
): FetchFunction {
  return (request, done) => {
    const { subgraph, body } = request
    const server = subgraphs.get(subgraph)?.server
    if (server === undefined)
      throw new Error(`The engine called "${subgraph}", which the suite does not have`)
    const reply = async (): Promise<SubgraphReply> => {
      const answer = await server.execute(body, tables)
      const sabotaged: SubgraphReply | null = suite.subgraphs[subgraph]?.sabotage?.(body, answer) ?? null
      return deepFreeze(tamper(sabotaged ?? { kind: 'answer', ...answer }, request))
    }
    void order.ask(reply(), done, subgraph)
  }
}

/** The engine shares parsed answers between requests, so it must never write into one. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}

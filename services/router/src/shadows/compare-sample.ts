/** Compares the answer of one sample: runs the flag, and base once more where that is needed. */
import { type ExecutionWork, executionWork, type Plan, PlanningError, RequestError } from '@switchyard/engine'
import type { Authorizer } from '../concerns/authorization/authorizer.ts'
import type { OverrideLabels } from '../concerns/override-labels/override-labels.ts'
import { compareAnswers } from '../concerns/shadows/comparing/compare-answers.ts'
import { TooDeepError } from '../concerns/shadows/comparing/value-hash.ts'
import type { ResultTable } from '../concerns/shadows/results/result-table.ts'
import type { SubgraphClientOptions } from '../call/subgraph-client.ts'
import { HttpError } from '../errors/http-error.ts'
import { ROUTER_ITSELF } from '../fairness/client.ts'
import type { ClientTurns } from '../fairness/turn-queue.ts'
import type { Generation } from '../generations/generation.ts'
import type { HeldFlag } from '../generations/composition-table.ts'
import type { ServedParts } from '../generations/served-parts.ts'
import { fetchKey } from './fetch-key.ts'
import { ShadowRun, type RunOutcome, type ShadowRunOptions, type StopReason } from './shadow-run.ts'
import type { BaseAnswer, ShadowSample } from './shadow-sample.ts'
import type { ShadowWays } from './shadow-ways.ts'

/** The parts that samples are compared with. */
export type ComparingParts = {
  readonly served: ServedParts
  readonly ways: ShadowWays
  readonly client: SubgraphClientOptions
  readonly authorizer: Authorizer
  readonly overrideLabels: OverrideLabels
  /** Whether a client may have nothing of an operation of which a part is denied. */
  readonly rejectsUnauthorized: boolean
  readonly turns: ClientTurns
  /** Steps of the work on answers. */
  readonly maxSteps: number
  /** Returns a reason to do nothing more; null while there is none. */
  readonly objection: () => StopReason | null
}

/** The outcome of a sample. */
export type SampleOutcome =
  | { readonly kind: 'compared'; readonly isDifferent: boolean }
  | { readonly kind: 'unanswerable' }
  | { readonly kind: 'not-comparable'; readonly reason: StopReason | 'too-deep' }

/** One execution that can be stopped. */
type Current = { run: ShadowRun | null }

/** The operation on the flag's composition. Null if that does not know what it asks for. */
type FlagPlan = { readonly plan: Plan; readonly variables: ReadonlyMap<string, unknown> } | null

const lookUpClient = () => ROUTER_ITSELF

/** Compares one sample. */
export class SampleComparison {
  readonly #parts: ComparingParts
  readonly #sample: ShadowSample
  readonly #flag: HeldFlag
  readonly #current: Current = { run: null }
  readonly #mayBeCalled: MayBeCalled
  #stopped: StopReason | null = null

  constructor(parts: ComparingParts, sample: ShadowSample, flag: HeldFlag) {
    this.#parts = parts
    this.#sample = sample
    this.#flag = flag
    this.#mayBeCalled = new MayBeCalled(sample.request.rollout.shadow?.subgraphs ?? null, flag.generation)
  }

  /** Gives the sample up. */
  stop(reason: StopReason): void {
    this.#stopped = reason
    this.#current.run?.stop(reason)
  }

  /** Compares, and counts the result. Rejects with what nobody foresaw. */
  async compare(answer: BaseAnswer, table: ResultTable): Promise<SampleOutcome> {
    const planned = await this.#plan()
    if (planned === null) return { kind: 'unanswerable' }
    const ofFlag = await this.#runFlag(planned)
    if (ofFlag.kind === 'stopped') return { kind: 'not-comparable', reason: ofFlag.reason }
    const { rollout } = this.#sample.request
    const unordered = new Set(rollout.shadow?.unordered)
    const { turns } = this.#parts
    try {
      const comparison = await compareAnswers(answer.result, ofFlag.result, unordered, turns)
      const { operation } = this.#sample
      let itself = null
      if (table.needsBase(operation, comparison)) {
        const again = await this.#runBase()
        if (again.kind === 'stopped') return { kind: 'not-comparable', reason: again.reason }
        itself = await compareAnswers(answer.result, again.result, unordered, turns)
      }
      const [baseMs, flagMs] = [answer.milliseconds, ofFlag.milliseconds]
      const isDifferent = table.compared({
        operation,
        comparison,
        itself,
        baseMs,
        flagMs,
        at: Date.now(),
      })
      return { kind: 'compared', isDifferent }
    } catch (error) {
      if (error instanceof TooDeepError) return { kind: 'not-comparable', reason: 'too-deep' }
      throw error
    }
  }

  async #plan(): Promise<FlagPlan> {
    const { served, authorizer, overrideLabels, turns, rejectsUnauthorized } = this.#parts
    const { params, asking, identity } = this.#sample.request
    const { generation } = this.#flag
    const { operations } = served.of(generation)
    try {
      if (operations.find(params.query, params.operationName) === null) await turns.begin()
      const prepared = operations.get(params.query, params.operationName)
      const { operation } = prepared
      const raw = operation.takesExactNumbers ? await params.exactVariables(turns) : params.variables
      const variables = await operation.coerceVariablesInTurns(raw, turns)
      const { labels } = overrideLabels.activeOf(operation.overrideLabels, asking, this.#flag)
      const granted = authorizer.granted(operation, identity)
      // The answer of base is in one piece.
      const chosen = { labels, granted, isWhole: true }
      const plan = await generation.planner.plan(prepared, variables, chosen, lookUpClient)
      const isRefused = plan.denied.length > 0 && rejectsUnauthorized
      const isAnswered = !isRefused && plan.unreachable.length === 0 && plan.introspection === null
      return isAnswered && plan.kind === 'query' && !plan.deferred ? { plan, variables } : null
    } catch (error) {
      if (error instanceof RequestError || error instanceof PlanningError || error instanceof HttpError)
        return null
      throw error
    }
  }

  async #runFlag({ plan, variables }: NonNullable<FlagPlan>): Promise<RunOutcome> {
    const { flag, generation } = this.#flag
    const mayCall = (subgraph: string) => this.#mayBeCalled.inFlag(subgraph)
    return this.#run(generation, { plan, variables, mayCall, failuresCount: true }, flag)
  }

  async #runBase(): Promise<RunOutcome> {
    const { base, plan, variables } = this.#sample.request
    const mayCall = (subgraph: string) => this.#mayBeCalled.inBase(subgraph)
    return this.#run(base, { plan, variables, mayCall, failuresCount: false }, null)
  }

  async #run(
    generation: Generation,
    how: Pick<ShadowRunOptions, 'plan' | 'variables' | 'mayCall' | 'failuresCount'>,
    flag: string | null,
  ): Promise<RunOutcome> {
    const objection = this.#objection()
    if (objection !== null) return { kind: 'stopped', reason: objection }
    const { served, ways, client } = this.#parts
    const { asking, identity, requestId, span, operationName } = this.#sample.request
    using inUse = ways.of(generation)
    const { endpoints } = served.of(generation)
    const about = { headers: asking.headers, requestId, identity, flag, operationName }
    const keyed = { ...about, plan: how.plan, baggage: span.parent.baggage }
    const run = new ShadowRun({
      ...how,
      graph: generation.graph,
      work: this.#work(),
      recorded: this.#sample.recorded,
      keyOf: (request) => fetchKey(endpoints, keyed, request),
      objection: () => this.#objection(),
      client,
      request: {
        ...about,
        endpoints: inUse.endpoints,
        span: span.unrecordedChild(),
        lookUpClient,
        observer: UNOBSERVED,
        recorder: null,
        responseHeaders: null,
        lifetime: null,
        files: null,
      },
    })
    this.#current.run = run
    const outcome = await run.run()
    this.#current.run = null
    return outcome
  }

  #work(): ExecutionWork {
    return executionWork(this.#parts.turns, this.#parts.maxSteps)
  }

  /** Everything is looked at before each fetch: the token may expire meanwhile. */
  #objection(): StopReason | null {
    if (this.#stopped !== null) return this.#stopped
    const expires = this.#sample.request.identity?.claims['exp']
    if (typeof expires === 'number' && Date.now() >= expires * 1000) return 'token-expired'
    return this.#parts.objection()
  }
}

const UNOBSERVED = { callBegan: () => {}, callEnded: () => {} }

/**
 * Tells which subgraphs may be called once more: those listed, or without a list those that the flag
 * replaces. A feature subgraph and the one that it replaces are listed by either name, since base has to be
 * asked again for what the flag answers otherwise.
 */
class MayBeCalled {
  readonly #inFlag = new Set<string>()
  readonly #inBase = new Set<string>()

  constructor(listed: readonly string[] | null, { subgraphs }: Pick<Generation, 'subgraphs'>) {
    const names = new Set(listed)
    for (const { name, baseName } of subgraphs) {
      const isListed =
        listed === null
          ? baseName !== undefined
          : names.has(name) || (baseName !== undefined && names.has(baseName))
      if (!isListed) continue
      this.#inFlag.add(name)
      this.#inBase.add(baseName ?? name)
    }
    for (const name of names) this.#inBase.add(name)
  }

  inFlag(subgraph: string): boolean {
    return this.#inFlag.has(subgraph)
  }

  inBase(subgraph: string): boolean {
    return this.#inBase.has(subgraph)
  }
}

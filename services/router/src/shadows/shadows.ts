/**
 * Compares what base answers with what the composition of a flag would have answered, for requests that a
 * rollout of mode `shadow` chooses. Nothing of it is in the way of a client: requests that are not chosen
 * cost one look at the rollouts, and chosen ones keep references to what they hold anyway. Everything else
 * happens after the last byte of the answer, and not at all while the router has much to do.
 */
import type { ExecutionResult, FetchFunction, Plan } from '@switchyard/engine'
import type { ShadowMetrics, ShadowOutcome } from '../concerns/shadows/metrics.ts'
import type { ShadowResults } from '../concerns/shadows/results/shadow-results.ts'
import type { CompositionTable } from '../generations/composition-table.ts'
import type { HeldGeneration } from '../generations/generations.ts'
import type { CachedOperation } from '../operation/operation-cache.ts'
import type { Exchange } from '../request/exchange.ts'
import type { GraphQLParams } from '../request/graphql-params.ts'
import { type ComparingParts, SampleComparison } from './compare-sample.ts'
import { fetchKey } from './fetch-key.ts'
import { type BaseAnswer, ShadowSample } from './shadow-sample.ts'

/** Milliseconds after the last byte within which a comparison must begin. */
const BEGINS_WITHIN_MS = 1000

/** The parts and limits of shadows. */
export type ShadowsOptions = ComparingParts & {
  readonly maxConcurrent: number
  readonly generations: { readonly table: Pick<CompositionTable, 'holdBuilt'> | null }
  readonly results: ShadowResults
  readonly metrics: ShadowMetrics
  /** Whether the router has much to do, or is about to stop. */
  readonly isBusy: () => boolean
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly onDefect: (error: unknown) => void
}

/** A request that is about to be executed. */
export type Shadowable = {
  readonly exchange: Exchange
  readonly params: GraphQLParams
  readonly prepared: CachedOperation
  readonly plan: Plan
  readonly variables: ReadonlyMap<string, unknown>
  readonly held: HeldGeneration
  /** Null if the request is not traced. */
  readonly trace: object | null
}

/** A chosen request, as its execution sees it. */
export type RecordedRequest = {
  /** Makes a function that fetches as `fetch` does, and is recorded. */
  recording(fetch: FetchFunction): FetchFunction
  counting(size: { received(bytes: number): void }): { received(bytes: number): void }
  answered(result: ExecutionResult, weight: number): void
  /** The execution ends without an answer. */
  unanswered(): void
}

/** Chooses requests, records what base answers, and compares. */
export class Shadows implements Disposable {
  readonly #options: ShadowsOptions
  /** Samples that are recorded or compared. */
  #taken = 0
  readonly #running = new Set<SampleComparison>()
  #isOver = false

  constructor(options: ShadowsOptions) {
    this.#options = options
  }

  /** Decides whether the answer to a request is compared. Null if not. */
  record(request: Shadowable): RecordedRequest | null {
    const { exchange, plan, held, trace, prepared } = request
    const { decision } = exchange
    const rollouts = decision?.rollouts ?? null
    const asking = decision?.asking ?? null
    if (rollouts === null || asking === null || held.flag !== null || trace !== null) return null
    if (plan.kind !== 'query' || plan.deferred || plan.introspection !== null) return null
    const { random, results, isBusy, maxConcurrent } = this.#options
    const operation = prepared.operation.name
    const rollout = rollouts.shadowOf(asking, { now: Date.now(), operation, random })
    if (rollout === null) return null
    if (this.#isOver || this.#taken >= maxConcurrent || isBusy()) {
      results.of(rollout).dropped()
      this.#count('dropped')
      return null
    }
    this.#taken++
    const { params, variables } = request
    const { identity, requestId, report } = exchange
    const sample = new ShadowSample(
      {
        rollout,
        params,
        operationName: operation,
        plan,
        variables,
        base: held.generation.acquire(),
        asking,
        identity,
        requestId,
        span: report.summary.span,
      },
      {
        onReady: (ready, answer) => this.#begin(ready, answer),
        onDropped: (dropped, reason) => {
          if (reason === 'too-large') results.of(rollout).notComparable(dropped.operation, reason)
          this.#count(reason === 'too-large' ? 'not-comparable' : 'dropped')
          this.#over(dropped)
        },
      },
    )
    exchange.response.once('close', () => sample.closed())
    return this.#recorded(sample)
  }

  #recorded(sample: ShadowSample): RecordedRequest {
    const { base, asking, identity, requestId, operationName, plan, span } = sample.request
    const { endpoints } = this.#options.served.of(base)
    const keyed = {
      headers: asking.headers,
      requestId,
      identity,
      flag: null,
      operationName,
      plan,
      baggage: span.parent.baggage,
    }
    return {
      recording: (fetch) => sample.recording(fetch, (request) => fetchKey(endpoints, keyed, request)),
      counting: (size) => sample.counting(size),
      answered: (result, weight) => sample.answered(result, weight),
      unanswered: () => sample.drop('unanswered'),
    }
  }

  /** Begins after whatever else is done with the answer. */
  #begin(sample: ShadowSample, answer: BaseAnswer): void {
    const since = performance.now()
    setImmediate(() => {
      const isLate = performance.now() - since > BEGINS_WITHIN_MS
      const { results, onDefect } = this.#options
      const { rollout } = sample.request
      if (isLate || this.#isOver || this.#options.isBusy()) {
        results.of(rollout).dropped()
        this.#count('dropped')
        this.#over(sample)
        return
      }
      this.#compare(sample, answer)
        .then((outcome) => this.#count(outcome), onDefect)
        .finally(() => this.#over(sample))
    })
  }

  async #compare(sample: ShadowSample, answer: BaseAnswer): Promise<ShadowOutcome> {
    const { generations, results } = this.#options
    const { rollout } = sample.request
    const table = results.of(rollout)
    const { operation } = sample
    const flag = generations.table?.holdBuilt(rollout.flag) ?? null
    if (flag === null) {
      table.notComparable(operation, 'flag-not-ready')
      return 'not-comparable'
    }
    const comparison = new SampleComparison(this.#options, sample, flag)
    this.#running.add(comparison)
    try {
      const outcome = await comparison.compare(answer, table)
      if (outcome.kind === 'compared') return outcome.isDifferent ? 'different' : 'equal'
      if (outcome.kind === 'unanswerable') table.unanswerable(operation)
      else table.notComparable(operation, outcome.reason)
      return outcome.kind
    } finally {
      this.#running.delete(comparison)
      flag.generation.release()
    }
  }

  #count(outcome: ShadowOutcome): void {
    this.#options.metrics.count(outcome)
  }

  #over({ request, recorded }: ShadowSample): void {
    this.#taken--
    recorded.clear()
    request.base.release()
  }

  /** Gives up all comparisons. */
  [Symbol.dispose](): void {
    this.#isOver = true
    for (const comparison of this.#running) comparison.stop('router-stops')
  }
}

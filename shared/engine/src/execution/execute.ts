import type { AnswerCost } from '../cost/operation-costs.ts'
import type { Graph } from '../graph/graph.ts'
import type { Task } from '../work/slices.ts'
import type { ExecuteOptions } from './contract/options.ts'
import type { ExecutionResult } from './contract/response.ts'
import { Completion } from './completion/completion.ts'
import { introspected } from './completion/introspected.ts'
import { hasFailedRootField } from './completion/mutation-root.ts'
import { ErrorPaths } from './errors/error-paths.ts'
import { ResultErrors } from './errors/result-errors.ts'
import { unreachableResult } from './errors/unreachable-result.ts'
import { Fetching } from './fetching/fetching.ts'
import { codeFor, type PlanCode } from './generated/plan-code.ts'
import { preparationsFor } from './joining/preparations.ts'
import { weightOf } from './joining/response-weight.ts'

/** An execution that is under way. */
export type Execution = {
  /**
   * Ends the execution: no further fetch is started, and `done` is not called any more. Harmless when it is
   * over.
   */
  abort(): void
}

/**
 * Executes a plan: starts each fetch as soon as those it waits for have answered, and calls `done` once.
 * `done` receives the response, its weight (about the number of its values, where sixteen characters count as
 * one) and its cost. The cost is null if costs are not counted, or there is too much to count. Never throws
 * for anything a subgraph sends. `done` is never called before this function has returned.
 *
 * An aborted `signal` does the same as `abort()`: the caller, who aborted, is not called again. Cancelling
 * the fetches already under way is up to the fetch function; their replies are ignored.
 */
export function execute(
  graph: Graph,
  options: ExecuteOptions,
  done: (result: ExecutionResult, weight: number, cost: number | null) => void,
): Execution {
  const run = new Run(graph, options, done)
  run.start()
  return run
}

class Run implements Execution {
  readonly #graph: Graph
  readonly #options: ExecuteOptions
  readonly #done: (result: ExecutionResult, weight: number, cost: number | null) => void
  readonly #fetching: Fetching
  readonly #code: PlanCode | null
  /** The weight of the data. */
  #values = 0

  constructor(
    graph: Graph,
    options: ExecuteOptions,
    done: (result: ExecutionResult, weight: number, cost: number | null) => void,
  ) {
    this.#graph = graph
    this.#options = options
    this.#done = done
    this.#code = codeFor(graph, options.plan, options.interpretedRuns)
    this.#fetching = new Fetching(graph, options, {
      hasFailedRoot: () => {
        const fetching = this.#fetching
        return hasFailedRootField(fetching, fetching.store, options.plan.shape, fetching)
      },
      onAnswer: () => this.#finish(),
      representationsOf: (part) => {
        const { store, budget } = this.#fetching
        return this.#code?.representations(part, store, budget) ?? null
      },
    })
  }

  start(): void {
    this.#fetching.start()
    // If nothing has to be fetched, the caller still gets its handle before the result.
    if (this.#fetching.isDone) queueMicrotask(() => this.#fetching.run(() => this.#finish()))
  }

  abort(): void {
    this.#fetching.end()
  }

  *#finish(): Task {
    if (!this.#fetching.isDone) return
    const { plan } = this.#options
    const result = plan.unreachable.length > 0 ? unreachableResult(plan) : yield* this.#result()
    const cost = this.#options.cost === undefined ? null : yield* this.#count(this.#options.cost, result)
    this.#fetching.end()
    const contents = { values: this.#values, errors: result.errors.length }
    this.#done(result, weightOf(this.#fetching.prepared.keyWeight, contents), cost)
  }

  *#result(): Task<ExecutionResult> {
    const { plan } = this.#options
    const fetching = this.#fetching
    const { prepared, store, occurrences } = fetching
    const usual = this.#code?.complete(store, fetching.budget) ?? null
    if (usual !== null && occurrences.mismatched.size === 0) {
      this.#values = usual.weight
      return { data: usual.data, errors: [] }
    }
    yield* fetching.prepare(preparationsFor(plan, plan.shape))
    const paths = new ErrorPaths(this.#graph, prepared, store, occurrences)
    const errors = new ResultErrors(prepared, store)
    for (const fetch of plan.fetches)
      yield* errors.addReported(fetch, paths, fetching.subgraphName(fetch), fetching)
    const completion = new Completion(fetching, errors, introspected(this.#graph, this.#options))
    completion.beginData(plan.shape)
    if (!completion.proceed(fetching.slice)) yield completion
    this.#values = completion.weight
    errors.addShapeMismatches(paths, occurrences)
    return { data: completion.result, errors: errors.list }
  }

  *#count(cost: AnswerCost, { data }: ExecutionResult): Task<number | null> {
    const { plan } = this.#options
    if (data !== null && cost.needsObjects) yield* this.#fetching.prepare(preparationsFor(plan, plan.shape))
    cost.addData(data, this.#fetching.occurrences)
    return cost.total
  }
}

import type { Graph } from '../graph/graph.ts'
import { type FetchId, type GroupId, INITIAL_GROUP, ROOT_POSITION } from '../ids/ids.ts'
import type { IntrospectionResult } from '../introspection/introspect.ts'
import type { DeliveryGroup, Plan } from '../plan/contract/plan.ts'
import { NEXT_TURN, type Task } from '../work/slices.ts'
import { Completion } from './completion/completion.ts'
import { introspected } from './completion/introspected.ts'
import { hasFailedRootField } from './completion/mutation-root.ts'
import type { CompletionErrors } from './completion/value-errors.ts'
import type {
  CompletedEntry,
  IncrementalListener,
  InitialResult,
  PendingFragment,
} from './contract/incremental-response.ts'
import type { IncrementalOptions } from './contract/options.ts'
import type { ExecutionResult } from './contract/response.ts'
import { ErrorPaths } from './errors/error-paths.ts'
import { unreachableResult } from './errors/unreachable-result.ts'
import type { Execution } from './execute.ts'
import { Fetching } from './fetching/fetching.ts'
import { codeFor, type PlanCode } from './generated/plan-code.ts'
import { type Announcements, announcementsFor, pendingFragment } from './incremental/announcements.ts'
import { DeliveredObjects } from './incremental/delivered-objects.ts'
import { type DeliveryPlan, planDelivery } from './incremental/delivery-plan.ts'
import { ErrorCollection } from './incremental/error-collection.ts'
import { FailureReasons } from './incremental/failure-reasons.ts'
import { completeGroup } from './incremental/group-completion.ts'
import { GroupErrors } from './incremental/group-errors.ts'
import type { DeliverySources } from './incremental/group-objects.ts'
import { GroupProgress } from './incremental/group-progress.ts'
import { errorsWithin, placeErrors } from './incremental/place-errors.ts'
import { NONE_LOST } from './incremental/projections.ts'
import { RecordDelivered } from './incremental/record-delivered.ts'
import { preparationsFor } from './joining/preparations.ts'
import { type ResponseContents, weightOf } from './joining/response-weight.ts'

/** An execution that delivers its response in several results. */
export type IncrementalExecution = Execution & {
  /**
   * Stops delivering: no further result is begun, and no first fetch of a delivery group. A result that is
   * being completed is still delivered.
   */
  pause(): void
  /** Goes on after `pause`. */
  resume(): void
}

/**
 * Executes a plan with delivery groups: `listener` is given the initial result first, then one subsequent
 * result for each announced group.
 *
 * A group is announced when the object that its deferred fragment is on was delivered. Only then are its
 * fetches made, since until then a null may still take the place of the object. The group is delivered when
 * its fetches have answered, and the groups with which it shares fields were delivered or have failed.
 *
 * Exactly one result has `hasNext: false`, whatever fails, and it is the last; an aborted execution has none.
 * The listener is never called before this function has returned. Everything else is as `execute` describes
 * it.
 */
export function executeIncrementally(
  graph: Graph,
  options: IncrementalOptions,
  listener: IncrementalListener,
): IncrementalExecution {
  const run = new IncrementalRun(graph, options, listener)
  run.start()
  return run
}

class IncrementalRun implements IncrementalExecution {
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #options: IncrementalOptions
  readonly #listener: IncrementalListener
  readonly #delivery: DeliveryPlan
  readonly #code: PlanCode | null
  readonly #fetching: Fetching
  readonly #errors: ErrorCollection
  readonly #reasons: FailureReasons
  readonly #recordDelivered: RecordDelivered
  readonly #progress: GroupProgress
  readonly #sources: DeliverySources
  readonly #announcements: Announcements
  #introspection: IntrospectionResult | null = null
  /** Fetches that the announced groups need. */
  readonly #wanted: Set<FetchId>
  /** Groups of which a fetch has begun. */
  readonly #begun = new Set<GroupId>([INITIAL_GROUP])
  /** The weight of the initial result. */
  #initialValues = 0
  #isPaused = false
  #isStarting = true

  constructor(graph: Graph, options: IncrementalOptions, listener: IncrementalListener) {
    const { plan } = options
    this.#graph = graph
    this.#plan = plan
    this.#options = options
    this.#listener = listener
    this.#delivery = planDelivery(plan)
    this.#wanted = new Set(this.#delivery.needs(INITIAL_GROUP))
    this.#code = codeFor(graph, plan, options.interpretedRuns, {
      shape: this.#initialShape(),
      needs: this.#delivery.needs(INITIAL_GROUP),
    })
    this.#fetching = new Fetching(graph, options, {
      hasFailedRoot: () =>
        hasFailedRootField(this.#fetching, this.#fetching.store, this.#initialShape(), this.#fetching),
      onAnswer: () => this.#deliver(),
      representationsOf: (part) =>
        this.#code?.representations(part, this.#fetching.store, this.#fetching.budget) ?? null,
      mayBegin: ({ id, group }) => {
        if (!this.#wanted.has(id) || (this.#isPaused && !this.#begun.has(group))) return false
        this.#begun.add(group)
        return true
      },
      objectsFor: ({ id, group }) =>
        group === 0 ? null : this.#progress.objectsFor(this.#delivery.needing(id)),
    })
    const pace = this.#fetching
    const { prepared, store, occurrences, budget } = pace
    const paths = new ErrorPaths(graph, prepared, store, occurrences)
    const delivery = this.#delivery
    const delivered = new DeliveredObjects(occurrences)
    this.#recordDelivered = new RecordDelivered(delivery, occurrences, delivered, budget)
    this.#progress = new GroupProgress(plan.groups, delivery, occurrences, paths.client, delivered, pace)
    this.#sources = { prepared, delivery, occurrences, delivered, progress: this.#progress, budget, pace }
    const groupErrors = new GroupErrors(plan, delivery, occurrences, delivered, this.#progress)
    const newCompletion = (errors: CompletionErrors) => new Completion(pace, errors, this.#introspection)
    this.#errors = new ErrorCollection(pace, paths, groupErrors, newCompletion)
    this.#reasons = new FailureReasons(newCompletion, pace)
    this.#announcements = announcementsFor(options.pendingPer ?? 'fragment', this.#sources)
  }

  start(): void {
    this.#fetching.start()
    // The caller gets its handle before the initial result, even if nothing had to be fetched for that.
    queueMicrotask(() => {
      this.#isStarting = false
      this.#fetching.run(() => this.#deliver())
    })
  }

  abort(): void {
    this.#fetching.end()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#fetching.run(() => this.#proceed())
  }

  *#proceed(): Task {
    yield* this.#fetching.proceed()
    yield* this.#deliver()
  }

  /** Delivers every result that can be completed by now. */
  *#deliver(): Task {
    if (this.#isStarting) return
    while (!this.#isPaused && !this.#fetching.isOver) {
      if (this.#progress.isOpen(INITIAL_GROUP)) {
        if (!this.#isSettled(INITIAL_GROUP)) break
        yield* this.#deliverInitial()
      } else {
        const next = this.#delivery.groups.find((group) => this.#isDeliverable(group))
        if (next === undefined) break
        yield* this.#deliverGroup(next)
      }
      if (!this.#fetching.isOver) yield* this.#fetching.proceed()
    }
  }

  #isDeliverable(group: DeliveryGroup): boolean {
    return (
      this.#progress.is(group.id, 'announced') && this.#isSettled(group.id) && this.#progress.isFree(group)
    )
  }

  #isSettled(group: GroupId): boolean {
    if (this.#plan.unreachable.length > 0) return true
    return this.#needs(group).every((id) => this.#fetching.store.isSettled(id))
  }

  /** The fetches of a group; none for a deferred fragment in a list that has no object for it. */
  #needs(group: GroupId): readonly FetchId[] {
    return this.#progress.hasObjects(group) ? this.#delivery.needs(group) : []
  }

  *#deliverInitial(): Task {
    const result =
      this.#plan.unreachable.length > 0 ? unreachableResult(this.#plan) : yield* this.#initialResult()
    if (result.data === null) this.#progress.cancelAll()
    else yield* this.#recordRoot(result.data)
    const { pending, hasNext } = yield* this.#complete(INITIAL_GROUP)
    const contents = { values: this.#initialValues, errors: result.errors.length, paths: pending.length }
    this.#options.cost?.addData(result.data, this.#fetching.occurrences)
    this.#listener.initial({ ...result, pending, hasNext }, this.#weightOf(contents), this.#cost)
  }

  *#initialResult(): Task<ExecutionResult> {
    this.#introspection = introspected(this.#graph, this.#options)
    const shape = this.#initialShape()
    yield* this.#fetching.prepare(preparationsFor(this.#plan, shape))
    const usual = this.#code?.complete(this.#fetching.store, this.#fetching.budget) ?? null
    if (usual !== null && this.#fetching.occurrences.mismatched.size === 0) {
      this.#initialValues = usual.weight
      return { data: usual.data, errors: [] }
    }
    const completing = yield* this.#errors.begin(INITIAL_GROUP, this.#needs(INITIAL_GROUP))
    const { completion } = completing
    completion.beginData(shape)
    if (!completion.proceed(this.#fetching.slice)) yield completion
    this.#initialValues = completion.weight
    return { data: completion.result, errors: yield* this.#errors.end(completing) }
  }

  *#deliverGroup(group: DeliveryGroup): Task {
    const pace = this.#fetching
    yield* pace.prepare(this.#delivery.preparations(group.id))
    const completing = yield* this.#errors.begin(group.id, this.#needs(group.id))
    const { completion } = completing
    const { cost = null } = this.#options
    const result = yield* completeGroup(group, this.#sources, this.#announcements, completion, cost)
    const errors = yield* this.#errors.end(completing)
    for (const { shape, occurrence, data } of result.leading)
      if (!this.#recordDelivered.begin(shape, occurrence, data).proceed(pace.slice))
        yield this.#recordDelivered
    for (const { position, occurrence } of result.failures) {
      this.#progress.fail(group.id, position, occurrence)
      if (pace.isSpent(1)) yield NEXT_TURN
    }
    const announced = this.#announcements.of(group.id)
    const { incremental, rest } = yield* placeErrors(announced, result, errors, pace)
    const completed: CompletedEntry[] = []
    for (const { id, path } of announced) {
      const reasons = yield* this.#reasons.for(result.failuresOf.get(id) ?? [], rest.get(id) ?? [])
      const told = yield* errorsWithin(path, reasons, pace)
      completed.push(told.length > 0 ? { id, errors: told } : { id })
    }
    const subsequent = { incremental, completed, ...(yield* this.#complete(group.id)) }
    const contents = {
      values: completion.weight,
      errors: errors.length + result.failures.length,
      paths: incremental.length + completed.length + subsequent.pending.length,
    }
    for (const cost of result.costs) this.#options.cost?.add(cost)
    this.#listener.subsequent(subsequent, this.#weightOf(contents), this.#cost)
  }

  get #cost(): number | null {
    return this.#options.cost?.total ?? null
  }

  *#recordRoot(data: NonNullable<ExecutionResult['data']>): Task {
    this.#sources.delivered.add(ROOT_POSITION, 0)
    if (!this.#recordDelivered.begin(this.#plan.shape, 0, data).proceed(this.#fetching.slice))
      yield this.#recordDelivered
  }

  #weightOf(contents: ResponseContents): number {
    return weightOf(this.#fetching.prepared.keyWeight, contents)
  }

  /**
   * Marks a group as delivered, announces the groups that waited for that, and ends the execution after the
   * last one.
   */
  *#complete(id: GroupId): Task<Pick<InitialResult, 'pending' | 'hasNext'>> {
    this.#progress.complete(id)
    const pending = yield* this.#announce()
    const hasNext = this.#delivery.groups.some((group) => this.#progress.is(group.id, 'announced'))
    if (!hasNext) this.#fetching.end()
    return { pending, hasNext }
  }

  *#announce(): Task<readonly PendingFragment[]> {
    const pending: PendingFragment[] = []
    let hasCompletedSilently: boolean
    do {
      hasCompletedSilently = false
      for (const group of yield* this.#progress.announce()) {
        const announcing = this.#announcements.announce(group)
        if (announcing !== null) yield* announcing
        const announced = this.#announcements.of(group.id)
        if (announced.length === 0) {
          // No object has the deferred fragment, so the group is complete, and groups may have waited for
          // that.
          this.#progress.complete(group.id)
          hasCompletedSilently = true
          continue
        }
        for (const one of announced) pending.push(pendingFragment(one, group))
        for (const needed of this.#needs(group.id)) this.#wanted.add(needed)
      }
    } while (hasCompletedSilently)
    return pending
  }

  #initialShape() {
    return this.#delivery.projections(INITIAL_GROUP, NONE_LOST).ownFields(this.#plan.shape)
  }
}

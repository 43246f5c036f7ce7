import type { Graph } from '../graph/graph.ts'
import type { IntrospectionResult } from '../introspection/introspect.ts'
import { type FetchId, type GroupId, INITIAL_GROUP, ROOT_POSITION } from '../ids.ts'
import type { DeliveryGroup, Plan } from '../plan/plan.ts'
import { Completion } from './completion/completion.ts'
import type { CompletionErrors } from './completion/value-errors.ts'
import { NEXT_TURN, type Task } from '../work/slices.ts'
import { type Announcements, announcementsFor, pendingFragment } from './incremental/announcements.ts'
import type {
  CompletedEntry,
  IncrementalListener,
  InitialResult,
  PendingFragment,
} from './contract/incremental-response.ts'
import type { IncrementalOptions } from './contract/options.ts'
import type { ExecutionResult, ResponseError } from './contract/response.ts'
import { DeliveredObjects } from './incremental/delivered-objects.ts'
import { type DeliveryPlan, planDelivery } from './incremental/delivery-plan.ts'
import { ErrorPaths, MAX_COPIES } from './errors/error-paths.ts'
import type { Execution } from './execute.ts'
import { FailureReasons } from './incremental/failure-reasons.ts'
import { Fetching } from './fetching/fetching.ts'
import { completeGroup, type Failure, type ObjectPart } from './incremental/group-completion.ts'
import type { DeliverySources } from './incremental/group-objects.ts'
import { GroupErrors } from './incremental/group-errors.ts'
import { GroupProgress } from './incremental/group-progress.ts'
import { RecordDelivered } from './incremental/record-delivered.ts'
import { NullPaths } from './incremental/null-paths.ts'
import { placeErrors } from './incremental/place-errors.ts'
import { preparationsFor } from './joining/preparations.ts'
import { NONE_LOST } from './incremental/projections.ts'
import { MAX_FOUND, ResultErrors, STEPS_PER_ERROR } from './errors/result-errors.ts'
import { unreachableResult } from './errors/unreachable-result.ts'
import { introspected } from './completion/introspected.ts'
import { hasFailedRootField } from './completion/mutation-root.ts'
import { type ResponseContents, weightOf } from './joining/response-weight.ts'

export type IncrementalExecution = Execution & {
  /** From now on no part is begun, and no fetch of a group of which none has begun. A part that is being made is delivered. */
  pause(): void
  resume(): void
}

/**
 * Executes a plan with deferred groups. The response comes in parts: first what is not deferred, then each fragment, as
 * soon as its fields are there, the fragment around it was delivered, and so were the fields it shares with others. A
 * group is fetched for once it is announced: until then its object may still turn out to be null.
 *
 * The last part says so, whatever fails; an aborted execution has none. Nothing is called before this function has
 * returned. Everything else is as `execute` does it.
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

/** Something of a group that is being completed. */
type Completing = {
  readonly group: GroupId
  readonly completion: Completion
  readonly nulls: NullPaths | null
  /** How many errors there were before. */
  readonly before: number
}

class IncrementalRun implements IncrementalExecution {
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #options: IncrementalOptions
  readonly #listener: IncrementalListener
  readonly #delivery: DeliveryPlan
  readonly #fetching: Fetching
  readonly #paths: ErrorPaths
  readonly #errors: ResultErrors
  readonly #reported: GroupErrors
  readonly #noting: RecordDelivered
  readonly #progress: GroupProgress
  readonly #sources: DeliverySources
  readonly #announcements: Announcements
  #introspection: IntrospectionResult | null = null
  /** Fetches that a group needs which has been announced. */
  readonly #wanted: Set<FetchId>
  /** Groups for which something has been fetched. */
  readonly #begun = new Set<GroupId>([INITIAL_GROUP])
  /** Fetches whose errors were taken over. */
  readonly #heard = new Set<FetchId>()
  /** What was told of fragments that failed. */
  readonly #told = new FailureReasons()
  /** How often each of them was told again. */
  readonly #copies = new Map<ResponseError, number>()
  /** How many reasons were looked for that another part had told. */
  #retold = 0
  /** That were completed for the first part. */
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
    this.#fetching = new Fetching(graph, options, {
      hasFailedRoot: () => {
        const fetching = this.#fetching
        return hasFailedRootField(fetching, fetching.store, this.#initialShape(), fetching)
      },
      onAnswer: () => this.#deliver(),
      mayBegin: ({ id, group }) => {
        if (!this.#wanted.has(id) || (this.#isPaused && !this.#begun.has(group))) return false
        this.#begun.add(group)
        return true
      },
      objectsFor: ({ id, group }) =>
        group === 0 ? null : this.#progress.objectsFor(this.#delivery.needing(id)),
    })
    const { prepared, store, occurrences } = this.#fetching
    this.#paths = new ErrorPaths(graph, prepared, store, occurrences)
    const { client } = this.#paths
    this.#errors = new ResultErrors(prepared, store)
    const delivery = this.#delivery
    const pace = this.#fetching
    const { budget } = pace
    const delivered = new DeliveredObjects(occurrences)
    this.#noting = new RecordDelivered(delivery, occurrences, delivered, budget)
    this.#progress = new GroupProgress(plan.groups, delivery, occurrences, client, delivered, pace)
    this.#reported = new GroupErrors(plan, delivery, occurrences, delivered, this.#progress)
    this.#sources = { prepared, delivery, occurrences, delivered, progress: this.#progress, budget, pace }
    this.#announcements = announcementsFor(options.pendingPer ?? 'fragment', this.#sources)
  }

  start(): void {
    this.#fetching.start()
    // The caller gets its handle before the first part, even if nothing had to be fetched for it.
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

  /** Delivers all that is there, part by part. */
  *#deliver(): Task {
    if (this.#isStarting) return
    while (!this.#isPaused && !this.#fetching.isOver) {
      if (this.#progress.isOpen(INITIAL_GROUP)) {
        if (!this.#isSettled(INITIAL_GROUP)) break
        yield* this.#deliverInitial()
      } else {
        const next = this.#delivery.groups.find((group) => this.#isComplete(group))
        if (next === undefined) break
        yield* this.#deliverGroup(next)
      }
      if (!this.#fetching.isOver) yield* this.#fetching.proceed()
    }
  }

  #isComplete(group: DeliveryGroup): boolean {
    return (
      this.#progress.is(group.id, 'announced') && this.#isSettled(group.id) && this.#progress.isFree(group)
    )
  }

  #isSettled(group: GroupId): boolean {
    if (this.#plan.unreachable.length > 0) return true
    return this.#needs(group).every((id) => this.#fetching.store.isSettled(id))
  }

  /** Nothing has to be fetched for a fragment in a list that has no objects for it. */
  #needs(group: GroupId): readonly FetchId[] {
    return this.#progress.hasObjects(group) ? this.#delivery.needs(group) : []
  }

  *#deliverInitial(): Task {
    const result =
      this.#plan.unreachable.length > 0 ? unreachableResult(this.#plan) : yield* this.#initialResult()
    if (result.data === null) this.#progress.cancelAll()
    else yield* this.#noteRoot(result.data)
    const { pending, hasNext } = yield* this.#complete(INITIAL_GROUP)
    const contents = { values: this.#initialValues, errors: result.errors.length, paths: pending.length }
    this.#listener.initial({ ...result, pending, hasNext }, this.#weightOf(contents))
  }

  *#initialResult(): Task<ExecutionResult> {
    this.#introspection = introspected(this.#graph, this.#options)
    const shape = this.#initialShape()
    yield* this.#fetching.prepare(preparationsFor(this.#plan, shape))
    const completing = yield* this.#beginCompleting(INITIAL_GROUP)
    const { completion } = completing
    completion.beginData(shape)
    if (!completion.proceed(this.#fetching.slice)) yield completion
    this.#initialValues = completion.weight
    return { data: completion.result, errors: yield* this.#errorsOf(completing) }
  }

  *#deliverGroup(group: DeliveryGroup): Task {
    const pace = this.#fetching
    yield* pace.prepare(this.#delivery.preparations(group.id))
    const completing = yield* this.#beginCompleting(group.id)
    const result = yield* completeGroup(group, this.#sources, this.#announcements, completing.completion)
    const errors = yield* this.#errorsOf(completing)
    for (const { shape, occurrence, data } of result.leading)
      if (!this.#noting.begin(shape, occurrence, data).proceed(pace.slice)) yield this.#noting
    for (const { position, occurrence } of result.failures) {
      this.#progress.fail(group.id, position, occurrence)
      if (pace.isSpent(1)) yield NEXT_TURN
    }
    const announced = this.#announcements.of(group.id)
    const { incremental, rest } = yield* placeErrors(announced, result, errors, pace)
    const completed: CompletedEntry[] = []
    for (const { id } of announced) {
      const reasons = yield* this.#reasonsFor(result.failuresOf.get(id) ?? [], rest.get(id) ?? [])
      completed.push(reasons.length > 0 ? { id, errors: reasons } : { id })
    }
    const part = { incremental, completed, ...(yield* this.#complete(group.id)) }
    const contents = {
      values: completing.completion.weight,
      errors: errors.length + result.failures.length,
      paths: incremental.length + completed.length + part.pending.length,
    }
    this.#listener.subsequent(part, this.#weightOf(contents))
  }

  *#noteRoot(data: NonNullable<ExecutionResult['data']>): Task {
    this.#sources.delivered.add(ROOT_POSITION, 0)
    if (!this.#noting.begin(this.#plan.shape, 0, data).proceed(this.#fetching.slice)) yield this.#noting
  }

  /** Begins to complete something: all that was reported about it is known then. */
  *#beginCompleting(group: GroupId): Task<Completing> {
    for (const id of this.#needs(group)) {
      const reported = this.#hear(id)
      if (reported > 0 && this.#fetching.isSpent(reported * STEPS_PER_ERROR)) yield NEXT_TURN
    }
    // What is null matters only to errors that wait to be told.
    const nulls = this.#reported.isWaiting ? new NullPaths() : null
    return { group, nulls, before: this.#errors.list.length, completion: this.#completion(nulls) }
  }

  /** Of what is complete now: the errors that this group is the one to show. */
  *#errorsOf({ group, nulls, before }: Completing): Task<readonly ResponseError[]> {
    this.#errors.addShapeMismatches(this.#paths, this.#fetching.occurrences)
    const added = this.#errors.list.slice(before)
    return nulls === null ? added : [...(yield* this.#reported.take(group, nulls, this.#fetching)), ...added]
  }

  #completion(nulls: NullPaths | null): Completion {
    const errors: CompletionErrors = {
      add: (error) => this.#errors.add(error),
      explains: (fetch, path, objectMissing) => this.#errors.explains(fetch, path, objectMissing),
    }
    if (nulls !== null) errors.noteNull = (fetch, path, lack) => nulls.add(fetch, path, lack)
    return new Completion(this.#fetching, errors, this.#introspection)
  }

  /** Takes over what the answer to a fetch reported, for whichever group it is; how many errors those were. */
  #hear(id: FetchId): number {
    const fetch = this.#plan.fetches[id]
    if (fetch === undefined || this.#heard.has(id)) return 0
    this.#heard.add(id)
    const before = this.#errors.list.length
    this.#errors.addReported(fetch, this.#paths, this.#fetching.subgraphName(fetch))
    const reported = this.#errors.list.slice(before)
    if (reported.length === 0) return 0
    const isLost = this.#fetching.store.isLost(fetch)
    for (const error of reported) this.#reported.add(error, fetch, isLost)
    return reported.length
  }

  /**
   * An object of a fragment may fail because of something that another part has told; the client still has to learn that it
   * did, and why. `own`: what this part has to tell.
   */
  *#reasonsFor(failures: readonly Failure[], own: readonly ResponseError[]): Task<readonly ResponseError[]> {
    if (failures.length === 0) return own
    const pace = this.#fetching
    const explained = new FailureReasons()
    yield* explained.add(own, pace)
    const reasons = new Set(own)
    for (const { path, at } of failures) {
      if (pace.isSpent(1 + path.length)) yield NEXT_TURN
      if (explained.of(path).length > 0) continue
      if (this.#retold >= MAX_FOUND && reasons.size > 0) break
      for (const violation of yield* this.#violations(at)) {
        const told = this.#told.of(violation.path ?? [])
        if (pace.isSpent(1 + told.length)) yield NEXT_TURN
        const repeated = this.#stillRepeated(told)
        for (const reason of repeated.length > 0 ? repeated : [violation]) reasons.add(reason)
        this.#retold++
      }
    }
    yield* this.#told.add(reasons, pace)
    return [...reasons]
  }

  /** Messages of subgraphs are as long as they like, so that each is repeated only so often. */
  #stillRepeated(told: readonly ResponseError[]): readonly ResponseError[] {
    return told.filter((reason) => {
      const copies = (this.#copies.get(reason) ?? 0) + 1
      this.#copies.set(reason, copies)
      return copies <= MAX_COPIES
    })
  }

  /** What keeps an object from being completed, as if nobody had told anything of it. */
  *#violations({ shape, occurrence, path }: ObjectPart): Task<readonly ResponseError[]> {
    const errors: ResponseError[] = []
    const add = (error: ResponseError): void => {
      if (errors.length === 0 || this.#retold + errors.length < MAX_FOUND) errors.push(error)
    }
    const completion = new Completion(this.#fetching, { add, explains: () => false }, this.#introspection)
    completion.beginObject(shape, occurrence, path)
    if (!completion.proceed(this.#fetching.slice)) yield completion
    return errors
  }

  #weightOf(contents: ResponseContents): number {
    return weightOf(this.#fetching.prepared.keyWeight, contents)
  }

  /** Marks a group as delivered: others may be announced now, or the response is over. */
  *#complete(id: GroupId): Task<Pick<InitialResult, 'pending' | 'hasNext'>> {
    this.#progress.complete(id)
    const pending = yield* this.#announce()
    const hasNext = this.#delivery.groups.some((group) => this.#progress.is(group.id, 'announced'))
    if (!hasNext) this.#fetching.end()
    return { pending, hasNext }
  }

  *#announce(): Task<readonly PendingFragment[]> {
    const pending: PendingFragment[] = []
    let isAnySilent: boolean
    do {
      isAnySilent = false
      for (const group of yield* this.#progress.announce()) {
        const announcing = this.#announcements.announce(group)
        if (announcing !== null) yield* announcing
        const announced = this.#announcements.of(group.id)
        if (announced.length === 0) {
          // There is nothing to deliver, and there may be others that waited for it.
          this.#progress.complete(group.id)
          isAnySilent = true
          continue
        }
        for (const one of announced) pending.push(pendingFragment(one, group))
        for (const needed of this.#needs(group.id)) this.#wanted.add(needed)
      }
    } while (isAnySilent)
    return pending
  }

  #initialShape() {
    return this.#delivery.projections(INITIAL_GROUP, NONE_LOST).part(this.#plan.shape)
  }
}

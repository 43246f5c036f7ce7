import type { Graph } from '../graph/graph.ts'
import type { IntrospectionResult } from '../introspection/introspect.ts'
import type { FetchId, Group, GroupId, Plan } from '../plan/plan.ts'
import type { Completion, CompletionErrors } from './complete.ts'
import type { SlicedWork } from '../work/slices.ts'
import { type Announcements, announcementsFor, pendingFragment } from './announcements.ts'
import type {
  CompletedEntry,
  ExecutionResult,
  IncrementalListener,
  IncrementalOptions,
  PendingFragment,
  ResponseError,
} from './contract.ts'
import { DeliveredObjects } from './delivered-objects.ts'
import { type DeliveryPlan, planDelivery } from './delivery-plan.ts'
import { ErrorPaths, MAX_COPIES } from './error-paths.ts'
import { type Execution, introspected, unreachableResult } from './execute.ts'
import { FailureReasons } from './failure-reasons.ts'
import { Fetching, type Task } from './fetching.ts'
import { completeFragment, type Failure, type ObjectPart } from './fragment-completion.ts'
import type { FragmentSources } from './fragment-objects.ts'
import { FragmentErrors } from './fragment-errors.ts'
import { FragmentProgress } from './fragment-progress.ts'
import { PartNulls } from './part-nulls.ts'
import { placeErrors } from './place-errors.ts'
import { preparationsFor } from './preparations.ts'
import { NONE_LOST } from './projections.ts'
import { ResultErrors } from './result-errors.ts'
import { type Contents, weightOf } from './weight.ts'

export type IncrementalExecution = Execution & {
  /** From now on no part is delivered, and no fetch of a group begins of which none has begun. */
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

class IncrementalRun implements IncrementalExecution {
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #options: IncrementalOptions
  readonly #listener: IncrementalListener
  readonly #delivery: DeliveryPlan
  readonly #fetching: Fetching
  readonly #paths: ErrorPaths
  readonly #errors: ResultErrors
  readonly #reported: FragmentErrors
  readonly #delivered: DeliveredObjects
  readonly #progress: FragmentProgress
  readonly #sources: FragmentSources
  readonly #announcements: Announcements
  #introspection: IntrospectionResult | null = null
  /** Fetches that a group needs which has been announced. */
  readonly #wanted: Set<FetchId>
  /** Groups for which something has been fetched. */
  readonly #begun = new Set<GroupId>([0])
  /** Fetches whose errors were taken over. */
  readonly #heard = new Set<FetchId>()
  /** Of all fragments so far; null while none failed. */
  #told: FailureReasons | null = null
  /** How often each of them was told again. */
  readonly #copies = new Map<ResponseError, number>()
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
    this.#wanted = new Set(this.#delivery.needs(0))
    this.#fetching = new Fetching(graph, options, {
      shape: this.#initialShape(),
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
    this.#delivered = new DeliveredObjects(this.#delivery, occurrences)
    this.#progress = new FragmentProgress(plan.groups, this.#delivery, occurrences, client, this.#delivered)
    this.#reported = new FragmentErrors(plan, this.#delivery, occurrences, this.#delivered, this.#progress)
    this.#sources = {
      prepared,
      delivery: this.#delivery,
      occurrences,
      delivered: this.#delivered,
      progress: this.#progress,
    }
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
      if (this.#progress.isOpen(0)) {
        if (!this.#isSettled(0)) break
        yield* this.#deliverInitial()
      } else {
        const next = this.#delivery.groups.find((group) => this.#isComplete(group))
        if (next === undefined) break
        this.#deliverGroup(next)
      }
      if (!this.#fetching.isOver) yield* this.#fetching.proceed()
    }
  }

  #isComplete(group: Group): boolean {
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
    else this.#delivered.note(this.#plan.shape, 0, result.data)
    const { pending, hasNext } = this.#complete(0)
    const contents = { values: this.#initialValues, errors: result.errors.length, paths: pending.length }
    this.#listener.initial({ ...result, pending, hasNext }, this.#weightOf(contents))
  }

  *#initialResult(): Generator<SlicedWork, ExecutionResult> {
    this.#introspection = introspected(this.#graph, this.#options)
    const shape = this.#initialShape()
    yield* this.#fetching.prepare(preparationsFor(this.#plan, shape))
    const completing = this.#beginCompleting(0)
    const { completion } = completing
    completion.beginData(shape)
    if (!completion.proceed(this.#fetching.slice)) yield completion
    this.#initialValues = completion.weight
    return { data: completion.result, errors: completing.errors() }
  }

  #deliverGroup(group: Group): void {
    const completing = this.#beginCompleting(group.id)
    const result = completeFragment(group, this.#sources, this.#announcements, completing.completion)
    const errors = completing.errors()
    for (const { shape, occurrence, data } of result.leading)
      this.#delivered.noteWithin(shape, occurrence, data)
    for (const { position, occurrence } of result.failures)
      this.#progress.fail(group.id, position, occurrence)
    const announced = this.#announcements.of(group.id)
    const { incremental, rest } = placeErrors(announced, result, errors)
    const failures = Map.groupBy(result.failures, (failure) => failure.announced.id)
    const completed = announced.map(({ id }): CompletedEntry => {
      const reasons = this.#reasonsFor(failures.get(id) ?? [], rest.get(id) ?? [])
      return reasons.length > 0 ? { id, errors: reasons } : { id }
    })
    const part = { incremental, completed, ...this.#complete(group.id) }
    const paths = incremental.length + completed.length + part.pending.length
    const contents = {
      values: completing.completion.weight,
      errors: errors.length + result.failures.length,
      paths,
    }
    this.#listener.part(part, this.#weightOf(contents))
  }

  /** Begins to complete something; `errors`: once it is complete, those that this group is the one to show. */
  #beginCompleting(group: GroupId) {
    for (const id of this.#needs(group)) this.#hear(id)
    const before = this.#errors.list.length
    // What is null matters only to errors that wait to be told.
    const nulls = this.#reported.isWaiting ? new PartNulls() : null
    const errors = (): readonly ResponseError[] => {
      this.#errors.addShapeMismatches(this.#paths, this.#fetching.occurrences)
      const added = this.#errors.list.slice(before)
      return nulls === null ? added : [...this.#reported.take(group, nulls), ...added]
    }
    return { completion: this.#completion(nulls), errors }
  }

  #completion(nulls: PartNulls | null): Completion {
    const errors: CompletionErrors = {
      add: (error) => this.#errors.add(error),
      explains: (fetch, path, objectMissing) => this.#errors.explains(fetch, path, objectMissing),
    }
    if (nulls !== null) errors.noteNull = (fetch, path, lack) => nulls.add(fetch, path, lack)
    return this.#fetching.completion(errors, this.#introspection)
  }

  /** Takes over what the answer to a fetch reported, for whichever group it is. */
  #hear(id: FetchId): void {
    const fetch = this.#plan.fetches[id]
    if (fetch === undefined || this.#heard.has(id)) return
    this.#heard.add(id)
    const before = this.#errors.list.length
    this.#errors.addReported(fetch, this.#paths, this.#fetching.subgraphName(fetch))
    const reported = this.#errors.list.slice(before)
    if (reported.length === 0) return
    const isLost = this.#fetching.store.isLost(fetch)
    for (const error of reported) this.#reported.add(error, fetch, isLost)
  }

  /**
   * An object of a fragment may fail because of something that another part has told; the client still has to learn that it
   * did, and why. `own`: what this part has to tell.
   */
  #reasonsFor(failures: readonly Failure[], own: readonly ResponseError[]): readonly ResponseError[] {
    if (failures.length === 0) return own
    const explained = new FailureReasons(own)
    const reasons = new Set(own)
    for (const { path, at } of failures) {
      if (explained.of(path).length > 0) continue
      for (const violation of this.#violations(at)) {
        const told = this.#toldOf(violation)
        for (const reason of told.length > 0 ? told : [violation]) reasons.add(reason)
      }
    }
    this.#told ??= new FailureReasons()
    this.#told.add([...reasons])
    return [...reasons]
  }

  /** Messages of subgraphs are as long as they like, so that each is repeated only so often. */
  #toldOf({ path }: ResponseError): readonly ResponseError[] {
    const told = this.#told?.of(path ?? []) ?? []
    return told.filter((reason) => {
      const copies = (this.#copies.get(reason) ?? 0) + 1
      this.#copies.set(reason, copies)
      return copies <= MAX_COPIES
    })
  }

  /** What keeps an object from being completed, as if nobody had told anything of it. */
  #violations({ shape, occurrence, path }: ObjectPart): readonly ResponseError[] {
    const errors: ResponseError[] = []
    this.#fetching
      .completion({ add: (error) => errors.push(error), explains: () => false }, this.#introspection)
      .object(shape, occurrence, path)
    return errors
  }

  #weightOf(contents: Contents): number {
    return weightOf(this.#fetching.prepared.keyWeight, contents)
  }

  /** Marks a group as delivered: others may be announced now, or the response is over. */
  #complete(id: GroupId) {
    this.#progress.complete(id)
    const pending = this.#announce()
    const hasNext = this.#delivery.groups.some((group) => this.#progress.is(group.id, 'announced'))
    if (!hasNext) this.#fetching.end()
    return { pending, hasNext }
  }

  #announce(): readonly PendingFragment[] {
    const pending: PendingFragment[] = []
    let isAnySilent: boolean
    do {
      isAnySilent = false
      for (const group of this.#progress.announce()) {
        const announced = this.#announcements.announce(group)
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
    return this.#delivery.projections(0, NONE_LOST).part(this.#plan.shape)
  }
}

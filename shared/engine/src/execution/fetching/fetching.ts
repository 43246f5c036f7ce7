import type { Graph } from '../../graph/graph.ts'
import type { FetchId } from '../../ids/ids.ts'
import type { Fetch, Plan } from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import { AT_ONCE, type ExecutionWork } from '../../work/execution-work.ts'
import { type Pace, SLICE_STEPS, type SlicedWork, type Task } from '../../work/slices.ts'
import { type Answer, failed, NO_ANSWER, readReply } from '../joining/answer.ts'
import type { ExecuteOptions } from '../contract/options.ts'
import type { SubgraphReply } from '../contract/subgraph-calls.ts'
import { Occurrences } from '../joining/occurrences.ts'
import { type EntitiesPart, type PreparedPlan, preparePlan } from '../joining/prepared-plan.ts'
import { type Preparation, preparationsForPart } from '../joining/preparations.ts'
import { representationSources } from './representation-sources.ts'
import {
  type ObjectFilter,
  type Representations,
  RepresentationsWork,
  TooLargeToSend,
} from './representations.ts'
import { RequestBodies } from './request-body.ts'
import { ResponseStore } from '../joining/response-store.ts'
import { type TypeFacts, typeFacts } from '../joining/type-facts.ts'

/** The functions that decide about fetches, and those that are called after their answers. */
export type FetchingHooks = {
  /** Whether a root field of a mutation has failed such that the root fields after it are not executed. */
  readonly hasFailedRoot: () => Task<boolean>
  /** Called after each answer, when every fetch that waited for it has begun. Never called within `start`. */
  readonly onAnswer: () => Task
  /** Whether a fetch may begin, after those that it waits for have answered. If not, `proceed` asks again. */
  readonly mayBegin?: (fetch: Fetch) => boolean
  /** The representations of a part, if generated code can collect them for all objects; otherwise null. */
  readonly representationsOf: (part: EntitiesPart) => Representations | null
  /** Accepts the objects for which a fetch is needed; null if it is needed for all. */
  readonly objectsFor?: (fetch: Fetch) => ObjectFilter | null
}

/**
 * Starts the fetches of a plan, each as soon as the fetches that it waits for have answered, and keeps the
 * answers.
 *
 * All work of an execution runs here as tasks, one after the other: a task that takes long yields, and goes
 * on in a later turn of the event loop, while other tasks wait. So nothing changes between two slices of a
 * task.
 */
export class Fetching implements Pace {
  readonly plan: Plan
  readonly prepared: PreparedPlan
  readonly facts: TypeFacts
  readonly store: ResponseStore
  readonly occurrences: Occurrences
  readonly #graph: Graph
  readonly #options: ExecuteOptions
  readonly #hooks: FetchingHooks
  readonly #bodies: RequestBodies
  /** Rendered representations, kept under the first of several parts that send the same ones. */
  readonly #rendered = new Map<EntitiesPart, Representations>()
  /** The number of fetches that each fetch waits for and that are not settled yet, indexed by fetch id. */
  readonly #waiting: number[]
  readonly #ready: FetchId[] = []
  /** Fetches that are ready, and that `mayBegin` refused. */
  readonly #held: FetchId[] = []
  #unsettled: number
  /** A non-null root field of a mutation failed, so the response is null, and no further fetch is made. */
  #halted = false
  #over = false
  /** The steps of the budget that were spent when this turn began. */
  #spent = 0
  readonly #work: ExecutionWork
  /** Whether a task is under way, so that others wait. */
  #busy = false
  readonly #tasks: (() => Task)[] = []

  constructor(graph: Graph, options: ExecuteOptions, hooks: FetchingHooks) {
    const { plan } = options
    this.#graph = graph
    this.plan = plan
    this.#options = options
    this.#hooks = hooks
    this.prepared = preparePlan(plan)
    this.facts = typeFacts(graph)
    this.store = new ResponseStore(plan)
    this.occurrences = new Occurrences(plan, this.store, this.facts, (options.work ?? AT_ONCE).budget)
    this.#bodies = new RequestBodies(this.prepared, options.variables)
    this.#waiting = plan.fetches.map(({ after }) => after.length)
    this.#unsettled = plan.fetches.length
    this.#work = options.work ?? AT_ONCE
  }

  get isOver(): boolean {
    return this.#over
  }

  /** Whether every fetch is settled. */
  get isDone(): boolean {
    return this.#unsettled === 0
  }

  start(): void {
    const { signal } = this.#options
    if (signal?.aborted === true) {
      this.#over = true
      return
    }
    signal?.addEventListener('abort', this.#onAbort)
    if (this.plan.unreachable.length > 0) {
      this.#unsettled = 0
      return
    }
    for (const { id, after } of this.plan.fetches) if (after.length === 0) this.#ready.push(id)
    this.run(() => this.#advance())
  }

  /** Ends the execution: no fetch is started any more, and answers that are still to come are ignored. */
  end(): void {
    this.#over = true
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.end()

  /** Runs a task after those that wait already. */
  run(task: () => Task): void {
    if (this.#over) return
    this.#tasks.push(task)
    if (this.#busy) return
    this.#busy = true
    this.#spent = this.#work.budget.spent
    this.guarded(() => this.#drive())
  }

  get slice(): number {
    const { slice = SLICE_STEPS, budget } = this.#work
    return Math.max(0, this.#spent + slice - budget.spent)
  }

  #drive(): void {
    for (let begin = this.#tasks.shift(); begin !== undefined; begin = this.#tasks.shift()) {
      const task = begin()
      if (!this.#goOn(task, task.next())) return
    }
    this.#busy = false
  }

  /** Returns false if the task waits for work that it yielded, or if the execution is over. */
  #goOn(task: Task, step: IteratorResult<SlicedWork, void>): boolean {
    if (this.#over) return false
    if (step.done === true) return true
    void this.#finish(step.value, task)
    return false
  }

  async #finish(work: SlicedWork, task: Task): Promise<void> {
    do await this.#work.turns.next()
    while (!this.#over && !this.#hasTakenTurn(work, task))
  }

  /** Takes a turn with work that a task yielded. Returns whether the work is done. */
  #hasTakenTurn(work: SlicedWork, task: Task): boolean {
    this.#spent = this.#work.budget.spent
    let isDone = true
    this.guarded(() => {
      isDone = this.#proceedWith(work, task)
    })
    return isDone
  }

  #proceedWith(work: SlicedWork, task: Task): boolean {
    let failure: { readonly error: unknown } | null = null
    try {
      if (!work.proceed(this.slice)) return false
    } catch (error) {
      failure = { error }
    }
    // The task may know what to do if the work that it yielded failed.
    const step = failure === null ? task.next() : task.throw(failure.error)
    if (this.#goOn(task, step)) this.#drive()
    return true
  }

  /** Begins the fetches that were refused before and may begin now. */
  *proceed(): Task {
    this.#ready.push(...this.#held.splice(0))
    yield* this.#advance()
  }

  /**
   * Begins the fetches that are ready, including those that become ready because another one has nothing to
   * ask.
   */
  *#advance(): Task {
    for (let id = this.#ready.shift(); id !== undefined && !this.#over; id = this.#ready.shift()) {
      const fetch = this.plan.fetches[id]
      if (fetch === undefined) continue
      if (this.#hooks.mayBegin?.(fetch) === false) this.#held.push(id)
      else yield* this.#begin(fetch)
    }
  }

  *#begin(fetch: Fetch): Task {
    if (!this.#halted && fetch.operation === 'mutation' && fetch.after.length > 0)
      this.#halted = yield* this.#hooks.hasFailedRoot()
    const body = this.#halted ? NO_ANSWER : yield* this.#renderOrFail(fetch)
    if (typeof body === 'string') this.#call(fetch, this.subgraphName(fetch), body)
    else this.#settle(fetch, body)
  }

  /** The request body, or the answer that stands for the fetch if no request is made. */
  *#renderOrFail(fetch: Fetch): Task<string | Answer> {
    try {
      return (yield* this.#render(fetch)) ?? NO_ANSWER
    } catch (error) {
      const isTooLarge = error instanceof TooLargeToSend
      // Values that nest deeper than the call stack reaches can be received, but not be printed again.
      if (!isTooLarge && !(error instanceof RangeError)) throw error
      const why = isTooLarge ? 'is more than a request may hold' : 'nests too deeply to be sent'
      const message = `What subgraph "${this.subgraphName(fetch)}" needs to know ${why}.`
      return failed('SUBGRAPH_REQUEST_INVALID', message)
    }
  }

  #call(fetch: Fetch, subgraph: string, body: string): void {
    const { recorder } = this.#options
    if (recorder !== undefined)
      recorder.rendered(fetch, body, representationSources(fetch, this.occurrences, this.store))
    let answered = false
    let starting = true
    const take = (reply: SubgraphReply): void => this.run(() => this.#take(fetch, readReply(reply, subgraph)))
    const receive = (reply: SubgraphReply): void => {
      if (answered) return
      answered = true
      if (starting) queueMicrotask(() => take(reply))
      else take(reply)
    }
    try {
      this.#options.fetch({ fetch, subgraph, body }, receive)
    } catch (error) {
      this.#options.onDefect?.(error, false)
      // The error may name addresses, which are not shown to clients.
      receive({
        kind: 'failure',
        code: 'SUBGRAPH_CALL_FAILED',
        message: `The call to subgraph "${subgraph}" could not be made.`,
      })
    }
    starting = false
  }

  *#take(fetch: Fetch, answer: Answer): Task {
    this.#settle(fetch, answer)
    yield* this.#advance()
    yield* this.#hooks.onAnswer()
  }

  /** Does something, and ends the execution if that throws, so that nobody is left waiting for it. */
  guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.end()
      const { onDefect } = this.#options
      if (onDefect === undefined) throw error
      onDefect(error, true)
    }
  }

  /** The request body; null if there is nothing to ask. */
  *#render(fetch: Fetch): Task<string | null> {
    const lists = new Map<string, string>()
    const isWanted = this.#hooks.objectsFor?.(fetch) ?? null
    let needed = false
    for (const [index, part] of fetch.parts.entries()) {
      if (part.kind === 'root') {
        needed ||= this.occurrences.mayExist(part.at)
        continue
      }
      const { list, count, links } = yield* this.#representations(part, isWanted)
      this.store.sent(fetch.id, index, count)
      for (const [input, { at, slot }] of part.inputs.entries()) {
        const link = links[input]
        if (link !== undefined) this.store.link(at, slot, link)
      }
      lists.set(part.variable, list)
      needed ||= count > 0
    }
    return needed ? this.#bodies.render(fetch, lists) : null
  }

  /**
   * Renders representations, or finds those that another part has sent already: fetches often ask about the
   * same objects.
   */
  *#representations(part: EntitiesPart, isWanted: ObjectFilter | null): Task<Representations> {
    const first = isWanted === null ? this.prepared.alike.get(part) : undefined
    const known = first === undefined ? undefined : this.#rendered.get(first)
    if (known !== undefined) return known
    const usual = isWanted === null ? this.#hooks.representationsOf(part) : null
    const representations = usual ?? (yield* this.#collected(part, isWanted))
    if (first !== undefined) this.#rendered.set(first, representations)
    return representations
  }

  *#collected(part: EntitiesPart, isWanted: ObjectFilter | null): Task<Representations> {
    yield* this.prepare(preparationsForPart(this.plan, part))
    const work = new RepresentationsWork(part, this.occurrences, isWanted, this.#work.budget)
    if (!work.proceed(this.slice)) yield work
    return work.representations
  }

  get budget(): WorkBudget {
    return this.#work.budget
  }

  isSpent(steps: number): boolean {
    this.#work.budget.step(steps)
    return this.slice === 0
  }

  /** Builds occurrence tables, if they are not there yet. */
  *prepare(preparations: readonly Preparation[]): Task {
    for (const preparation of preparations) {
      const work = this.occurrences.prepare(preparation)
      if (work !== null && !work.proceed(this.slice)) yield work
    }
  }

  #settle(fetch: Fetch, answer: Answer): void {
    this.store.settle(fetch.id, answer)
    this.#options.recorder?.settled(fetch, answer.failure)
    this.#unsettled--
    for (const dependent of this.prepared.dependents[fetch.id] ?? []) {
      const left = (this.#waiting[dependent] ?? 1) - 1
      this.#waiting[dependent] = left
      if (left === 0) this.#ready.push(dependent)
    }
  }

  subgraphName({ subgraph }: Fetch): string {
    return this.#graph.compiled.subgraphs[subgraph]?.name ?? `subgraph ${subgraph}`
  }
}

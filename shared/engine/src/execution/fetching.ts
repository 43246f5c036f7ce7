import type { Graph } from '../graph/graph.ts'
import type { IntrospectionResult } from '../introspection/introspect.ts'
import type { Fetch, FetchId, ObjectShape, Plan } from '../plan/plan.ts'
import { type Answer, failed, NO_ANSWER, readReply } from './answer.ts'
import { Completion, type CompletionErrors } from './complete.ts'
import type { ExecuteOptions, SubgraphReply } from './contract.ts'
import { Occurrences } from './occurrences.ts'
import { type EntitiesPart, type PreparedPlan, preparePlan } from './prepared-plan.ts'
import { renderedFrom } from './rendered-from.ts'
import { type ObjectFilter, type Representations, renderRepresentations } from './representations.ts'
import { RequestBodies } from './request-body.ts'
import { ResponseStore } from './response-store.ts'
import { type TypeFacts, typeFacts } from './type-facts.ts'

export type FetchingHooks = {
  /** What is delivered first: a mutation stops when a non-null field of its root fails. */
  readonly shape: ObjectShape
  /** Called after each answer, when everything that could begin because of it has begun. Never within `start`. */
  readonly onAnswer: () => void
  /** Whether a fetch whose data is there may begin; one that may not is asked about again by `proceed`. */
  readonly mayBegin?: (fetch: Fetch) => boolean
  /** For which objects a fetch that begins is needed; null: for all. */
  readonly objectsFor?: (fetch: Fetch) => ObjectFilter | null
}

/** Starts the fetches of a plan, each as soon as those it waits for have answered, and keeps what they answered. */
export class Fetching {
  readonly prepared: PreparedPlan
  readonly store: ResponseStore
  readonly occurrences: Occurrences
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #options: ExecuteOptions
  readonly #hooks: FetchingHooks
  readonly #facts: TypeFacts
  readonly #bodies: RequestBodies
  /** By the first of several parts that send the same. */
  readonly #rendered = new Map<EntitiesPart, Representations>()
  /** By fetch: how many of those it waits for are not settled yet. */
  readonly #waiting: number[]
  readonly #ready: FetchId[] = []
  /** Ready, but not allowed to begin. */
  readonly #held: FetchId[] = []
  #unsettled: number
  /** A mutation's non-null root field failed: nothing more is started, as the response is null already. */
  #halted = false
  #over = false
  #advancing = false

  constructor(graph: Graph, options: ExecuteOptions, hooks: FetchingHooks) {
    const { plan } = options
    this.#graph = graph
    this.#plan = plan
    this.#options = options
    this.#hooks = hooks
    this.prepared = preparePlan(plan)
    this.#facts = typeFacts(graph)
    this.store = new ResponseStore(plan)
    this.occurrences = new Occurrences(plan, this.store, this.#facts)
    this.#bodies = new RequestBodies(this.prepared, options.variables)
    this.#waiting = plan.fetches.map(({ after }) => after.length)
    this.#unsettled = plan.fetches.length
  }

  get isOver(): boolean {
    return this.#over
  }

  /** Nothing is under way, and nothing will be. */
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
    if (this.#plan.unreachable.length > 0) {
      this.#unsettled = 0
      return
    }
    for (const { id, after } of this.#plan.fetches) if (after.length === 0) this.#ready.push(id)
    this.#advance()
  }

  /** Nothing more is started, and answers that are still to come are ignored. */
  end(): void {
    this.#over = true
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.end()

  /** Looks again at the fetches that were not allowed to begin. */
  proceed(): void {
    this.#ready.push(...this.#held.splice(0))
    this.#advance()
  }

  /** Starts what is ready, including what becomes ready because a fetch turns out to have nothing to ask. */
  #advance(): void {
    if (this.#advancing) return
    this.#advancing = true
    for (let id = this.#ready.shift(); id !== undefined && !this.#over; id = this.#ready.shift()) {
      const fetch = this.#plan.fetches[id]
      if (fetch === undefined) continue
      if (this.#hooks.mayBegin?.(fetch) === false) this.#held.push(id)
      else this.#begin(fetch)
    }
    this.#advancing = false
  }

  #begin(fetch: Fetch): void {
    this.#halted ||= fetch.operation === 'mutation' && fetch.after.length > 0 && this.#hasFailedRoot()
    if (this.#halted) return this.#settle(fetch, NO_ANSWER)
    const subgraph = this.subgraphName(fetch)
    let body: string | null
    try {
      body = this.#render(fetch)
    } catch (error) {
      // Values nested deeper than the call stack reaches can be received, but not be written again.
      if (!(error instanceof RangeError)) throw error
      const message = `What subgraph "${subgraph}" needs to know nests too deeply to be sent.`
      return this.#settle(fetch, failed('SUBGRAPH_REQUEST_INVALID', message))
    }
    if (body === null) return this.#settle(fetch, NO_ANSWER)
    const { recorder } = this.#options
    if (recorder !== undefined)
      recorder.rendered(fetch, body, renderedFrom(fetch, this.occurrences, this.store))
    let answered = false
    const take = (answer: Answer): void => {
      if (this.#over) return
      this.guarded(() => {
        this.#settle(fetch, answer)
        this.#advance()
        this.#hooks.onAnswer()
      })
    }
    let starting = true
    const receive = (reply: SubgraphReply): void => {
      if (answered) return
      answered = true
      if (starting) queueMicrotask(() => take(readReply(reply, subgraph)))
      else take(readReply(reply, subgraph))
    }
    try {
      this.#options.fetch({ fetch, subgraph, body }, receive)
    } catch (error) {
      this.#options.onDefect?.(error, false)
      // What was thrown may name addresses, which are not for clients.
      receive({
        kind: 'failure',
        code: 'SUBGRAPH_CALL_FAILED',
        message: `The call to subgraph "${subgraph}" could not be made.`,
      })
    }
    starting = false
  }

  /** An unforeseen error ends the execution; nobody may be left waiting for it. */
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
  #render(fetch: Fetch): string | null {
    const lists = new Map<string, string>()
    const isWanted = this.#hooks.objectsFor?.(fetch) ?? null
    let needed = false
    for (const part of fetch.parts) {
      if (part.kind === 'root') {
        needed ||= this.occurrences.mayExist(part.at)
        continue
      }
      const { list, count, links } = this.#representations(part, isWanted)
      for (const [index, { at, slot }] of part.inputs.entries()) {
        const link = links[index]
        if (link !== undefined) this.store.link(at, slot, link)
      }
      lists.set(part.variable, list)
      needed ||= count > 0
    }
    return needed ? this.#bodies.render(fetch, lists) : null
  }

  /** Subgraphs are often asked about the same objects: what one of them is sent is rendered once. */
  #representations(part: EntitiesPart, isWanted: ObjectFilter | null): Representations {
    const first = isWanted === null ? this.prepared.alike.get(part) : undefined
    if (first === undefined) return renderRepresentations(part, this.occurrences, isWanted)
    const known = this.#rendered.get(first)
    if (known !== undefined) return known
    const representations = renderRepresentations(part, this.occurrences, null)
    this.#rendered.set(first, representations)
    return representations
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

  /**
   * "If a non-null root field fails, the remaining ones are not executed", https://spec.graphql.org/draft/#sec-Mutation.
   * The plan lets a mutation wait for everything below the fields before it, so those can be completed by now.
   */
  #hasFailedRoot(): boolean {
    const completion = this.completion({ add: () => {}, explains: () => true }, null)
    return this.#hooks.shape.cases.some(({ fields }) =>
      fields.some(
        (field) =>
          field.kind === 'field' &&
          field.nonNull &&
          this.#plan.fetches[field.fetch]?.operation === 'mutation' &&
          this.store.isSettled(field.fetch) &&
          completion.failsRoot(field),
      ),
    )
  }

  completion(errors: CompletionErrors, introspection: IntrospectionResult | null): Completion {
    return new Completion(this.#plan, this.#facts, this.occurrences, errors, introspection)
  }

  subgraphName({ subgraph }: Fetch): string {
    return this.#graph.compiled.subgraphs[subgraph]?.name ?? `subgraph ${subgraph}`
  }
}

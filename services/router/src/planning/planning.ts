/**
 * Makes the plans that requests wait for.
 *
 * Most plans are made at once on the serving thread, within a number of steps that takes a few milliseconds.
 * An operation that needs more goes to a planning thread, where time limits it, so that no other request
 * waits. All new plans share one budget of computing time per process, or else clients that make up
 * operations could keep the router busy with planning. The budget and the threads are divided fairly among
 * clients.
 */
import { type Plan, PlanningError, planOperation } from '@switchyard/engine'
import type { CreateWorker } from '@switchyard/worker-host'
import { type ClientLookup, type Client, ROUTER_ITSELF } from '../fairness/client.ts'
import { MAIN_THREAD_STEPS, type PlanningConfig } from './settings.ts'
import { HttpError } from '../errors/http-error.ts'
import type { PlannedOperation, PlanningEvents } from './events.ts'
import type { CachedOperation } from '../operation/operation-cache.ts'
import {
  type PlanChoice,
  type PlanInMaking,
  type PlanVariant,
  planVariant,
} from '../operation/operation-plans.ts'
import type { PackedGraph } from './packed-graph.ts'
import { PlanningBudget } from './planning-budget.ts'
import type { PlanningClock } from './planning-clock.ts'
import type { NumberedGraph } from './planning-thread.ts'
import { type JobEnd, PlanningThreads } from './planning-threads.ts'

/** The parts that planning works with. */
export type PlanningOptions = {
  readonly config: PlanningConfig
  readonly events: PlanningEvents
  readonly clock: PlanningClock
  /** The steps that the serving thread tries. Tests have fewer. */
  readonly mainThreadSteps?: number
  readonly createWorker?: CreateWorker
}

/** Milliseconds between two log lines about refused operations. */
const OVERLOAD_LOG_MS = 10_000

/** Makes the plans of all graphs of a router. */
export class Planning implements AsyncDisposable {
  readonly #options: PlanningOptions
  readonly #budget: PlanningBudget
  readonly #threads: PlanningThreads
  /**
   * Number of plans that were known (`hits`), were being made for another request (`joined`), or had to be
   * made (`misses`).
   */
  readonly lookups = { hits: 0, joined: 0, misses: 0 }
  #lastGraph = 0
  #refused = 0
  #refusalsLoggedAt = Number.NEGATIVE_INFINITY

  constructor(options: PlanningOptions) {
    const { config, clock, createWorker } = options
    this.#options = options
    this.#budget = new PlanningBudget(config.budget, () => clock.now())
    this.#threads = new PlanningThreads({
      count: config.threads,
      timeLimit: config.timeLimit,
      createWorker,
    })
  }

  /** The caller disposes of the planner when nothing is planned on this graph any more. */
  open(packed: PackedGraph, artifact: string): GraphPlanner {
    const numbered: NumberedGraph = { id: ++this.#lastGraph, packed }
    return {
      plan: (entry, variables, chosen, lookUpClient) => {
        const variant = planVariant(entry.operation, variables, chosen)
        return this.#plan({ numbered, artifact, entry, variant }, lookUpClient)
      },
      [Symbol.dispose]: () => this.#threads.forget(numbered),
    }
  }

  #plan(wanted: WantedPlan, lookUpClient: ClientLookup): Plan | Promise<Plan> {
    const { entry, variant } = wanted
    const known = entry.plans.get(variant)
    if (known !== null) {
      this.lookups.hits++
      return known
    }
    const client = lookUpClient()
    const inMaking = entry.plans.inMaking(variant)
    if (inMaking !== null) {
      this.lookups.joined++
      inMaking.join(client)
      return inMaking.plan
    }
    this.lookups.misses++
    if (!this.#mayPlan(client)) this.#refuse(client)
    const plan = entry.plans.long ? null : this.#planHere(wanted, client)
    return plan ?? entry.plans.wait(variant, this.#planElsewhere(wanted, client))
  }

  /** Operations that wait for a planning thread. */
  get waiting(): number {
    return this.#threads.waiting
  }

  /** Null if the plan takes too many steps for the serving thread. */
  #planHere(wanted: WantedPlan, client: Client): Plan | null {
    const { config, events, clock, mainThreadSteps = MAIN_THREAD_STEPS } = this.#options
    const { entry, variant } = wanted
    const started = clock.cpu()
    let made: Plan | PlanningError | null
    let milliseconds = 0
    try {
      made = planWithin(wanted, mainThreadSteps, config)
    } finally {
      milliseconds = clock.cpu() - started
      this.#charge(client, milliseconds)
    }
    if (made === null) {
      entry.plans.long = true
      return null
    }
    entry.plans.keep(variant, made)
    events.planned('main-thread', made instanceof PlanningError ? 'refused' : 'planned', milliseconds)
    if (made instanceof PlanningError) throw made
    return made
  }

  #planElsewhere(wanted: WantedPlan, client: Client): PlanInMaking {
    const { entry, numbered, variant } = wanted
    const { document, operationName, mayDefer } = entry
    const { conditions, labels, granted, isWhole } = variant
    const { maxSteps, sharedFields, prefer } = this.#options.config
    const { end, join } = this.#threads.run(
      {
        graph: numbered,
        task: {
          document,
          operationName,
          defer: mayDefer,
          conditions,
          labels,
          granted,
          isWhole,
          stepLimit: maxSteps,
          sharedFields,
          prefer,
        },
        wanted: (whose) => this.#mayPlan(whose),
        spent: (milliseconds, whose) => this.#charge(whose, milliseconds),
      },
      client,
    )
    return { plan: end.then((how) => this.#resultOf(how, wanted, client)), join }
  }

  /** Warming up is work of the router itself: it neither needs nor uses the budget of clients. */
  #mayPlan(client: Client): boolean {
    return client === ROUTER_ITSELF || this.#budget.waitOf(client) === 0
  }

  #charge(client: Client, milliseconds: number): void {
    if (client !== ROUTER_ITSELF) this.#budget.charge(client, milliseconds)
  }

  #resultOf(end: JobEnd, { entry, variant, artifact }: WantedPlan, client: Client): Plan {
    const { config, events } = this.#options
    const operation: PlannedOperation = {
      artifact,
      document: entry.document,
      operation: entry.operation.name,
    }
    if (end.kind !== 'unwanted' && end.kind !== 'dropped')
      events.planned('thread', end.kind, end.milliseconds)
    switch (end.kind) {
      case 'planned':
        entry.plans.keep(variant, end.plan)
        events.planningWasLong(operation, end)
        return end.plan
      case 'refused': {
        const error = new PlanningError(end.code, end.message)
        entry.plans.keep(variant, error)
        events.planningRefused(operation, end, end.message)
        throw error
      }
      case 'timed-out': {
        const error = new PlanningError(
          'PLANNING_LIMIT',
          `Planning the operation took longer than ${config.timeLimit} ms, so it was given up. Expected an operation with fewer fields, fragments or nested types.`,
        )
        events.planningRefused(operation, end, error.message)
        throw error
      }
      case 'failed':
        throw end.error
      case 'lost':
        events.planningThreadLost(operation, end.reason)
        throw new HttpError(
          'PLANNING_FAILED',
          'The thread that planned this operation came to an end before it was done. A new one takes over: try again, and report it if it happens again.',
        )
      case 'unwanted':
        return this.#refuse(client)
      case 'dropped':
        throw new HttpError('DRAINING', 'This router is stopping. Try again: another one will answer.', {
          'Retry-After': '1',
        })
      default:
        return end satisfies never
    }
  }

  #refuse(client: Client): never {
    const { config, events, clock } = this.#options
    const now = clock.now()
    const seconds = Math.max(1, Math.ceil(this.#budget.waitOf(client) / 1000))
    this.#refused++
    events.planned('nowhere', 'overloaded')
    if (now - this.#refusalsLoggedAt >= OVERLOAD_LOG_MS) {
      events.planningOverloaded(this.#refused, config.budget)
      this.#refused = 0
      this.#refusalsLoggedAt = now
    }
    throw new HttpError(
      'PLANNING_OVERLOADED',
      'The router spends too much time on planning operations that it has not seen before, and this is one of them. Operations that were planned before are answered. Try again in a moment.',
      { 'Retry-After': String(seconds) },
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#threads[Symbol.asyncDispose]()
  }
}

/** Makes and finds the plans of one graph. */
export type GraphPlanner = Disposable & {
  /**
   * Returns a promise only if a thread makes the plan. Throws, or rejects with, PlanningError if the
   * operation cannot be planned, and HttpError if it cannot be planned now.
   */
  plan(
    entry: CachedOperation,
    variables: ReadonlyMap<string, unknown>,
    chosen: PlanChoice,
    lookUpClient: ClientLookup,
  ): Plan | Promise<Plan>
}

type WantedPlan = {
  readonly numbered: NumberedGraph
  readonly artifact: string
  readonly entry: CachedOperation
  readonly variant: PlanVariant
}

/** A planning thread, which may take more steps, looks for a better plan where there is no time for it. */
function planWithin(
  { entry, variant }: WantedPlan,
  steps: number,
  { maxSteps, sharedFields, prefer }: PlanningConfig,
): Plan | PlanningError | null {
  const { conditions, labels, granted, isWhole } = variant
  const limits = { stepLimit: Math.min(steps, maxSteps), takesFirst: false }
  try {
    const options = { labels, granted, isWhole, sharedFields, prefer, ...limits }
    return planOperation(entry.operation, conditions, options)
  } catch (error) {
    if (!(error instanceof PlanningError)) throw error
    return error.code === 'PLANNING_LIMIT' ? null : error
  }
}

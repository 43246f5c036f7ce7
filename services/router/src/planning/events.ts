/** Logs and counts plans, by where they are made, and operations that are not planned. */
import { createHash } from 'node:crypto'
import { metrics } from '@opentelemetry/api'
import { declareCounter, type Logger } from '@switchyard/service-kit'
import { MAX_HASH, MAX_LOGGED } from '../observe/logged.ts'
import { METER } from '../observe/meter.ts'

/** Which operation a log line about planning means. */
export type PlannedOperation = {
  readonly artifact: string
  readonly document: string
  readonly operation: string | null
}

/** The time and the steps that planning an operation took. */
export type PlanningEffort = {
  readonly milliseconds: number
  /** Number of steps. Absent if the planner was ended before it could report them. */
  readonly steps?: number
}

const PLACES = ['main-thread', 'thread', 'nowhere']

export const PLANS = declareCounter('switchyard.router.plans', {
  description: 'Plans that were not known, by where they were made and by the outcome',
  labels: { place: PLACES, outcome: ['planned', 'refused', 'timed-out', 'failed', 'lost', 'overloaded'] },
})

export const PLANNING_TIME = declareCounter('switchyard.router.planning_time', {
  unit: 's',
  description: 'Computing time that planning took',
  labels: { place: PLACES },
})

/** Logs and counts what planning comes to. */
export class PlanningEvents {
  readonly #log: Logger
  readonly #plans
  readonly #planningTime

  constructor(logger: Logger) {
    this.#log = logger
    const meter = metrics.getMeter(METER)
    this.#plans = meter.createCounter(PLANS.name, PLANS.options)
    this.#planningTime = meter.createCounter(PLANNING_TIME.name, PLANNING_TIME.options)
  }

  /** Every plan that was not known: where it was made, and what came of it. */
  planned(
    place: 'main-thread' | 'thread' | 'nowhere',
    outcome: 'planned' | 'refused' | 'timed-out' | 'failed' | 'lost' | 'overloaded',
    milliseconds = 0,
  ): void {
    this.#plans.add(1, { place, outcome })
    this.#planningTime.add(milliseconds / 1000, { place })
  }

  planningWasLong(operation: PlannedOperation, effort: PlanningEffort): void {
    this.#log.info(
      { event: 'planning.long', ...loggedOperation(operation), ...loggedEffort(effort) },
      'An operation took so long to plan that a planning thread did it; its next requests use the plan',
    )
  }

  planningRefused(operation: PlannedOperation, effort: PlanningEffort, reason: string): void {
    this.#log.warn(
      { event: 'planning.refused', ...loggedOperation(operation), ...loggedEffort(effort) },
      reason,
    )
  }

  planningThreadLost(operation: PlannedOperation, reason: string): void {
    this.#log.error(
      { event: 'planning.thread-lost', ...loggedOperation(operation), reason: reason.slice(0, MAX_LOGGED) },
      'A planning thread came to an end in the middle of an operation; its requests were refused and a new thread takes over',
    )
  }

  planningOverloaded(refused: number, budget: number): void {
    this.#log.warn(
      { event: 'planning.overloaded', refused, budget },
      `Operations without a plan are refused: planning took more than ${budget} ms per second (planning.budget). Operations with a plan are answered`,
    )
  }
}

/** The hash is the one of the document's text, by which clients with persisted queries know it, too. */
function loggedOperation({ artifact, document, operation }: PlannedOperation) {
  return {
    artifact: artifact.slice(0, MAX_HASH),
    operationHash: createHash('sha256').update(document).digest('hex').slice(0, MAX_HASH),
    ...(operation === null ? {} : { operation: operation.slice(0, MAX_LOGGED) }),
  }
}

function loggedEffort({ milliseconds, steps }: PlanningEffort) {
  return {
    milliseconds: Math.round(milliseconds),
    ...(steps === undefined ? {} : { steps: Math.round(steps) }),
  }
}

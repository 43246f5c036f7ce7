/** Logs and counts plans, by where they are made, and operations that are not planned. */
import { createHash } from 'node:crypto'
import { metrics } from '@opentelemetry/api'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
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

/** The log events of this file. */
export const LOGGED = {
  long: logEvent('planning.long', {
    level: 'info',
    fields: ['artifact', 'operationHash', 'operation', 'milliseconds', 'steps'],
    says: 'An operation took so long to plan that a planning thread did it; its next requests use the plan. One line for each operation.',
  }),
  refused: logEvent('planning.refused', {
    level: 'warn',
    fields: ['artifact', 'operationHash', 'operation', 'milliseconds', 'steps'],
    says: 'An operation is too complex to plan; its clients get an error.',
    advice: 'Simplify it, or raise `planning.max_steps`',
  }),
  threadLost: logEvent('planning.thread-lost', {
    level: 'error',
    fields: ['reason'],
    says: 'A planning thread came to an end in the middle of an operation; its requests were refused and a new thread takes over',
    advice: 'Report it with the line; check how much memory the process may use',
  }),
  overloaded: logEvent('planning.overloaded', {
    level: 'warn',
    fields: ['refused', 'budget'],
    says: 'More new operations arrive than may be planned. Operations with a plan are answered.',
    advice: 'Find out who sends so many different operations, or raise `planning.budget`',
  }),
}

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
    LOGGED.long.write(
      this.#log,
      { ...loggedOperation(operation), ...loggedEffort(effort) },
      'An operation took so long to plan that a planning thread did it; its next requests use the plan',
    )
  }

  planningRefused(operation: PlannedOperation, effort: PlanningEffort, reason: string): void {
    LOGGED.refused.write(this.#log, { ...loggedOperation(operation), ...loggedEffort(effort) }, reason)
  }

  planningThreadLost(operation: PlannedOperation, reason: string): void {
    LOGGED.threadLost.write(this.#log, { ...loggedOperation(operation), reason: reason.slice(0, MAX_LOGGED) })
  }

  planningOverloaded(refused: number, budget: number): void {
    LOGGED.overloaded.write(
      this.#log,
      { refused, budget },
      `Operations without a plan are refused: planning took more than ${budget} ms per second (planning.budget). Operations with a plan are answered`,
    )
  }
}

/** The hash is the one of the document's text, by which clients with persisted queries know it, too. */
function loggedOperation({ artifact, document, operation }: PlannedOperation) {
  return {
    artifact: artifact.slice(0, MAX_HASH),
    operationHash: createHash('sha256').update(document).digest('hex').slice(0, MAX_HASH),
    operation: operation?.slice(0, MAX_LOGGED),
  }
}

function loggedEffort({ milliseconds, steps }: PlanningEffort) {
  return {
    milliseconds: Math.round(milliseconds),
    steps: steps === undefined ? undefined : Math.round(steps),
  }
}

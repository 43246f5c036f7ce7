/** The messages between the serving thread and a planning thread. All of them are plain data. */
import type { Plan, PlanningErrorCode, PlanPreference } from '@switchyard/engine'
import type { PackedGraph } from './packed-graph.ts'

/** An operation to plan. It was validated before; the thread parses it again and does not validate it. */
export type PlanningTask = {
  readonly document: string
  readonly operationName: string | null
  /** Fragments with `@defer` are delivered later. */
  readonly defer: boolean
  /** Values of the variables in `@skip`, `@include` and `@defer`. */
  readonly conditions: ReadonlyMap<string, unknown>
  readonly labels: ReadonlySet<string>
  /** Numbers of the access conditions that the request meets. */
  readonly granted: ReadonlySet<number>
  /** Nothing is deferred all the same. */
  readonly isWhole: boolean
  readonly stepLimit: number
  /** The settings `planning.shared_fields` and `planning.prefer`. */
  readonly sharedFields: boolean
  readonly prefer: PlanPreference
}

/** A task as it is sent to a thread. */
export type SentPlanningTask = {
  /** The number under which the thread knows the graph. */
  readonly graph: number
  /** The graph; null if the thread has it from an earlier task. */
  readonly packed: PackedGraph | null
  readonly task: PlanningTask
}

/** Tells a thread that a graph is not planned on any more, so that its memory can be given back. */
export type ForgetGraph = { readonly graph: number }

/**
 * `milliseconds` of computing for the plan alone, without the start of the thread or the transfer of the
 * graph; `steps` as the planner counts.
 */
export type PlanningAnswer =
  | {
      readonly kind: 'planned'
      readonly plan: Plan
      readonly milliseconds: number
      readonly steps: number
    }
  | {
      readonly kind: 'refused'
      readonly code: PlanningErrorCode
      readonly message: string
      readonly milliseconds: number
      readonly steps: number
    }
  /** The planner failed because of a defect. */
  | { readonly kind: 'failed'; readonly error: Error; readonly milliseconds: number }

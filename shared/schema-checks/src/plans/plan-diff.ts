/** The findings of a comparison of plans, and the operations that are compared. */
import type { FetchNode } from '@switchyard/engine'

/** One operation of a document. */
export type NamedOperation = {
  /** The name by which people find the operation. */
  readonly name: string
  readonly document: string
  readonly operationName: string | null
}

/** The operations, and for people where they are from. */
export type FoundOperations = { readonly operations: readonly NamedOperation[]; readonly origin: string }

/** A call of a plan, without what differs although the call is the same. */
export type PlannedCall = Pick<FetchNode, 'subgraph' | 'document' | 'representations'>

/** A plan on one side, or why there is none. */
export type PlannedSide =
  | {
      readonly kind: 'planned'
      readonly requests: number
      readonly depth: number
      readonly calls: readonly PlannedCall[]
      /** Coordinates of fields that no subgraph answers: the operation fails for these. */
      readonly unreachable: readonly string[]
      /** All of the plan that matters to who runs it: equal for equal plans. */
      readonly fingerprint: string
      /** Prints the plan for people. */
      readonly print: () => string
    }
  /** The operation is not valid there, or takes too much to plan. */
  | { readonly kind: 'refused'; readonly message: string }

/** An operation whose plan is another one, exists on one side only, or was tried and exists on none. */
export type PlanChange = {
  /** The operation's name with its position, such as `orders.graphql:12 ListOrders`. */
  readonly operation: string
  /** Values of the variables in `@skip` and `@include`; empty where there are none. */
  readonly conditions: Readonly<Record<string, boolean>>
  readonly status: 'changed' | 'lost' | 'gained'
  readonly from: PlannedSide
  readonly to: PlannedSide
  /** Calls of `to` that `from` does not have, and the other way round. */
  readonly added: readonly PlannedCall[]
  readonly removed: readonly PlannedCall[]
}

/** The plans of all operations that were compared. */
export type PlanDiff = {
  /** The origin of the operations, in words for people. */
  readonly origin: string
  /** How many were compared. */
  readonly operations: number
  readonly unchanged: number
  /** Valid on neither side. */
  readonly refused: readonly { readonly operation: string; readonly message: string }[]
  /** Left out, since comparing them would take too much. */
  readonly notCompared: number
  readonly changes: readonly PlanChange[]
}

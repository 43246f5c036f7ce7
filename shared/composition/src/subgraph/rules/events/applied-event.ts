/** An application of a directive that connects a field to events. */
import type { ConstDirectiveNode } from 'graphql'
import type { EventDirective } from '../../../events/event-directives.ts'
import type { FieldModel } from '../../../model/model.ts'
import type { CheckedSubgraph } from '../../checked/checked-subgraph.ts'

/** One application of a directive on a field of the right root. */
export type AppliedEvent = {
  readonly subgraph: CheckedSubgraph
  readonly model: FieldModel
  readonly node: ConstDirectiveNode
  readonly directive: EventDirective
  readonly field: string
}

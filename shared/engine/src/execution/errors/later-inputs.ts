import type { PositionId } from '../../ids/ids.ts'
import type { Plan, RepresentationCase } from '../../plan/contract/plan.ts'

/**
 * Whether a fetch sends, in its representations, the property `key` of the objects that a slot of a position
 * provides.
 */
export function isSentLater(plan: Plan, position: PositionId, slot: number, key: string): boolean {
  const readBy = (cases: readonly RepresentationCase[], at: PositionId): boolean =>
    cases.some(({ fields }) =>
      fields.some((field) =>
        field.kind === 'object'
          ? readBy(field.cases, field.position)
          : at === position && field.source.slot === slot && field.source.key === key,
      ),
    )
  return plan.fetches.some(({ parts }) =>
    parts.some((part) => part.kind === 'entities' && part.inputs.some(({ at, cases }) => readBy(cases, at))),
  )
}

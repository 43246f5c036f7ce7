import { NO_RUNTIME_TYPE, type TypeId } from '../../ids/ids.ts'
import type { ObjectShape } from '../../plan/contract/plan.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { showsType } from '../joining/prepared-plan.ts'

/**
 * Whether an object without a runtime type is right all the same: an interface object whose fields are the
 * same for every type. Either the plan does not ask for the type, or the subgraphs that would know it do
 * not have the object, which is legal for every entity.
 */
export function needsNoType(
  occurrences: Occurrences,
  shape: ObjectShape,
  occurrence: number,
  runtime: TypeId,
): boolean {
  if (runtime !== NO_RUNTIME_TYPE) return false
  const { providers, typename } = occurrences.position(shape.position)
  const isNamedNowhere = typename.every(
    ({ slot }) =>
      providers[slot]?.kind === 'entity' && occurrences.object(shape.position, slot, occurrence) === null,
  )
  return isNamedNowhere && !showsType(shape)
}

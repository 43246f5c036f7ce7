/** Tells where in the response the entities of a fetch are. */
import type { PositionId } from '../../ids/ids.ts'
import type { Fetch, Plan } from '../contract/plan.ts'

/** Response keys from the root, joined by dots, each path once; empty for a fetch of root fields. */
export function fetchPaths(plan: Plan, { parts }: Pick<Fetch, 'parts'>): readonly string[] {
  const positions = parts.flatMap((part) => (part.kind === 'root' ? [] : part.inputs.map(({ at }) => at)))
  return [...new Set(positions.map((at) => pathOf(plan, at)))]
}

/** Fields that are not in the response are in parentheses. */
export function pathOf(plan: Plan, id: PositionId): string {
  const parts: string[] = []
  for (let at = plan.positions[id]; at !== undefined && at.parent !== -1; at = plan.positions[at.parent]) {
    const [first] = at.providers
    parts.unshift(at.responseKey ?? (first?.kind === 'inline' ? `(${first.key})` : '()'))
  }
  return parts.length === 0 ? 'the root' : parts.join('.')
}

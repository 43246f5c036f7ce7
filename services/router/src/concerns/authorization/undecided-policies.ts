/** Finds demands of a graph that nobody can meet with the settings of this router. */
import type { AccessCondition } from '@switchyard/engine'

/** Returns the names of policies that a graph asks for and no rule decides, sorted. */
export function undecidedPolicies(
  conditions: readonly AccessCondition[],
  decided: { has(name: string): boolean },
): readonly string[] {
  const asked = conditions.flatMap((condition) =>
    condition.kind === 'policies' ? condition.anyOf.flat() : [],
  )
  return [...new Set(asked)].filter((name) => !decided.has(name)).sort()
}

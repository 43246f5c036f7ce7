/** All classes of differences, and which of them explains a statement. */
import type { Difference } from '../compare.ts'
import { statementsOf, type Explanation, type Statement } from './explanation.ts'
import { FACTS } from './facts.ts'
import { LIBRARY_ERRORS } from './library-errors.ts'
import { OWN_ERRORS } from './own-errors.ts'
import { STOPS } from './stops.ts'

/** Every class, with a name of its own. */
export const CLASSES: readonly Pick<Explanation, 'name' | 'why'>[] = [
  ...FACTS,
  ...LIBRARY_ERRORS,
  ...OWN_ERRORS,
  ...STOPS,
]

export type Explained = { readonly statement: Statement; readonly by: string | null }

/** Each statement of the difference with the name of the class that explains it, or null. */
export function explain(difference: Difference): readonly Explained[] {
  return statementsOf(difference).map((statement) => ({ statement, by: classOf(statement, difference) }))
}

function classOf(statement: Statement, difference: Difference): string | null {
  switch (statement.kind) {
    case 'stop':
      return nameOf(STOPS, statement, difference)
    case 'fact':
      return nameOf(FACTS, statement, difference)
    case 'error':
      return nameOf(statement.by === 'us' ? OWN_ERRORS : LIBRARY_ERRORS, statement, difference)
    default:
      return statement satisfies never
  }
}

function nameOf<S extends Statement>(
  explanations: readonly Explanation<S>[],
  statement: S,
  difference: Difference,
): string | null {
  return explanations.find(({ explains }) => explains(statement, difference))?.name ?? null
}

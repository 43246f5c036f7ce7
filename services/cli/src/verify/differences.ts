/** Finds the positions at which two answers differ, with both values and the fetches that gave ours. */
import type { Plan } from '@switchyard/engine'
import type { OpinionComparison, Opinion } from '@switchyard/second-opinion'
import { fieldsAt } from './response-fields.ts'
import type { Difference } from './verdict.ts'

/** All places at which two answers differ. */
export function differencesOf(
  comparison: OpinionComparison,
  plan: Plan,
  ours: Opinion,
  theirs: Opinion,
): readonly Difference[] {
  if (comparison.kind === 'equal') return []
  const fetchesAt = (path: Difference['path']) => fieldsAt(plan, path).fetches
  const messages = (side: 'ours' | 'theirs', path: Difference['path']) => {
    const { errors } = side === 'ours' ? ours : theirs
    return errors.find((error) => JSON.stringify(error.path ?? []) === JSON.stringify(path))?.message
  }
  return [
    ...comparison.data.map(({ path, ...values }) => ({
      path,
      ...values,
      errorOf: null,
      fetches: fetchesAt(path),
    })),
    ...comparison.errors.map(({ path, side }) => ({
      path,
      ours: messages('ours', path),
      theirs: messages('theirs', path),
      errorOf: side,
      fetches: fetchesAt(path),
    })),
  ]
}

/** The field names of a path, without indexes: `items.name`. */
export function pathPattern(path: Difference['path']): string {
  return path.filter((key) => typeof key === 'string').join('.')
}

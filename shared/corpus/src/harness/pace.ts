import { type ExecuteOptions, type Plan, WorkBudget } from '@switchyard/engine'

/**
 * Every other plan is executed in slices of one to three steps, so that everything is interrupted everywhere;
 * the rest at once.
 */
export function pace({ positions }: Plan): Pick<ExecuteOptions, 'work'> {
  const choice = positions.length % 6
  if (choice % 2 === 0) return {}
  const budget = new WorkBudget(Number.MAX_SAFE_INTEGER, () => new RangeError('This cannot be exceeded.'))
  return { work: { turns: { next: () => Promise.resolve() }, budget, slice: (choice + 1) / 2 } }
}

import type { Plan } from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import type { TypeFacts } from '../joining/type-facts.ts'

/** The sources that completion reads, the same for everything that is completed in one execution. */
export type CompletionSources = {
  readonly plan: Plan
  readonly facts: TypeFacts
  readonly occurrences: Occurrences
  /** One step for each field and each item of a list. */
  readonly budget: WorkBudget
}

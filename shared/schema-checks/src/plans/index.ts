export { comparePlans, type ComparePlansOptions } from './compare-plans.ts'
export type {
  FoundOperations,
  NamedOperation,
  PlanChange,
  PlanDiff,
  PlannedCall,
  PlannedSide,
} from './plan-diff.ts'

export { bucketOf, BUCKETS } from './bucket.ts'
export type {
  DecidingRollout,
  ExplainedCondition,
  ExplainedRollout,
  RequestKey,
  RolloutDecision,
  RolloutExplanation,
  RolloutOutcome,
} from './decision.ts'
export { type ManifestWithRollouts, mayTakeBack } from './may-take-back.ts'
export { conditionProblem } from './condition.ts'
export { type ReadCondition, readRolloutCondition } from './condition-text.ts'
export { printRolloutCondition, testOf } from './printed-condition.ts'
export type { PropertyValue, ReadProperty } from './read-values.ts'
export {
  LONGEST_KEY,
  type RolloutProblem,
  type Rollouts,
  RolloutTable,
  type RolloutTableOptions,
} from './rollout-table.ts'
export { RolloutsTakenBack, withoutTakenBack } from './taken-back.ts'

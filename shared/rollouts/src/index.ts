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
export { conditionProblem, testOf } from './condition.ts'
export { printRolloutCondition, type ReadCondition, readRolloutCondition } from './condition-text.ts'
export type { PropertyValue, ReadProperty } from './read-values.ts'
export {
  LONGEST_KEY,
  type RolloutProblem,
  type Rollouts,
  RolloutTable,
  type RolloutTableOptions,
} from './rollout-table.ts'
export { RolloutsTakenBack, withoutTakenBack } from './taken-back.ts'

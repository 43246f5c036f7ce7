export {
  ALPHA_OF_GOING_ON,
  ALPHA_OF_RAMP,
  alphaOf,
  alphaOfGoingOn,
  type PlaceInRamp,
  testedBy,
} from './alpha.ts'
export { CLUSTERS, clusterOf } from './clusters.ts'
export {
  EMERGENCY_CLUSTERS,
  EMERGENCY_REQUESTS,
  EMERGENCY_SECONDS,
  ErrorWindow,
  isEmergency,
  type WindowTotals,
} from './emergency.ts'
export {
  Figures,
  type Group,
  GroupFigures,
  MAX_FIGURES_BYTES,
  OperationFigures,
  RouterFigures,
} from './figures.ts'
export { type CountedRequest, FiguresCounter } from './figures-counter.ts'
export { InvalidGuardError, parseEmergencyStop, parseGuards } from './guard-text.ts'
export { DEFAULT_MINIMUM_REQUESTS, EmergencyStop, ErrorsGuard, Guards } from './guards.ts'
export { judge, judgeStep, LEAST_CLUSTERS, type StepOfRamp, stepOutcome } from './judge.ts'
export { GuardJudgement, Judgement, Outcome, Tested } from './judgement.ts'
export { latencyBucket, lowerBound, SLOWNESS_BOUNDS_MS } from './latency-buckets.ts'
export type { Quantile } from './quantiles.ts'
export { quantilesOf } from './latency-quantiles.ts'
export { type RampStep, RampSteps, type RolloutName } from './ramp-steps.ts'
export { describeJudgement, percentText, printEmergencyStop, printGuards } from './sentences.ts'
export { type RouterBoot, StepFigures } from './step-figures.ts'
export { addFigures } from './add-figures.ts'

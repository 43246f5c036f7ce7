export {
  type OpinionComparison,
  compareOpinions,
  type DataDifference,
  type ErrorDifference,
  type ResponsePath,
} from './compare-opinions.ts'
export { isolatedSecondOpinion, type IsolatedSecondOpinion } from './isolated-opinion.ts'
export {
  type Opinion,
  type OpinionError,
  type OpinionRequest,
  type SecondOpinion,
  secondOpinion,
  type SecondOpinionOptions,
  type SubgraphQuestion,
} from './second-opinion.ts'
export { SecondOpinionError, type SecondOpinionErrorCode } from './second-opinion-error.ts'
export { STITCHING_LIMITS, type StitchingLimit, type StitchingLimitId } from './stitching-limits.ts'

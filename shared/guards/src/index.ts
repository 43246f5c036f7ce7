export { CLUSTERS, clusterOf } from './clusters.ts'
export {
  Figures,
  type Group,
  GroupFigures,
  MAX_FIGURES_BYTES,
  OperationFigures,
  RouterFigures,
} from './figures.ts'
export { type CountedRequest, FiguresCounter } from './figures-counter.ts'
export { latencyBucket, lowerBound, SLOWNESS_BOUNDS_MS } from './latency-buckets.ts'
export { addFigures, isLater, sumFigures } from './sum-figures.ts'

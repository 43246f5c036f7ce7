/** The parts that routers count and stop by, without the statistics. They load these alone. */
export { CLUSTERS, clusterOf } from './clusters.ts'
export { ErrorWindow, isEmergency, type WindowTotals } from './emergency.ts'
export { type CountedRequest, FiguresCounter } from './figures-counter.ts'
export { Figures, type Group, type RouterFigures } from './figures.ts'
export type { EmergencyStop } from './guards.ts'
export { addFigures } from './add-figures.ts'

/** The schemas of what crosses a boundary, without the statistics. Readers of records load these alone. */
export { MAX_FIGURES_BYTES, RouterFigures } from './figures.ts'
export { EmergencyStop, Guards } from './guards.ts'
export { Judgement } from './judgement.ts'

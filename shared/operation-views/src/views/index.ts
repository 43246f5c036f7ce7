/** Answers and plans as pages show them. */
export { AnswerComparison } from './answer-comparison.tsx'
export { AnswerParts } from './answer-parts.tsx'
export { PlanView } from './plan-view.tsx'

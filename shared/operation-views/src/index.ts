/** Operations and their answers: how they are read, put together and compared, and plans. */
export { type Answer, AnswerBuilder, type AnswerPart, type Place } from './answers/answer.ts'
export { type AnswerDifference, compareAnswers } from './answers/compare-answers.ts'
export { hasOperation, prettyPrinted } from './answers/pretty-print.ts'
export { type PrintedAnswer, printAnswer } from './answers/print-answer.ts'
export { ACCEPT, type ReadAnswer, readAnswer, STOPPED } from './answers/read-answer.ts'
export { planOf, type PlanFetch } from './plans/plan-of-trace.ts'

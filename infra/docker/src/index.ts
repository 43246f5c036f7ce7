export { type Engine, engineMissing, openEngine } from './engine.ts'
export { type Finished, runProgram } from './run-program.ts'

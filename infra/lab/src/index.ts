export { ticksOf, type TreeUsage, usageOf } from './meter.ts'
export {
  cleanEnvironment,
  type Finished,
  type LogEvent,
  OutputOfProgram,
  Program,
  REPOSITORY,
  runSwitchyard,
  type ServiceProgram,
  SpawnedProgram,
} from './program.ts'
export { machine, type Table, tableText, withMeasured } from './report.ts'

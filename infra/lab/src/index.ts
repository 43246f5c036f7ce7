export { CpuMeter, forgetMostResident, type Usage, usageOf, usageOfTree } from './meter.ts'
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
export {
  alignedLines,
  machine,
  markers,
  megabytes,
  seconds,
  type Table,
  tableText,
  withMeasured,
  writeMeasured,
} from './report.ts'
export {
  chosenScenarios,
  NoSuchScenarioError,
  readScenarios,
  reportResults,
  type Scenario,
  untilInterrupted,
} from './scenario.ts'

export {
  fetchedInSpite,
  guard,
  type Holder,
  keyNames,
  protect,
  type Protection,
} from './access/protection.ts'
export { compareErrors, dataText, explainedNulls } from './harness/compare.ts'
export {
  createMonolith,
  type Monolith,
  type OracleAnswer,
  worldField,
  worldSchema,
} from './harness/monolith.ts'
export { type Executed, Recording, replay } from './harness/replay.ts'
export { createEngine, type EngineRun, type SuiteEngine } from './harness/run-engine.ts'
export { createSubgraphs } from './harness/subgraph-behaviour.ts'
export {
  type FieldFunction,
  find,
  type Row,
  type Suite,
  subgraphInputs,
  type SuiteOperation,
  type Tables,
} from './harness/suite.ts'
export { supergraphOf } from './harness/supergraph-of.ts'
export { externalKeyRoots } from './suites/external-key-roots.ts'
export { SUITES } from './suites/index.ts'

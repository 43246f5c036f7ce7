export { withoutFragmentSpreads, withoutSkipped } from './operations/plain-operation.ts'
export { withoutDefers, withRandomDefers } from './operations/random-defers.ts'
export { type RandomOperationOptions, randomOperation } from './operations/random-operation.ts'
export type { SampleOperation } from './operations/sample-operation.ts'
export { sampleOperations, type SampleOperationsOptions } from './operations/sample-operations.ts'
export {
  NOTHING_LEFT,
  shrinkOperation,
  type ShrinkOptions,
  withoutPart,
} from './operations/shrink-operation.ts'
export { hashText, Random } from './random/random.ts'
export {
  askEngine,
  type AskNamedSubgraph,
  type EngineAnswer,
  type EngineQuestion,
} from './subgraphs/ask-engine.ts'
export { type OneServer, oneServer } from './subgraphs/one-server.ts'
export {
  type SampleAnswer,
  type SampleOptions,
  type SampleQuestion,
  type SampleSubgraphs,
  sampleSubgraphs,
} from './subgraphs/sample-subgraphs.ts'
export { GraphFacts } from './subgraphs/graph-facts.ts'
export type { Leaf, Shape } from './subgraphs/shapes.ts'
export { NoCommonValueError } from './subgraphs/world.ts'

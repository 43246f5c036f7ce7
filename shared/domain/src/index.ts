export { affectedGraphs } from './affected-graphs.ts'
export {
  type Applicability,
  flagApplicability,
  flagApplies,
  type FlagMembers,
  flagMembers,
} from './applicability.ts'
export { applyEvent, applyEvents } from './state/apply-event.ts'
export {
  type Applied,
  applyRecord,
  commandOutcome,
  graphsOfRollouts,
  type RecordOutcome,
} from './apply-record.ts'
export type { Command, CommandOf } from './decisions/command.ts'
export { commandWarnings } from './command-warnings.ts'
export {
  type CompositionInputs,
  compositionInputs,
  type FlagInput,
  type PreviewInput,
  type SubgraphToCompose,
} from './composition-inputs.ts'
export { isOver } from './decisions/previews.ts'
export { decide } from './decide.ts'
export { describeEvents } from './state/describe-events.ts'
export type { Decision } from './decisions/decision.ts'
export {
  type BaseSubgraph,
  type CommandMemory,
  compareNames,
  emptyNamespace,
  type FeatureFlag,
  type FeatureSubgraph,
  type FederatedGraph,
  type Launch,
  type NamespaceState,
  type Preview,
  type PublishedDocuments,
  type PublishedSchema,
  type Ramp,
  type Rollout,
  type RolloutMode,
  sortedByName,
  type Subgraph,
} from './state/namespace-state.ts'
export { isLaunched, isLikeBase } from './state/launches.ts'
export { namedGraphs } from './named-graphs.ts'
export { type FoldedEntry, type LastChange, type RegistryEntry, RegistryFold } from './registry-fold.ts'
export { previewApplies, takesPart } from './state/previews.ts'
export {
  guardedRamp,
  isGuarded,
  manifestRollouts,
  percentInForce,
  type RampOfRollout,
  rolloutsOf,
  runningRamp,
} from './state/rollouts.ts'
export { isRolloutEvent, type RolloutEvent } from './state/rollout-events.ts'
export { snapshotOf, stateOfSnapshot } from './snapshot.ts'
export { subjectOfEvent, summarizeEvents, summarizeSystemEvents } from './summarize-events.ts'
export { PersistentMap } from './state/persistent-map.ts'
export type { SystemCommand, SystemCommandOf } from './system-command.ts'
export { decideSystem, type SystemCircumstances, type SystemDecision } from './system-decide.ts'
export {
  type ApiKey,
  apiKeyNames,
  applySystemRecord,
  emptySystem,
  type PublicKey,
  type RetiredKey,
  type SystemCommandMemory,
  type SystemState,
} from './system-state.ts'
export { decideTraceKey, type TraceKeyCommand, type TraceKeyDecision } from './trace-keys.ts'
